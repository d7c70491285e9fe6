# SPDX-License-Identifier: MIT
"""Group commit: requests that wait for the store share one append, and so one sync of the disk."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from bankhook.inbox import Arrival, Inbox, InboxError
from bankhook.receiver._log import Log
from bankhook.receiver._metrics import Metrics
from bankhook.receiver._requests import TurnedAway

__all__ = ["Writer"]

BATCH_LIMIT = 512  # deliveries
BATCH_BYTES = 8 << 20
RED_SECONDS = 10.0
"""How long a failed write counts: without requests no write would ever show that the store has recovered."""
STOP_SECONDS = 10.0

_Waiting = tuple[asyncio.Future[int], Arrival]


class Writer:
    """The one task that appends to the inbox, with a bounded queue before it."""

    def __init__(self, inbox: Inbox, metrics: Metrics, log: Log, *, max_waiting: int) -> None:
        """Take the inbox, what counts, where problems are logged, and how many deliveries may wait."""
        self._inbox, self._metrics, self._log, self._max_waiting = inbox, metrics, log, max_waiting
        self._waiting: OrderedDict[asyncio.Future[int], Arrival] = OrderedDict()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False
        self._failed_at: float | None = None
        metrics.watch_queue(lambda: len(self._waiting))

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
            stored = self._put(arrival)
        except TurnedAway:
            on_end()
            raise
        stored.add_done_callback(lambda _: on_end())
        await asyncio.wait((stored,), timeout=seconds)
        if stored.done():
            return stored.result()
        self._failed_at = time.monotonic()
        if self._waiting.pop(stored, None) is not None:
            stored.cancel()
        raise _unavailable("the store does not answer")

    def _put(self, arrival: Arrival) -> asyncio.Future[int]:
        if self._task is None or self._is_closing or self._task.done():
            raise _unavailable("the receiver is not running")
        if len(self._waiting) >= self._max_waiting:
            raise _unavailable("too many deliveries wait for the store")
        stored: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting[stored] = arrival
        self._wake.set()
        return stored

    async def _run(self) -> None:
        try:
            while self._waiting or not self._is_closing:
                if not self._waiting:
                    self._wake.clear()
                    await self._wake.wait()
                elif batch := self._take():
                    await self._store(batch)
        finally:
            for stored in self._waiting:
                _fail(stored, _unavailable("the receiver stopped"))
            self._waiting.clear()

    def _take(self) -> list[_Waiting]:
        """Take from the queue what is stored next; a request that was cancelled is stored, too, since its body was complete."""
        batch, size = [self._waiting.popitem(last=False)], 0
        while self._waiting and len(batch) < BATCH_LIMIT and size < BATCH_BYTES:
            batch.append(self._waiting.popitem(last=False))
            size += len(batch[-1][1].body)
        return batch

    async def _store(self, batch: Sequence[_Waiting]) -> None:
        try:
            numbers = await self._inbox.append([arrival for _, arrival in batch])
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
            self._metrics.stored(len(batch))
            for (stored, _), number in zip(batch, numbers, strict=True):
                if not stored.done():
                    stored.set_result(number)

    def _fail_all(self, batch: Sequence[_Waiting], error: BaseException) -> None:
        self._failed_at = time.monotonic()
        name = type(error).__name__  # the text of an InboxError has no personal value, that of another error may have
        why = str(error) if isinstance(error, InboxError) else name
        self._log.problem(logging.ERROR, f"the inbox cannot write: {why}", error=name, deliveries=len(batch))
        for stored, _ in batch:
            _fail(stored, _unavailable("the store cannot write"))


def _unavailable(reason: str) -> TurnedAway:
    return TurnedAway(503, reason, (b"retry-after", b"1"))


def _fail(stored: asyncio.Future[int], error: TurnedAway) -> None:
    with contextlib.suppress(asyncio.InvalidStateError):
        stored.set_exception(error)
        stored.exception()  # nobody may wait for it any more
