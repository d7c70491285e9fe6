# SPDX-License-Identifier: MIT
"""Handles pending deliveries: those of a member in order, members beside each other, all of it in as few commits as possible.

Workers, which are threads, take deliveries from what was read, call handlers, and note what came of it; one more thread, which
calls `batch`, reads and commits. Nobody waits for what waits for him:

- The lock guards what is in memory. Who has it may read from the database, and commit; no handler is called meanwhile by whoever
  has it, and it is never taken by a thread that runs an event loop.
- The turn is that of the one connection that writes. It is taken without the lock, in the order of asking, and kept from the
  first `begin` of a delivery until its handlers have ended, or for a commit. Whoever has it may wait for the lock, never the
  reverse. A handler that keeps it for too long loses it, with the connection.
- If anything goes wrong with the connection, the unit is over: nothing of what was not committed counts, and all of it is
  handled again, from what is stored. Handlers that run meanwhile are let run; what comes of them is forgotten, and nothing
  else of their member is handled before they have ended.
"""

from __future__ import annotations

import contextvars
import dataclasses
import datetime
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection

from bankhook._core import AnyEvent, parse
from bankhook._handlers import Handlers
from bankhook._handlers._registration import Call
from bankhook._records.errors import ParseError
from bankhook._records.stored import StoredDelivery
from bankhook.inbox._contained import finish, start
from bankhook.inbox._examination import about
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.database import Database, failures
from bankhook.inbox._sql.handled import Handled
from bankhook.inbox._sql.pending import BATCH, Owner, Pending, owner_of
from bankhook.inbox._sql.threads import Thread
from bankhook.inbox._sql.types import shortened
from bankhook.inbox._sql.unit import Unit, UnitBroken, Writes

__all__ = ["Cancelled", "Runner"]

# A batch ends after this time, so that a crash repeats little and, if its handlers are quick, nobody waits long to write.
BATCH_SECONDS = 0.1
TICK_SECONDS = 0.005
# Deliveries that a worker handles in a tick if nothing makes it wait: more workers would only wait for each other.
QUICK = 10


class Cancelled(BaseException):
    """The task that runs the handlers was cancelled; no handler can catch it by mistake."""


class CannotUndo(Exception):
    """A handler failed for a delivery, and left the transaction so that nothing of the batch can be stored."""

    def __init__(self, writes: Writes, error: Exception) -> None:
        super().__init__(writes.delivery.number)
        self.delivery, self.who, self.error = writes.delivery, writes.who, error


@dataclasses.dataclass
class Lane:
    """Of whom a delivery is handled, and what comes next of the same."""

    owner: Owner
    next: deque[StoredDelivery] = dataclasses.field(default_factory=deque[StoredDelivery])


@dataclasses.dataclass
class Job:
    """A delivery for which handlers are to be called."""

    lane: Lane
    delivery: StoredDelivery
    event: AnyEvent
    calls: list[Call]
    writes: Writes


