# SPDX-License-Identifier: MIT
"""An engine in a thread of its own, for the event loop: async handlers are awaited there, and a cancelled batch ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from contextlib import ExitStack
from typing import Any, TypeVar

from sqlalchemy import Connection

from bankhook.inbox._contained import HandlerExit
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.engine import Engine
from bankhook.inbox._sql.jobs import Cancelled
from bankhook.inbox._sql.lock import runner_connection
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.threads import Thread

T = TypeVar("T")


class Worker:
    """Makes an engine, in SQLite the only one of the inbox, and ends it."""

    def __init__(self, store: Store, make: Callable[..., Engine]) -> None:
        self._store, self._make = store, make
        self._open, self._connected = ExitStack(), ExitStack()
        self._open.enter_context(self._connected)
        self._loop = asyncio.get_running_loop()
        self._thread = Thread("bankhook-inbox-engine")
        self.stop = threading.Event()  # call no more handlers: the next batch waits for those that were called
        self._awaited: set[asyncio.Future[object]] = set()
        self._is_cancelled = False
        self._is_abandoned = False
        self.closed: asyncio.Future[None] | None = None
        self.engine: Engine

    def start(self) -> None:
        """Connect, and lock out other engines in SQLite."""
        self.engine = self._make(self._store, self._connect, self._wait_for, self.stop)
        self._open.callback(self.engine.close)

    async def aclose(self) -> None:
        """Unlock and disconnect; if a handler does not end, the thread does that after it, or the end of the process."""
        if self.closed is None:
            self.closed = self._loop.run_in_executor(self._thread, self._open.close)
            self._thread.end()
        if not self._is_abandoned:
            await asyncio.shield(self.closed)

    async def call(self, function: Callable[..., T], /, *arguments: object) -> T:
        """Call something of the engine in its thread. If the task is cancelled, an async handler is, too.

        It ends when what was handled is committed; if the task is cancelled again, it ends at once.
        """
        if self.closed is not None:
            raise InboxError("the inbox was closed while its deliveries were handled")
        running = self._loop.run_in_executor(self._thread, function, *arguments)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            self._is_cancelled = True
            self.stop.set()
            for one in tuple(self._awaited):
                one.cancel()
            self._is_abandoned = True
            await asyncio.wait([running])
            self._is_abandoned = False
            running.exception()
            raise

    def _connect(self) -> Connection:
        self._connected.close()
        return self._connected.enter_context(runner_connection(self._store))

    def _wait_for(self, result: Coroutine[Any, Any, object]) -> None:
        """Let the event loop await it, and wait here until it has ended: it may write until then, even if it is cancelled."""
        try:
            error = asyncio.run_coroutine_threadsafe(self._await(result), self._loop).result()
        except CancelledError:
            raise Cancelled from None
        if issubclass(type(error), asyncio.CancelledError):
            raise Cancelled if self._is_cancelled else HandlerExit("a handler cancelled its own task") from error
        if error is not None:
            raise error

    async def _await(self, result: Coroutine[Any, Any, object]) -> BaseException | None:
        """Return what a handler raised. A future would take some errors for others, such as for a cancellation of its own."""
        if self._is_cancelled:
            result.close()
            raise asyncio.CancelledError
        awaited = asyncio.ensure_future(result)
        self._awaited.add(awaited)
        try:
            await awaited
        except (Exception, asyncio.CancelledError) as error:
            if (this := asyncio.current_task()) is not None and this.cancelling():
                raise
            return error
        finally:
            self._awaited.discard(awaited)
        return None
