# SPDX-License-Identifier: MIT
"""Handling what is in the inbox beside receiving, and whether that still runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from bankhook._handlers import Handlers
from bankhook.inbox import DeliveryStore, Inbox, InboxError, InUse

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
        self._problem: str | None = None
        self.has_handlers = handlers is not None

    @property
    def is_fine(self) -> bool:
        """Whether handlers are called, here or in another process, or wait for a server that the spool replaces meanwhile."""
        is_well = self._problem is None or getattr(self._inbox, "_stores_without_server", False)
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
            # Trying again is no success: a run that goes on for this long is.
            success = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._set_problem, None)
            try:
                await inbox.run(handlers, stop=self._stop, concurrency=self._concurrency)
                if not self._stop.is_set():
                    self._set_problem("the inbox has stopped calling them")
            except InUse:
                self._set_problem(None)
                _log.debug("another process handles the deliveries; this one takes over when that one ends")
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
                success.cancel()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), RETRY_SECONDS)

    def _set_problem(self, problem: str | None) -> None:
        if problem is not None and problem != self._problem:
            _log.error("handlers cannot be called; deliveries are still stored: %s", problem)
        self._problem = problem

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
