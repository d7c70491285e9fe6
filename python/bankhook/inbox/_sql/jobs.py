# SPDX-License-Identifier: MIT
"""A delivery for which handlers are called, and how that may end."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from inspect import isawaitable
from typing import Any

from sqlalchemy import URL

from bankhook._core import AnyEvent
from bankhook._handlers._registration import Call
from bankhook.inbox._contained import contained, finish
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.pending import Owner
from bankhook.inbox._sql.unit import Writes

CANCEL_SECONDS = 1.0  # until a handler that was cancelled has to have ended
LOOK_SECONDS = 0.05  # between looks whether an async handler is late


class Cancelled(BaseException):
    """The task that runs the handlers was cancelled; no handler can catch it by mistake."""


class CannotUndo(Exception):
    """A handler failed for a delivery, and left the transaction so that nothing of the batch can be stored."""

    def __init__(self, writes: Writes, error: Exception) -> None:
        super().__init__(writes.delivery.number)
        writes.is_over = True
        self.delivery, self.who, self.error = writes.delivery, writes.who, error


calling: ContextVar[Writes | None] = ContextVar("calling", default=None)
"""Whose handlers run this."""


def is_called(url: URL) -> bool:
    """Whether a handler of this inbox calls it."""
    writes = calling.get()
    return writes is not None and not writes.has_ended and writes.unit.store.url == url


def check_caller(url: URL) -> None:
    """InboxError within a transaction of a handler of the same inbox: in SQLite it would wait for itself."""
    writes = calling.get()
    if writes is not None and writes.has_begun and is_called(url):
        raise InboxError("a handler that has begun its transaction cannot write to its own inbox: do that before `begin`")


@dataclasses.dataclass
class Job:
    """A delivery for which handlers are to be called."""

    owner: Owner
    event: AnyEvent
    calls: list[Call]
    writes: Writes
    timeout: float | None = None  # the seconds that a handler may take
    seconds_to_end: float = 0.0  # that a handler has after it was cancelled
    is_cancelled: bool = False

    def call(self, wait_for: Callable[[Coroutine[Any, Any, object]], None]) -> BaseException | None:
        """Call the handlers; what one raised, or is wrong with what they wrote."""
        writes = self.writes
        calling.set(writes)
        try:
            for call in self.calls:
                writes.who = f"handler {call.handler.name!r}"
                writes.called.start()
                begin: Any = writes.begin_async if call.handler.is_async else writes.begin
                with contained():
                    result = call.run(writes.delivery, begin)
                if isawaitable(result):  # also of a handler that is not declared async
                    self.seconds_to_end = CANCEL_SECONDS
                    wait_for(self._finish(result))
                if self.is_late():
                    raise self.lateness
            writes.who = "a handler"  # what is wrong now, any of them may have left
            writes.keep()
        except BaseException as error:
            return self.lateness if isinstance(error, Exception) and self.is_late() else error
        return None

    async def _finish(self, result: Awaitable[object]) -> None:
        """Await what a handler returned, and cancel it when it has taken too long."""
        task = asyncio.current_task()
        if task is None or self.timeout is None:
            return await finish(result)

        async def cancel() -> None:
            while not self.is_late():
                await asyncio.sleep(LOOK_SECONDS)
            self.is_cancelled = task.cancel()

        watching = asyncio.create_task(cancel())
        try:
            await finish(result)
        except asyncio.CancelledError:
            if not self.is_cancelled or task.uncancel():
                raise
        finally:
            watching.cancel()

    def is_late(self, seconds: float = 0.0) -> bool:
        """Whether a handler has taken longer than it may, and so many seconds more."""
        return self.timeout is not None and self.writes.called.seconds >= self.timeout + seconds

    @property
    def lateness(self) -> TimeoutError:
        """What a handler has raised that is late."""
        return TimeoutError(f"it took longer than {self.timeout:g} seconds")

    def overdue(self, turn: float) -> TimeoutError | None:
        """The same if it did not end when it was cancelled, or keeps its transaction for longer than this."""
        if self.is_late(self.seconds_to_end):
            return self.lateness
        return TimeoutError("the handlers kept the transaction for too long") if self.writes.seconds > turn else None
