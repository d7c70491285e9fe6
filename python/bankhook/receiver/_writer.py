# SPDX-License-Identifier: MIT
"""Group commit: requests that wait for the store share one append, and so one sync of the disk."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from bankhook.inbox import Delivery, DeliveryStore, InboxError, TooLarge
from bankhook.receiver._log import Log
from bankhook.receiver._metrics import Metrics
from bankhook.receiver._requests import TurnedAway

BATCH_LIMIT = 512  # deliveries
BATCH_BYTES = 8 << 20
APPEND_SECONDS = 5.0  # that the store may take for an append, which may wait for a handler's transaction
MARK_SECONDS = 3.0  # and for a marker
PAUSE_SECONDS = 5.0
"""How long what was tried last says whether the store can write: without deliveries a marker has to show it."""
LOOK_SECONDS = 1.0  # that somebody waits who asks
CHECK_SECONDS = 15.0  # after which another store's check is given up
STOP_SECONDS = 10.0


class _Waiting(NamedTuple):
    """A delivery that waits for the store."""

    stored: asyncio.Future[int]
    delivery: Delivery
    on_end: Callable[[], None]
    deadline: float
    """In the time of the event loop."""


class Writer:
    """The one task that appends to the inbox, with a bounded queue before it."""

    def __init__(self, inbox: DeliveryStore, metrics: Metrics, log: Log, *, max_waiting: int) -> None:
        """Take the inbox, what counts, where problems are logged, and how many deliveries may wait."""
        self._inbox, self._metrics, self._log, self._max_waiting = inbox, metrics, log, max_waiting
        self._waiting: deque[_Waiting] = deque()
        self._batch: Sequence[_Waiting] = ()
        """What the store has been given."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False
        self._tried, self._limit = -math.inf, 0.0
        self._is_trying = self._has_failed = False
        self._marking: asyncio.Task[None] | None = None
        metrics.waiting = lambda: len(self._waiting)

    @property
    def can_write(self) -> bool:
        """Whether it runs, and the last write has succeeded or does not take too long."""
        is_late = self._is_trying and time.monotonic() - self._tried > self._limit
        return self._is_running and not self._has_failed and not is_late

    @property
    def has_died(self) -> bool:
        """Whether it does not run any more, although nobody has closed it."""
        return self._task is not None and self._task.done() and not self._is_closing

    @property
    def _is_running(self) -> bool:
        return self._task is not None and not self._task.done() and not self._is_closing

    def start(self) -> None:
        """Start the task in the running event loop."""
        self._is_closing = False
        self._wake = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="bankhook: append to the inbox")

    async def close(self) -> None:
        """Take no more, store what waits, and end the task; a store that hangs is given up after some seconds."""
        self._is_closing = True
        self._wake.set()
        if self._marking is not None:
            self._marking.cancel()
        if self._task is not None:
            _, late = await asyncio.wait((self._task,), timeout=STOP_SECONDS)
            for task in late:
                task.cancel()
                await asyncio.wait((task,))

    async def append(self, delivery: Delivery, /, *, seconds: float, on_end: Callable[[], None] = lambda: None) -> int:
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
        self._waiting.append(_Waiting(stored, delivery, on_end, loop.time() + seconds))
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
            self._has_failed = True
            _fail(one.stored, _unavailable("the store does not answer"))

    def start_look(self) -> None:
        """Let the store write a marker, unless what was tried last is recent, or not done."""
        is_due = not self._is_trying and time.monotonic() - self._tried >= PAUSE_SECONDS
        if self._is_running and is_due and (self._marking is None or self._marking.done()):
            self._marking = asyncio.create_task(self._mark(), name="bankhook: check the inbox")

    async def look(self) -> None:
        """The same, and wait for the marker, but not for long."""
        self.start_look()
        if self._marking is not None:
            await asyncio.wait([self._marking], timeout=LOOK_SECONDS)

    async def _mark(self) -> None:
        try:
            with self._trying(MARK_SECONDS):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._inbox.check()
        except Exception as error:
            self._log_failure(error)

    @contextlib.contextmanager
    def _trying(self, seconds: float) -> Generator[None]:
        """Remember whether the store can write, for which it has so long; what was tried last counts."""
        began = self._tried = time.monotonic()
        self._limit, self._is_trying, has_failed = seconds, True, True
        try:
            yield
            has_failed = False
        except TooLarge:  # the store has answered
            has_failed = False
            raise
        finally:
            if self._tried == began:
                self._is_trying, self._has_failed = False, has_failed

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
            size += len(batch[-1].delivery.body)
        return batch

    async def _store(self, batch: Sequence[_Waiting]) -> None:
        try:
            with self._trying(APPEND_SECONDS):
                numbers = await self._inbox.append([one.delivery for one in batch])
        except Exception as error:
            if len(batch) > 1 and (isinstance(error, TooLarge) or not isinstance(error, InboxError)):
                for one in batch:  # one delivery that a store cannot take must not fail the others
                    await self._store([one])
            elif isinstance(error, TooLarge):
                _fail(batch[0].stored, TurnedAway(413, "the store takes no delivery of this size"))
            else:
                self._fail_all(batch, error)
        except BaseException as error:
            self._fail_all(batch, error)
            raise
        else:
            self._metrics.batches.observe(len(batch))
            for one, number in zip(batch, numbers, strict=True):
                if not one.stored.done():
                    one.stored.set_result(number)

    def _fail_all(self, batch: Sequence[_Waiting], error: BaseException) -> None:
        self._log_failure(error, deliveries=len(batch))
        for one in batch:
            _fail(one.stored, _unavailable("the store cannot write"))

    def _log_failure(self, error: BaseException, **details: object) -> None:
        name = type(error).__name__  # the text of an InboxError has no personal value, that of another error may have
        why = str(error) if isinstance(error, InboxError) else name
        self._log.problem(logging.ERROR, f"the inbox cannot write: {why}", error=name, **details)


def _unavailable(reason: str) -> TurnedAway:
    return TurnedAway(503, reason, {"retry-after": "1"})


def _fail(stored: asyncio.Future[int], error: TurnedAway) -> None:
    with contextlib.suppress(asyncio.InvalidStateError):
        stored.set_exception(error)
        stored.exception()  # nobody may wait for it any more
