# SPDX-License-Identifier: MIT
"""Handles pending deliveries: those of a member in order, members beside each other, all of it in as few commits as possible.

Workers, which are threads, take deliveries from what was read, call handlers, and note what came of it; one more thread, which
calls `handle_next`, reads and commits. Nobody waits for what waits for him:

- The lock guards what is in memory, and the connection that claims. Who has it may read from the database, and commit; no
  handler is called meanwhile by whoever has it, and it is never taken by a thread that runs an event loop.
- In PostgreSQL, what handlers write has a connection of its own, from the first `begin` of a delivery until what came of it is
  committed there. Who commits waits for the lock before that takes what other commits wait for, and never while it does.
- In SQLite, the turn is that of the one connection that writes. It is taken without the lock, in the order of asking, and kept
  from the first `begin` of a delivery until its handlers have ended, or for a commit. Whoever has it may wait for the lock,
  never the reverse. A handler that keeps it for too long loses it, with the connection.
- If anything goes wrong with that connection, or with the one that claims, the unit is over: nothing of what was not committed
  counts, and all of it is handled again, from what is stored. Handlers that run meanwhile are let run; what comes of them is
  forgotten, and nothing else of their member is handled before they have ended.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection

from bankhook._core import parse
from bankhook._handlers import Handlers
from bankhook._records.errors import ParseError, SnapshotError
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._examination import about, why_rejected
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.batch import BATCH_SECONDS, Batch
from bankhook.inbox._sql.jobs import Job
from bankhook.inbox._sql.pending import BATCH, Owner
from bankhook.inbox._sql.rows import UnreadableRow, findings_of
from bankhook.inbox._sql.store import Store, failures
from bankhook.inbox._sql.threads import Thread
from bankhook.inbox._sql.types import now, shortened
from bankhook.inbox._sql.unit import Writes

NOTHING = 0
TICK_SECONDS = 0.005
# Deliveries that a worker handles in a tick if nothing makes it wait: more workers would only wait for each other.
QUICK = 10
PING_SECONDS = 0.5  # so that nothing ends the session with the claims because it is idle
MOST_CLAIMS = 500  # at a time: others find enough that is not claimed
BEGINNING = 4  # threads that connect for async handlers


class Engine:
    """Claims what is pending, calls handlers for it, and commits what came of it.

    Parameters
    ----------
    connect : callable
        Makes a new connection; in SQLite, this is the only engine. What it returned before is closed.
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
        store: Store,
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
        self._store, self._wait_for, self._stop = store, wait_for, stop
        self._handlers, self._concurrency, self.timeout, self._turn = handlers, concurrency, timeout, turn
        self._context = contextvars.copy_context()
        self._changed = threading.Condition(threading.Lock())
        self._called: dict[int, Job] = {}  # by the thread that does it
        self._workers = 0
        self._most = max(16, concurrency)
        store.check_room(concurrency)
        self._batch = Batch(
            store, connect, self._changed, self._called, handlers=handlers, retries=retries, until_now=until_now
        )
        self._lanes, self.pending = self._batch.lanes, self._batch.pending
        self._begins = Thread("bankhook-inbox-begin", 1 if store.is_sqlite else min(concurrency, BEGINNING))

    def _start_workers(self, count: int) -> None:
        """Start workers, without the lock: a thread takes a while to start, and those that run have to go on."""
        for _ in range(min(count, self._concurrency - self._workers)):
            self._workers += 1
            run = self._context.copy().run
            thread = threading.Thread(target=run, args=(self._work,), name="bankhook-inbox-handlers", daemon=True)
            try:
                self._changed.release()
                try:
                    thread.start()
                finally:
                    self._changed.acquire()
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
            self._batch.settle(job, error)
            del self._called[threading.get_ident()]

    def _take(self, owner: Owner | None) -> Job | None:
        """The next delivery that handlers are called for: of the same lane, or of a new one; None ends the worker."""
        with self._changed:
            try:
                while self._batch.problem is None and not self._stop.is_set():
                    taken = self._lanes.take(
                        owner, now(), lambda wanted: self._batch.results.make_room(wanted, self._lanes.busy)
                    )
                    if taken is None:
                        owner = None
                        break
                    owner, delivery = taken
                    if (job := self._prepare(delivery, owner)) is not None:
                        return job
            except BaseException as error:
                self._batch.abandon(error)
            if owner is not None:
                self._lanes.end(owner)
            self._workers -= 1
            if not self._workers:
                self._changed.notify_all()
            return None

    def _prepare(self, delivery: Delivery, owner: Owner) -> Job | None:
        """What is to be done for a delivery; None if no handler is called."""
        if delivery._unread is not None:
            self._batch.fail(delivery, "its row", UnreadableRow(f"cannot read: {delivery._unread}"))
            return None
        try:
            event = parse(delivery.body)
        except ParseError as error:  # another version of the library stored it
            findings = findings_of(why_rejected(error))
            self._batch.results.change(delivery, state=DeliveryState.QUARANTINED.value, retry_at=None, **findings)
            return None
        member, key = about(event)
        if member is not None and delivery.member is None:  # an older version may not have known the event
            read = {"event": event.event, "member": shortened(member), "key": key}
            self._batch.results.change(delivery, **read)
            self._batch.results.owners.add(shortened(member))
            self.pending.let_come_back(delivery.replace(**read))  # in its turn among those of the member
            return None
        try:
            calls = self._batch.results.calls(delivery, event)
        except SnapshotError as error:  # another version of the library wrote it, or it is damaged: others go on
            self._batch.fail(delivery, "the state of its member", error)
            return None
        if calls:
            return Job(owner, event, calls, Writes(self._batch.unit, delivery, self._begins.submit), self.timeout)
        self._batch.results.succeed(delivery, event, ())
        return None

    @property
    def longest(self) -> float:
        """The seconds for which the handler has run that was called first."""
        return max((job.writes.called.seconds for job in tuple(self._called.values())), default=0.0)

    def handle_next(self) -> tuple[int, int]:
        """Handle what comes next; how many deliveries were looked at, and how many are no longer pending.

        It does not wait for handlers that take long, unless it is to stop. If it raises, it may be called again.
        """
        with failures("cannot handle deliveries"):
            if self._stop.is_set():
                return self._handle(())
            if self._batch.problem is not None and not self._batch.unit.has_ended:
                self._batch.solve()  # a handler has left it since the last batch
            if self._batch.problem is not None:
                self._batch.begin()
            if not self._lanes.ready and len(self._lanes.busy) < self._concurrency:
                return self._handle(self._next(BATCH if self._store.is_sqlite else self._most))
            self._next(NOTHING)  # handlers are busy: only what a person has retried is looked for
            return self._handle(None)  # as if not looked: they may have ended meanwhile, and all that was read is stored

    def _next(self, most: int) -> Sequence[Delivery]:
        with self._changed:
            try:
                if sum(map(len, self._lanes.busy.values())) > BATCH:
                    self._lanes.put_back(self._lanes.busy.values())
                busy = self._lanes.busy.keys() | self._batch.results.owners
                self._batch.unit.claim.check(PING_SECONDS)
                if found := self.pending.next(now(), busy, most, self._concurrency):
                    about = [(one.member, one.key) for one in found if one.member is not None and one.key is not None]
                    self._batch.results.effects.look_up([key for one in about for key in self._handlers.keys(*one)])
                self._batch.results.notice_others(self._lanes.owners | self._batch.results.owners)
            except BaseException as error:
                self._batch.abandon(error)
                return ()
            self._lanes.ready.extend(found)  # with the lock still: what was claimed for them is needed
            return found

    def close(self) -> None:
        """Wait for the handlers that were called, and forget what was not stored."""
        self._stop.set()
        with self._changed:
            self._changed.wait_for(lambda: not self._workers)
        with suppress(Exception):
            self._batch.unit.end()
        self._begins.end()
        if not self._store.is_sqlite:
            self._store.lanes.dispose()

    def _handle(self, found: Sequence[Delivery] | None) -> tuple[int, int]:
        end = time.monotonic() + BATCH_SECONDS
        with self._changed:
            looked_at = (found is None) + max(len(found or ()), len(self._lanes.ready)) + len(self._lanes.busy)
            # What a problem was about is read again.
            looked_at += not self._batch.results.is_empty or self._batch.problem is not None
            seen, moved, workers = self._batch.count, 0, self._workers
            if self._lanes.ready and not workers:
                self._start_workers(1)
            while self._workers and self._batch.problem is None:
                self._changed.wait(TICK_SECONDS if self._lanes.ready else 4 * TICK_SECONDS)
                self._batch.let_go(tuple(self._called.values()), self._turn)
                moved, seen = self._batch.count - seen, self._batch.count
                are_fewer, workers = self._workers < workers, self._workers
                if self._stop.is_set():
                    self._lanes.ready.clear()
                    if not self._batch.results.is_empty:  # not only when the slowest handler has ended
                        self._commit()
                    continue
                if self._lanes.ready:
                    if moved == 0 or (moved < QUICK * workers and not self._batch.unit.turns.is_wanted):
                        self._start_workers(3 * workers)
                elif are_fewer or (moved == 0 and (found or not self._batch.results.is_empty)):
                    break
                if time.monotonic() > end:
                    break
            if found:  # about as much is claimed at a time as handlers do in a batch: the rest is for other processes
                fitting = self._most // 2 if self._lanes.ready else min(2 * self._most, MOST_CLAIMS)
                self._most = max(self._concurrency, fitting)
            if moved == 0 and not self._store.is_sqlite:  # others may handle what waits for handlers that take long
                self._lanes.put_back([self._lanes.ready])
        self._commit_or_solve()
        with self._changed:
            ended, self._batch.ended = self._batch.ended, 0
        return looked_at, ended

    def _commit_or_solve(self) -> None:
        with self._changed:
            self._commit()
        if self._batch.problem is not None:
            self._batch.solve()

    def _commit(self) -> None:
        """Commit unless somebody has the turn; this needs the lock."""
        turns = self._batch.unit.turns
        if self._batch.problem is None and turns.take(0):
            if not turns.is_over:
                self._batch.commit()
            turns.release()
