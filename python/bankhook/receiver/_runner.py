# SPDX-License-Identifier: MIT
"""Handling what is in the inbox beside receiving, and whether that still runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from bankhook._handlers import Handlers
from bankhook.inbox import DeliveryStore, Inbox, InboxError, InUse
from bankhook.inbox._problems import Problem

STOP_SECONDS = 10.0
CANCEL_SECONDS = 2.0
RETRY_SECONDS = 2.0

_log = logging.getLogger("bankhook.receiver")


class Runner:
    """The task that calls handlers; without handlers there is no task, and that is fine.

    If another process handles the deliveries, this one waits to take over, which is fine, too.
    """

    def __init__(self, inbox: DeliveryStore, handlers: Handlers | None, concurrency: int = 1) -> None:
        """Take the inbox and what is called for its deliveries, for so many at a time."""
        if handlers is not None and not isinstance(inbox, Inbox):
            raise TypeError("handlers: expected None, since this store only appends; what reads it calls handlers")
        self._inbox, self._handlers, self._concurrency = inbox, handlers, concurrency
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_well = True
        self._problem = Problem(_log, logging.ERROR, "handlers are called again")
        self._waits = Problem(_log, logging.DEBUG, "this process handles the deliveries")
        self._success: asyncio.TimerHandle
        self.has_handlers = handlers is not None

    @property
    def is_fine(self) -> bool:
        """Whether handlers are called, here or in another process, or wait for a server that the spool replaces meanwhile."""
        is_well = self._is_well or getattr(self._inbox, "_stores_without_server", False)
        is_running = self._task is not None and not self._task.done() and is_well
        return is_running or not self.has_handlers

    @property
    def has_died(self) -> bool:
        """Whether handlers are not called any more, although nobody has stopped that."""
        return self._task is not None and self._task.done() and not self._stop.is_set()

    def start(self) -> None:
        """Start the task in the running event loop."""
        if self._handlers is not None and isinstance(self._inbox, Inbox):
            self._stop = asyncio.Event()
            self._task = asyncio.create_task(self._run(self._inbox, self._handlers), name="bankhook: run handlers")

    async def _run(self, inbox: Inbox, handlers: Handlers) -> None:
        while not self._stop.is_set():
            self._watch()
            try:
                await inbox.run(handlers, stop=self._stop, concurrency=self._concurrency)
                if not self._stop.is_set():
                    self._set_problem("the inbox has stopped calling them")
            except InUse:
                self._set_problem(None)
                self._waits.note("another process handles the deliveries; this one takes over when that one ends")
            except InboxError as error:  # its text has no personal values
                self._set_problem(str(error))
            except BaseException as error:
                task, name = asyncio.current_task(), type(error).__name__  # its text may have personal values
                if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
                    raise
                why = f"handlers are no longer called, because {name} ended that; deliveries are still stored"
                _log.critical(why, extra={"error": name})
                if isinstance(error, Exception | asyncio.CancelledError):
                    return
                raise
            finally:
                self._success.cancel()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), RETRY_SECONDS)

    def _set_problem(self, problem: str | None) -> None:
        if problem is None:
            self._problem.end()
        else:
            self._problem.note(f"handlers cannot be called; deliveries are still stored: {problem}")
        self._is_well = problem is None

    def _watch(self) -> None:
        self._success = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._look)

    def _look(self) -> None:
        """Trying again is no success, nor is connecting, which may take long: a run that goes on for a while is."""
        if getattr(self._inbox, "_is_handling", True):
            self._set_problem(None)
            self._waits.end()
        self._watch()

    async def close(self) -> None:
        """Let the current handler end, then the task; after some seconds it is cancelled, and its delivery handled again.

        A sync handler cannot be cancelled: its thread goes on until it ends, or the process does.
        """
        if self._task is None:
            return
        self._stop.set()
        _, late = await asyncio.wait((self._task,), timeout=STOP_SECONDS)
        if late:
            self._task.cancel()
            _, late = await asyncio.wait(late, timeout=CANCEL_SECONDS)
        if late:
            _log.error("a handler does not end; its delivery is handled again")
            self._task.cancel()
            await asyncio.wait(late)
