# SPDX-License-Identifier: MIT
"""A runner in a thread of its own, for the event loop: async handlers are awaited there, and a cancelled batch ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Executor, Future
from contextlib import ExitStack
from queue import SimpleQueue
from typing import Any, Self, TypeVar

from sqlalchemy import Connection

from bankhook._handlers import Handlers
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.lock import only_runner
from bankhook.inbox._sql.runner import Runner

__all__ = ["Worker"]

T = TypeVar("T")
Task = tuple[Future[Any], Callable[[], Any]]


class Cancelled(BaseException):
    """The task that waits for a batch was cancelled; no handler can catch it by mistake, and the batch is rolled back."""


class Worker:
    """`async with` makes a runner, the only one of the inbox, and ends it."""

    def __init__(self, database: Database, handlers: Handlers, retries: Retries, *, until_now: bool = False) -> None:
        self._database, self._handlers, self._retries, self._until_now = database, handlers, retries, until_now
        self._loop = asyncio.get_running_loop()
        self._thread = _Thread()
        self._open = ExitStack()
        self._awaited: Future[object] | None = None
        self._is_cancelled = False
        self._is_abandoned = False
        self.closed: asyncio.Future[None] | None = None
        self.runner: Runner

    async def __aenter__(self) -> Self:
        """Connect, and lock out other runners."""
        try:
            self.runner = await self.call(self._start)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Unlock and disconnect; if a handler does not end, the thread does that after it, or the end of the process."""
        if self.closed is None:
            self.closed = self._loop.run_in_executor(self._thread, self._open.close)
            self._thread.shutdown()
        if not self._is_abandoned:
            await asyncio.shield(self.closed)

    async def call(self, function: Callable[..., T], /, *arguments: object) -> T:
        """Call something of the runner in its thread. If the task is cancelled, an async handler is, too.

        It ends when the batch is committed or rolled back; if the task is cancelled again, it ends at once.
        """
        if self.closed is not None:
            raise InboxError("the inbox was closed while its deliveries were handled")
        running = self._loop.run_in_executor(self._thread, function, *arguments)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            self._is_cancelled = True
            if self._awaited is not None:
                self._awaited.cancel()
            self._is_abandoned = True
            await asyncio.wait([running])
            self._is_abandoned = False
            running.exception()
            raise

    def _start(self) -> Runner:
        return Runner(
            self._database, self._connect, self._handlers, self._retries, self._wait_for, until_now=self._until_now
        )

    def _connect(self) -> Connection:
        self._open.close()
        return self._open.enter_context(only_runner(self._database))

    def _wait_for(self, result: Coroutine[Any, Any, object]) -> object:
        """Let the event loop await it, and wait here."""
        self._awaited = asyncio.run_coroutine_threadsafe(result, self._loop)
        if self._is_cancelled:
            self._awaited.cancel()
        try:
            return self._awaited.result()
        except CancelledError:
            if self._is_cancelled:
                raise Cancelled from None
            raise
        finally:
            self._awaited = None


class _Thread(Executor):
    """Runs what is submitted, in order. Unlike the threads of ThreadPoolExecutor, Python does not wait for it at exit."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        threading.Thread(target=_work, args=(self._tasks,), name="bankhook-inbox-runner", daemon=True).start()

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Run a function after what was submitted before."""
        future: Future[T] = Future()
        self._tasks.put((future, lambda: function(*arguments, **named)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the thread once it has run what was submitted; this waits for nothing, and cancels nothing."""
        self._tasks.put(None)


def _work(tasks: SimpleQueue[Task | None]) -> None:
    while (task := tasks.get()) is not None:
        future, call = task
        if future.set_running_or_notify_cancel():
            try:
                result = call()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
        del task, future, call  # whoever waits has what it needs; the next task may be long in coming
