# SPDX-License-Identifier: MIT
"""Group commit: requests that wait for the store share one append, and so one sync of the disk."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bankhook.inbox import Arrival, Inbox, InboxError
from bankhook.receiver._log import Log
from bankhook.receiver._metrics import Metrics
from bankhook.receiver._requests import TurnedAway

BATCH_LIMIT = 512  # deliveries
BATCH_BYTES = 8 << 20
RED_SECONDS = 10.0
"""How long a failed write counts: without requests no write would ever show that the store has recovered."""
STOP_SECONDS = 10.0


class _Waiting(NamedTuple):
    """A delivery that waits for the store."""

    stored: asyncio.Future[int]
    arrival: Arrival
    on_end: Callable[[], None]
    deadline: float
    """In the time of the event loop."""


class Writer:
    """The one task that appends to the inbox, with a bounded queue before it."""

    def __init__(self, inbox: Inbox, metrics: Metrics, log: Log, *, max_waiting: int) -> None:
        """Take the inbox, what counts, where problems are logged, and how many deliveries may wait."""
        self._inbox, self._metrics, self._log, self._max_waiting = inbox, metrics, log, max_waiting
        self._waiting: deque[_Waiting] = deque()
        self._batch: Sequence[_Waiting] = ()
        """What the store has been given."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False
        self._failed_at: float | None = None
        metrics.waiting.set_function(lambda: len(self._waiting))

    @property
    def can_write(self) -> bool:
        """Whether it runs and no write has failed in the last seconds."""
        if self._task is None or self._task.done() or self._is_closing:
            return False
        return self._failed_at is None or time.monotonic() - self._failed_at > RED_SECONDS

    def start(self) -> None:
        """Start the task in the running event loop."""
        self._is_closing = False
        self._wake = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="bankhook: append to the inbox")

    async def close(self) -> None:
        """Take no more, store what waits, and end the task; a store that hangs is given up after some seconds."""
        self._is_closing = True
        self._wake.set()
        if self._task is not None:
            _, late = await asyncio.wait((self._task,), timeout=STOP_SECONDS)
            for task in late:
                task.cancel()
                await asyncio.wait((task,))

    async def append(self, arrival: Arrival, /, *, seconds: float, on_end: Callable[[], None] = lambda: None) -> int:
        """Return the number of the delivery once it is durable; TurnedAway (503) if it cannot be stored.

        It may be stored even if this is cancelled, or takes too long while the store is at it. So `on_end` is called, in any
        case and only once, when the writer no longer has the delivery.
        """
        try:
            self.check()
            if len(self._waiting) >= self._max_waiting:
                raise _unavailable("too many deliveries wait for the store")
        except TurnedAway:
            on_end()
            raise
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[int] = loop.create_future()
        self._waiting.append(_Waiting(stored, arrival, on_end, loop.time() + seconds))
        self._wake.set()
        return await stored

    def check(self) -> None:
        """Raise TurnedAway (503) if it does not run."""
        if self._task is None:
            raise _unavailable("the receiver is not running: pass lifespan=receiver.lifespan to the application")
        if self._is_closing or self._task.done():
            raise _unavailable("the receiver is not running")

    def end_late(self, now: float) -> None:
        """Turn away (503) what has waited too long. What the store has by then may be stored nevertheless."""
        late = [one for one in self._batch if one.deadline <= now and not one.stored.done()]
        while self._waiting and self._waiting[0].deadline <= now:
            late.append(self._waiting.popleft())
            late[-1].on_end()
        for one in late:
            self._failed_at = time.monotonic()
            _fail(one.stored, _unavailable("the store does not answer"))

    async def _run(self) -> None:
        try:
            while self._waiting or not self._is_closing:
                if not self._waiting:
                    self._wake.clear()
                    await self._wake.wait()
                else:
                    self._batch = self._take()
                    try:
                        await self._store(self._batch)
                    finally:
                        for one in self._batch:
                            one.on_end()
                        self._batch = ()
        finally:
            for one in self._waiting:
                _fail(one.stored, _unavailable("the receiver stopped"))
                one.on_end()
            self._waiting.clear()

    def _take(self) -> list[_Waiting]:
        """Take from the queue what is stored next; a request that was cancelled is stored, too, since its body was complete."""
        batch, size = [self._waiting.popleft()], 0
        while self._waiting and len(batch) < BATCH_LIMIT and size < BATCH_BYTES:
            batch.append(self._waiting.popleft())
            size += len(batch[-1].arrival.body)
        return batch

    async def _store(self, batch: Sequence[_Waiting]) -> None:
        try:
            numbers = await self._inbox.append([one.arrival for one in batch])
        except Exception as error:
            if len(batch) > 1 and not isinstance(error, InboxError):
                for one in batch:  # one delivery that a store cannot take must not fail the others
                    await self._store([one])
            else:
                self._fail_all(batch, error)
        except BaseException as error:
            self._fail_all(batch, error)
            raise
        else:
            self._failed_at = None
            self._metrics.batches.observe(len(batch))
            for one, number in zip(batch, numbers, strict=True):
                if not one.stored.done():
                    one.stored.set_result(number)

    def _fail_all(self, batch: Sequence[_Waiting], error: BaseException) -> None:
        self._failed_at = time.monotonic()
        name = type(error).__name__  # the text of an InboxError has no personal value, that of another error may have
        why = str(error) if isinstance(error, InboxError) else name
        self._log.problem(logging.ERROR, f"the inbox cannot write: {why}", error=name, deliveries=len(batch))
        for one in batch:
            _fail(one.stored, _unavailable("the store cannot write"))


def _unavailable(reason: str) -> TurnedAway:
    return TurnedAway(503, reason, {"retry-after": "1"})


def _fail(stored: asyncio.Future[int], error: TurnedAway) -> None:
    with contextlib.suppress(asyncio.InvalidStateError):
        stored.set_exception(error)
        stored.exception()  # nobody may wait for it any more
