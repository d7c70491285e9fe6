# SPDX-License-Identifier: MIT
"""Handling what is in the inbox beside receiving, and whether that still runs."""

from __future__ import annotations

import asyncio
import logging

from bankhook.handlers import Handlers
from bankhook.inbox import Inbox

__all__ = ["Runner"]

STOP_SECONDS = 10.0

_log = logging.getLogger("bankhook.receiver")


class Runner:
    """The task that calls handlers; without handlers there is no task, and that is fine."""

    def __init__(self, inbox: Inbox, handlers: Handlers | None) -> None:
        """Take the inbox and what is called for its deliveries."""
        self._inbox, self._handlers = inbox, handlers
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_fine(self) -> bool:
        """Whether handlers are called, if there are any."""
        return self._handlers is None or (self._task is not None and not self._task.done())

    def start(self) -> None:
        """Start the task in the running event loop."""
        if self._handlers is not None:
            self._stop = asyncio.Event()
            self._task = asyncio.create_task(self._run(self._handlers), name="bankhook: run handlers")

    async def _run(self, handlers: Handlers) -> None:
        try:
            await self._inbox.run(handlers, stop=self._stop)
        except Exception as error:  # its text may have personal values
            _log.critical(
                "handlers are no longer called; deliveries are still stored", extra={"error": type(error).__name__}
            )

    async def close(self) -> None:
        """Let the current handler end, then the task; after some seconds it is cancelled, and its delivery handled again."""
        if self._task is None:
            return
        self._stop.set()
        _, late = await asyncio.wait((self._task,), timeout=STOP_SECONDS)
        for task in late:
            task.cancel()
            await asyncio.wait((task,))