class Runner:
    """Calls handlers for what is pending.

    Parameters
    ----------
    connect : callable
        Makes this the only runner of the inbox, on a new connection; what it returned before is closed.
    wait_for : callable
        Waits until the event loop has run a coroutine.
    stop : threading.Event
        Whether no more handlers are called.
    concurrency : int
        For how many deliveries handlers are called at the same time.
    until_now : bool
        Whether deliveries that come later are left alone.
    """

    def __init__(
        self,
        database: Database,
        connect: Callable[[], Connection],
        wait_for: Callable[[Coroutine[Any, Any, object]], object],
        stop: threading.Event,
        *,
        handlers: Handlers,
        retries: Retries,
        concurrency: int = 1,
        until_now: bool = False,
    ) -> None:
        self._database, self._connect, self._wait_for, self._stop = database, connect, wait_for, stop
        self._handlers, self._retries, self._concurrency = handlers, retries, concurrency
        self._context = contextvars.copy_context()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._ready: deque[StoredDelivery] = deque()
        self._lanes: dict[Owner, Lane] = {}
        self._workers = self._count = 0
        self._problem: BaseException | None = None
        self._begin_again()
        self._pending = Pending(database, until_now=until_now)
        self._begins = Thread("bankhook-inbox-begin")

    def _begin_again(self) -> None:
        """Begin with what is stored."""
        unit = Unit(self._database, self._connect())
        handled = Handled(self._database, self._handlers, self._retries)
        with self._lock:
            self._unit, self.handled, self._problem = unit, handled, None

    def batch(self) -> tuple[int, int]:
        """Handle what comes next; how many deliveries were looked at, and how many are no longer pending.

        It does not wait for handlers that take long, unless it is to stop. If it raises, it may be called again.
        """
        with failures("cannot handle deliveries"):
            if self._problem is not None and not self._stop.is_set():
                self._begin_again()
                self._pending.reset()
            is_free = not self._ready and len(self._lanes) < self._concurrency and not self._stop.is_set()
            return self._handle(self._read() if is_free else ())

    def next(self) -> Sequence[StoredDelivery]:
        """Return what comes next."""
        found = self._read()
        if self._problem is not None:
            raise self._problem
        return found

    def _read(self) -> Sequence[StoredDelivery]:
        with self._lock:
            try:
                if sum(len(lane.next) for lane in self._lanes.values()) > BATCH:
                    self._let_come_back()
                if found := self._pending.next(_now(), self._lanes.keys() | self.handled.owners):
                    self._pending.passed(found[-1].number)
                    about = [(one.member, one.key) for one in found if one.member is not None and one.key is not None]
                    self._unit.look_up([key for one in about for key in self._handlers.keys(*one)])
            except BaseException as error:
                self._give_up(error)
                return ()
            return found

    def has_to_wait(self, delivery: StoredDelivery) -> bool:
        """Whether a delivery that is next is not to be handled yet; `handle` leaves it alone then."""
        with self._lock:
            return self._pending.is_blocked(delivery, _now())

    def earliest_retry(self) -> datetime.datetime | None:
        """Return when the next retry is due; None if no delivery waits for one."""
        return self._pending.earliest_retry()

    def handle(self, delivery: StoredDelivery) -> None:
        """Handle a delivery."""
        with failures("cannot handle deliveries"):
            found = [delivery]
            while self._handle(found)[0]:
                found = []

    def close(self) -> None:
        """Wait for the handlers that were called, and forget what was not stored."""
        self._stop.set()
        with self._changed:
            self._changed.wait_for(lambda: not self._workers)
        with suppress(Exception):
            self._unit.end()
        self._begins.shutdown()

    def _handle(self, found: Sequence[StoredDelivery]) -> tuple[int, int]:
        end = time.monotonic() + BATCH_SECONDS
        with self._changed:
            self._ready.extend(found)
            looked_at = len(self._ready) + len(self._lanes) + (not self.handled.results.is_empty)
            seen, workers = self._count, self._workers
            if self._ready and not workers:
                self._start_workers(1)
            while self._workers and self._problem is None:
                self._changed.wait(TICK_SECONDS if self._ready else 4 * TICK_SECONDS)
                if (user := self._unit.user) is not None and user.is_overdue:
                    self._give_up(CannotUndo(user, TimeoutError("the handlers kept the transaction for too long")))
                moved, seen = self._count - seen, self._count
                are_fewer, workers = self._workers < workers, self._workers
                if self._stop.is_set():
                    self._ready.clear()
                    continue
                if self._ready:
                    if moved == 0 or (moved < QUICK * workers and not self._unit.turns.is_wanted):
                        self._start_workers(workers)
                elif are_fewer or (moved == 0 and (found or not self.handled.results.is_empty)):
                    break
                if time.monotonic() > end:
                    break
        self._solve_or_store()
        ended, self.handled.ended = self.handled.ended, 0
        return looked_at, ended

    def _solve_or_store(self) -> None:
        if self._problem is None and self._unit.turns.take_if_free():
            with self._lock:
                if not self._unit.is_over:
                    self._store()
            self._unit.turns.release()
        if self._problem is not None:
            with suppress(Exception):  # whatever the state of the connection
                self._unit.end()
            if not isinstance(self._problem, CannotUndo):
                raise self._problem
            try:
                self._fail_alone(self._problem)
            except BaseException as error:
                self._problem = error
                raise

    def _start_workers(self, count: int) -> None:
        for _ in range(min(count, self._concurrency - self._workers)):
            self._workers += 1
            run = self._context.copy().run
            threading.Thread(target=run, args=(self._work,), name="bankhook-inbox-handlers", daemon=True).start()

    def _work(self) -> None:
        job: Job | None = None
        while (job := self._take(None if job is None else job.lane)) is not None:
            self._settle(job, contextvars.copy_context().run(self._call, job))

    def _take(self, lane: Lane | None) -> Job | None:
        """The next delivery that handlers are called for: of the same lane, or the first that is ready; None ends the worker."""
        with self._lock:
            try:
                while self._problem is None and not self._stop.is_set():
                    if lane is None or not lane.next:
                        if lane is not None:
                            del self._lanes[lane.owner]
                        if (lane := self._first_lane()) is None:
                            break
                    delivery = lane.next.popleft()
                    if (
                        not self._pending.is_blocked(delivery, _now())
                        and (job := self._prepare(delivery, lane)) is not None
                    ):
                        return job
            except BaseException as error:
                self._give_up(error)
            if lane is not None:
                del self._lanes[lane.owner]
            self._workers -= 1
            if not self._workers:
                self._changed.notify_all()
            return None

    def _first_lane(self) -> Lane | None:
        """A new lane, of the first delivery that is ready and does not belong to another lane."""
        while self._ready and self._has_room(self._ready[0]):
            delivery = self._ready.popleft()
            owner = owner_of(delivery.number, delivery.member)
            if owner not in self._lanes:
                lane = self._lanes[owner] = Lane(owner, deque([delivery]))
                return lane
            self._lanes[owner].next.append(delivery)
        return None

    def _has_room(self, first: StoredDelivery) -> bool:
        return first.member is None or self.handled.make_room(
            first.member, (one.member for one in self._ready), self._lanes
        )

    def _prepare(self, delivery: StoredDelivery, lane: Lane) -> Job | None:
        """What is to be done for a delivery; None if no handler is called."""
        try:
            event = parse(delivery.body)
        except ParseError as error:  # another version of the library stored it
            self.handled.results.quarantine(delivery, error)
            self.handled.owners.add(lane.owner)
            return None
        member, key = about(event)
        if member is not None and delivery.member is None:  # an older version may not have known the event
            delivery = delivery.replace(event=event.event, member=(owner := shortened(member)), key=key)
            self.handled.results.adopt(delivery)
            self.handled.owners |= {lane.owner, owner}
            if self._pending.is_adopted_late(delivery, self._lanes):
                return None
            del self._lanes[lane.owner]
            lane.owner, self._lanes[owner] = owner, lane
            self.handled.members.prepare([owner])
        if calls := self.handled.calls(delivery, event, self._unit):
            return Job(lane, delivery, event, calls, Writes(self._unit, delivery, self._begins.submit))
        self.handled.succeed(delivery, event, ())
        return None

    def _call(self, job: Job) -> BaseException | None:
        """Call the handlers; what one raised, or is wrong with what they wrote."""
        writes = job.writes
        try:
            for call in job.calls:
                writes.who = f"handler {call.handler.name!r}"
                begin: Any = writes.begin_async if call.handler.is_async else writes.begin
                if (result := start(call, job.delivery, begin)) is not None:
                    self._wait_for(finish(result))
            writes.who = "a handler"  # what is wrong now, any of them may have left
            writes.keep()
        except BaseException as error:
            return error
        return None

    def _settle(self, job: Job, error: BaseException | None) -> None:
        writes, problem = job.writes, error
        if writes.failure is not None:
            problem = writes.failure  # the handler is not the cause, so this is no attempt
        elif isinstance(error, Exception | Cancelled):
            try:
                writes.undo()
                problem = None
            except UnitBroken:
                problem = CannotUndo(writes, error) if isinstance(error, Exception) else error
        with self._lock:
            self._count += 1
            writes.stop()
            try:
                if problem is not None:
                    self._give_up(problem, writes.unit)
                elif not writes.unit.is_over:
                    self._note(job, error)
            except BaseException as wrong:
                self._give_up(wrong)
        writes.release()

    def _note(self, job: Job, error: BaseException | None) -> None:
        if error is None:
            self.handled.succeed(job.delivery, job.event, job.calls)
        elif isinstance(error, Exception):
            self._fail(job.delivery, job.writes.who, error)
        if job.writes.has_begun and time.monotonic() - self._unit.began > BATCH_SECONDS:
            self._store()

    def _fail(self, delivery: StoredDelivery, who: str, error: Exception) -> None:
        if (retry_at := self.handled.fail(delivery, who, error)) is not None:
            self._pending.block(delivery, retry_at)

    def _store(self) -> None:
        """Store what was handled since the last time; this needs the turn."""
        try:
            self.handled.store(self._unit)
        except BaseException as error:
            self._give_up(error)

    def _give_up(self, problem: BaseException, unit: Unit | None = None) -> None:
        """Let nothing of what was not committed count; if a unit is given, unless that is over already."""
        if self._problem is None and unit in (None, self._unit):
            self._problem = problem
            self._unit.is_over = True
            self._unit.turns.end()
            self._ready.clear()
            for lane in self._lanes.values():
                lane.next.clear()
            self.handled.forget()
            self._changed.notify_all()

    def _let_come_back(self) -> None:
        """Forget what comes next of those of whom a delivery is handled; it is read again."""
        for owner, lane in self._lanes.items():
            if lane.next:
                lane.next.clear()
                self._pending.let_come_back(owner)

    def _fail_alone(self, broken: CannotUndo) -> None:
        """Store that a handler failed, after the rest of its batch was rolled back; that begins again.

        It may have cost the connection, so this makes a new one. If that fails, the store is away, and this is no attempt, or
        another process is the runner now.
        """
        delivery, unit = broken.delivery, Unit(self._database, self._connect())
        try:
            with self._lock:
                if delivery.member is not None:
                    self.handled.results.adopt(delivery)
                self._fail(delivery, broken.who, broken.error)
                self.handled.store(unit)
                self._pending.reset()
                self._unit, self._problem = unit, None
        finally:
            unit.close()


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
