# SPDX-License-Identifier: MIT
"""The threads that call handlers: each takes what was read, of a member in order, and notes what came of it.

How they, the thread that reads and commits, and whoever has the connection wait for each other stands in `runner`.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bankhook._core import parse
from bankhook._handlers import Handlers
from bankhook._records.errors import ParseError, SnapshotError
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._examination import about, why_rejected
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.handled import Handled, HandledElsewhere
from bankhook.inbox._sql.jobs import Cancelled, CannotUndo, Job
from bankhook.inbox._sql.pending import Owner, Pending, owner_of
from bankhook.inbox._sql.rows import UnreadableRow, findings_of
from bankhook.inbox._sql.threads import Thread
from bankhook.inbox._sql.types import now, shortened
from bankhook.inbox._sql.unit import Unit, Writes

# A batch ends after this time, so that a crash repeats little and, if its handlers are quick, nobody waits long to write.
BATCH_SECONDS = 0.1
CAREFUL = 500  # deliveries that are stored one by one after a commit that failed


class Workers:
    """Calls handlers for what was read.

    Parameters
    ----------
    connect : callable
        Makes a new connection; in SQLite, this is the only runner. What it returned before is closed.
    wait_for : callable
        Waits until the event loop has run a coroutine, and raises what that raises.
    stop : threading.Event
        Whether no more handlers are called.
    concurrency : int
        For how many deliveries handlers are called at the same time.
    until_now : bool
        Whether deliveries that come later are left alone.
    timeout : float, optional
        The seconds that a handler may take.
    turn : float
        The seconds for which the handlers of a delivery may keep the transaction.
    """

    def __init__(
        self,
        database: Database,
        connect: Callable[[], Connection],
        wait_for: Callable[[Coroutine[Any, Any, object]], None],
        stop: threading.Event,
        *,
        handlers: Handlers,
        retries: Retries,
        concurrency: int = 1,
        until_now: bool = False,
        timeout: float | None = None,
        turn: float = 5.0,
    ) -> None:
        self._database, self._connect, self._wait_for, self._stop = database, connect, wait_for, stop
        self._handlers, self._retries, self._concurrency = handlers, retries, concurrency
        self.timeout, self._turn = timeout, turn
        self._context = contextvars.copy_context()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._ready: deque[Delivery] = deque()
        self._lanes: dict[Owner, deque[Delivery]] = {}  # what comes next of whom a delivery is handled
        self._called: dict[int, Job] = {}  # by the thread that does it
        self._workers = self._count = self._ended = 0
        self._problem: BaseException | None = None
        self._careful = 0
        self._most = max(16, concurrency)
        self.pending = Pending(database, lambda owners: self._unit.claim(owners), until_now=until_now)
        self._begin_again()
        self._begins = Thread("bankhook-inbox-begin")

    def _begin_again(self) -> None:
        """Begin with what is stored."""
        unit = Unit(self._database, self._connect())
        handled = Handled(self._database, self._handlers, self._retries)
        with self._lock:
            self._unit, self.handled, self._problem = unit, handled, None
            self.pending.reset()
            self._ready.clear()

    def _start_workers(self, count: int) -> None:
        """Start workers, without the lock: a thread takes a while to start, and those that run have to go on."""
        for _ in range(min(count, self._concurrency - self._workers)):
            self._workers += 1
            run = self._context.copy().run
            thread = threading.Thread(target=run, args=(self._work,), name="bankhook-inbox-handlers", daemon=True)
            try:
                self._lock.release()
                try:
                    thread.start()
                finally:
                    self._lock.acquire()
            except RuntimeError as error:  # there are as many as the system allows
                self._workers -= 1
                if not self._workers:
                    raise InboxError("cannot start a thread that calls handlers") from error
                return

    def _work(self) -> None:
        job: Job | None = None
        while (job := self._take(None if job is None else job.owner)) is not None:
            self._called[threading.get_ident()] = job
            error = contextvars.copy_context().run(job.call, self._wait_for)
            del self._called[threading.get_ident()]
            self._settle(job, error)

    def _take(self, owner: Owner | None) -> Job | None:
        """The next delivery that handlers are called for: of the same lane, or the first that is ready; None ends the worker."""
        with self._lock:
            try:
                while self._problem is None and not self._stop.is_set():
                    if owner is not None and not self._lanes[owner]:
                        del self._lanes[owner]
                        owner = None  # also if the next one cannot be loaded
                    if owner is None and (owner := self._first_lane()) is None:
                        break
                    delivery = self._lanes[owner].popleft()
                    if not self.pending.is_blocked(delivery, now()) and (job := self._prepare(delivery, owner)) is not None:
                        return job
            except BaseException as error:
                self._give_up(error)
            if owner is not None:
                del self._lanes[owner]
            self._workers -= 1
            if not self._workers:
                self._changed.notify_all()
            return None

    def _first_lane(self) -> Owner | None:
        """Whose lane is new: of the first delivery that is ready and does not belong to another lane."""
        while self._ready and self.handled.make_room((one.member for one in self._ready), self._lanes):
            delivery = self._ready.popleft()
            owner = owner_of(delivery.number, delivery.member)
            if owner not in self._lanes:
                self._lanes[owner] = deque([delivery])
                return owner
            self._lanes[owner].append(delivery)
        return None

    def _prepare(self, delivery: Delivery, owner: Owner) -> Job | None:
        """What is to be done for a delivery; None if no handler is called."""
        if delivery._unread is not None:
            self._fail(delivery, "its row", UnreadableRow(f"cannot read: {delivery._unread}"))
            return None
        try:
            event = parse(delivery.body)
        except ParseError as error:  # another version of the library stored it
            findings = findings_of(why_rejected(error))
            self.handled.change(delivery, state=DeliveryState.QUARANTINED.value, retry_at=None, **findings)
            return None
        member, key = about(event)
        if member is not None and delivery.member is None:  # an older version may not have known the event
            read = {"event": event.event, "member": shortened(member), "key": key}
            self.handled.change(delivery, **read)
            self.handled.owners.add(shortened(member))
            self.pending.let_come_back(delivery.replace(**read))  # in its turn among those of the member
            return None
        try:
            calls = self.handled.calls(delivery, event, self._unit)
        except SnapshotError as error:  # another version of the library wrote it, or it is damaged: others go on
            self._fail(delivery, "the state of its member", error)
            return None
        if calls:
            return Job(owner, event, calls, Writes(self._unit, delivery, self._begins.submit), self.timeout)
        self.handled.succeed(delivery, event, ())
        return None

    @property
    def longest(self) -> float:
        """The seconds for which the handler has run that was called first."""
        return max((job.writes.called.seconds for job in tuple(self._called.values())), default=0.0)

    def _let_go(self) -> None:
        """Count as failed whose handlers are late; their lanes stay closed until they end."""
        for job in tuple(self._called.values()):
            writes = job.writes
            if writes.is_over or self._problem is not None or not job.is_late(job.seconds_to_end):
                continue
            if writes is self._unit.user:
                self._give_up(CannotUndo(writes, job.lateness))
            elif (writes.unit is self._unit or self._database.is_sqlite) and writes.let_go():
                self._fail(writes.delivery, writes.who, job.lateness)

    def _settle(self, job: Job, error: BaseException | None) -> None:
        writes, problem = job.writes, error
        if writes.failure is not None:
            problem = writes.failure  # the handler is not the cause, so this is no attempt
        elif isinstance(error, Exception | Cancelled):
            if writes.undo():
                problem = None
            elif isinstance(error, Exception):
                problem = CannotUndo(writes, error)
        with self._lock:
            self._count += 1
            if writes.has_begun:
                writes.unit.user = None
            try:
                if problem is not None:
                    self._give_up(problem, writes.unit)
                elif not (writes.unit.turns.is_over or writes.is_over):
                    self._note(job, error)
            except BaseException as wrong:
                self._give_up(wrong)
        if writes.has_begun:
            writes.unit.turns.release()

    def _note(self, job: Job, error: BaseException | None) -> None:
        if error is None:
            self.handled.succeed(job.writes.delivery, job.event, job.calls)
        elif isinstance(error, Exception):
            self._fail(job.writes.delivery, job.writes.who, error)
        if job.writes.has_begun and (self._careful or time.monotonic() - self._unit.began > BATCH_SECONDS):
            self._store(job.writes if self._careful else None)
            self._careful = max(0, self._careful - 1)

    def _needed(self) -> set[Owner]:
        """Of whom something is handled, or not stored."""
        ready = {owner_of(one.number, one.member) for one in self._ready}
        return self._lanes.keys() | self.handled.owners | ready

    def _fail(self, delivery: Delivery, who: str, error: Exception) -> None:
        if (retry_at := self.handled.fail(delivery, who, error)) is not None:
            self.pending.block(delivery, retry_at)

    def _store(self, alone: Writes | None = None) -> None:
        """Store what was handled since the last time; this needs the turn.

        If it fails, what comes next is stored delivery by delivery, `alone`: the cause may be what one of them wrote.
        """
        try:
            self._ended += self.handled.store(self._unit)
            self._unit.claim((), self._needed())
        except BaseException as error:
            self._careful = CAREFUL
            if alone is not None and isinstance(error, SQLAlchemyError | HandledElsewhere):
                error = CannotUndo(alone, error)
            self._give_up(error)

    def _give_up(self, problem: BaseException, unit: Unit | None = None) -> None:
        """Let nothing of what was not committed count; if a unit is given, unless that is over already."""
        if self._problem is None and unit in (None, self._unit):
            self._problem = problem
            self._unit.turns.end()
            for lane in self._lanes.values():
                lane.clear()
            self.handled.forget()
            self._changed.notify_all()
