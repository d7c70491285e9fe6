# SPDX-License-Identifier: MIT
"""What came of deliveries since the last commit: committed together, or given up, and handled again from what is stored."""

from __future__ import annotations

import datetime
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bankhook._handlers import Handlers
from bankhook._records.stored import Delivery
from bankhook.inbox._problems import Problem
from bankhook.inbox._retries import Retries, log
from bankhook.inbox._sql.jobs import Cancelled, CannotUndo, Job
from bankhook.inbox._sql.lanes import Lanes
from bankhook.inbox._sql.lock import keep_claim
from bankhook.inbox._sql.pending import Pending
from bankhook.inbox._sql.results import HandledElsewhere, Results
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.types import now
from bankhook.inbox._sql.unit import Unit, Writes

# A batch ends after this time, so that a crash repeats little and, if its handlers are quick, nobody waits long to write.
BATCH_SECONDS = 0.1
SECOND = datetime.timedelta(seconds=1)
CAREFUL = 500  # deliveries that are stored one by one after a commit that failed


class Batch:
    """Notes what came of deliveries, and commits it: whoever notes or commits has the lock of `changed`.

    In SQLite, all of it is committed together. In PostgreSQL, what handlers wrote in a transaction of their own is committed
    there, with what came of that delivery; all else together, by the connection that claims.
    """

    def __init__(
        self,
        store: Store,
        connect: Callable[[], Connection],
        changed: threading.Condition,
        called: Mapping[int, Job],
        *,
        handlers: Handlers,
        retries: Retries,
        until_now: bool,
    ) -> None:
        self._store, self._connect, self._changed, self._called = store, connect, changed, called
        self._handlers, self._retries = handlers, retries
        self.problem: BaseException | None = None  # why nothing of it counts
        self.count = self.ended = 0  # calls that have ended; deliveries that are no longer pending
        self._careful = 0
        self._beginning = Problem(log, logging.WARNING, "handlers can write again")
        self.pending = Pending(store, lambda owners: self.unit.claim.take(owners), until_now=until_now)
        self.lanes = Lanes(self.pending)
        self.unit: Unit
        self._lost = list[tuple[Delivery, str, Exception]]()  # who may be the cause of a problem
        self.begin()

    def begin(self) -> None:
        """Begin with what is stored.

        Attempts have failed of those that may be the cause of what was lost, unless that is another server by now.
        """
        lost, self._lost = self._lost, []
        unit, before = Unit(self._store, self._connect()), vars(self).get("unit")
        results = Results(self._store, self._handlers, self._retries)
        with self._changed:
            self.unit, self.results, self.problem = unit, results, None
            self.pending.reset()
            self.lanes.forget()
            if before is not None and before.server == unit.server:
                for failure in lost:
                    self.fail(*failure)

    def settle(self, job: Job, error: BaseException | None) -> None:
        """Note what came of a delivery, and what its handlers raised, or is wrong with what they wrote; commit, if it is time.

        - Nothing was raised: it is handled. What was written in a connection of its own is committed at once, else with the rest.
        - An error: what was written is rolled back, and an attempt counts (`fail`). If it cannot be rolled back, nothing of the
          batch counts, and the delivery fails alone (`solve`).
        - No connection or no turn to begin with: no attempt. On SQLite all begins again, on PostgreSQL it waits a second.
        - KeyboardInterrupt, or a task that is cancelled: nothing is noted.
        """
        writes, problem, is_stored = job.writes, error, False
        if error is None and writes.is_alone:
            try:
                is_stored = self._commit_alone(job)
            except Exception as wrong:
                error = wrong
        if writes.failure is not None and self._store.is_sqlite:
            problem = writes.failure  # the handler is not the cause, so this is no attempt
        elif isinstance(error, Exception | Cancelled):
            if writes.undo():
                problem = None
            elif isinstance(error, Exception):
                problem = CannotUndo(writes, error)
        if is_alone := writes.is_alone:
            writes.leave(is_whole=is_stored)
        with self._changed:
            self.count += 1
            if writes.has_begun and writes.failure is None:
                self._beginning.end()
            if writes.has_begun and not is_alone:
                writes.unit.transaction.user = None
            try:
                if problem is not None:
                    self.abandon(problem, writes.unit)
                elif not (is_stored or writes.unit.turns.is_over or writes.is_over):
                    self._note(job, error)
            except BaseException as wrong:
                self.abandon(wrong)
        if writes.has_begun and not is_alone:
            writes.leave()

    def _commit_alone(self, job: Job) -> bool:
        """Commit what handlers wrote, in their own transaction, with what came of it; False if that does not count any more."""
        writes, transaction = job.writes, job.writes.transaction
        assert transaction is not None
        keep_claim(transaction.connection(), job.owner)
        with self._changed:
            if self.problem is None and writes.unit is self.unit:
                if job.owner in self.results.owners:
                    self.commit()  # what was handled before
                try:
                    self.unit.claim.check()
                except Exception as error:
                    self.abandon(CannotUndo(writes, error) if self._careful else error)
            if self.problem is not None or writes.unit is not self.unit or writes.is_over:
                return False
            alone = self.results.apart()
        try:
            with self._changed:
                alone.succeed(writes.delivery, job.event, job.calls)
                snapshots = alone.snapshots()
            number = alone.commit(transaction, snapshots)
        except BaseException:
            with self._changed:
                alone.forget()
            raise
        with self._changed:
            alone.keep(number)
            self.ended += 1
        return True

    def _note(self, job: Job, error: BaseException | None) -> None:
        if error is None:
            self.results.succeed(job.writes.delivery, job.event, job.calls)
        elif job.writes.failure is not None:  # others may have all connections of the server
            why = type(job.writes.failure).__name__  # its text may have personal values
            self._beginning.note(f"handlers cannot write: {why}; their deliveries are tried again each second", error=why)
            self.pending.block(job.writes.delivery, now() + SECOND)
        elif isinstance(error, Exception):
            self.fail(job.writes.delivery, job.writes.who, error)
        is_long = time.monotonic() - self.unit.transaction.began > BATCH_SECONDS
        has_turn = job.writes.transaction is self.unit.transaction or not self._store.is_sqlite
        if has_turn and (self._careful or (is_long and self._store.is_sqlite)):
            self.commit(job.writes if self._careful else None)
            self._careful = max(0, self._careful - 1)

    def fail(self, delivery: Delivery, who: str, error: Exception) -> None:
        """Note that a handler failed."""
        if (retry_at := self.results.fail(delivery, who, error)) is not None:
            self.pending.block(delivery, retry_at)

    def commit(self, alone: Writes | None = None) -> None:
        """Store what was handled since the last time; this needs the turn.

        If it fails, what comes next is stored delivery by delivery, `alone`: the cause may be what one of them wrote.
        """
        try:
            self.ended += self.results.commit_all(self.unit.transaction)
            self.unit.claim.release(self.lanes.owners | self.results.owners)
        except BaseException as error:
            if alone is not None and isinstance(error, SQLAlchemyError | HandledElsewhere):
                error = CannotUndo(alone, error)
            self.abandon(error)
            self._careful = CAREFUL

    def abandon(self, problem: BaseException, unit: Unit | None = None) -> None:
        """Let nothing of what was not committed count; if a unit is given, unless that is over already."""
        if self.problem is None and unit in (None, self.unit):
            self.problem = problem
            if isinstance(problem, DBAPIError) and problem.connection_invalidated:
                if self._careful:  # the first time it may be anybody
                    running = [one.writes for one in tuple(self._called.values())]
                    self._lost = [(one.delivery, one.who, problem) for one in running]
                self._careful = CAREFUL
            self.unit.turns.end()
            self.lanes.forget()
            self.results.forget()
            self._changed.notify_all()

    def let_go(self, jobs: Iterable[Job], turn: float) -> None:
        """Count as failed whose handlers are late, or keep a transaction for too long; their lanes stay busy until they end."""
        for job in jobs:
            writes, late = job.writes, job.overdue(turn)
            if late is None or writes.has_ended or self.problem is not None:
                continue
            if writes is self.unit.transaction.user:
                self.abandon(CannotUndo(writes, late))
            elif (writes.unit is self.unit or self._store.is_sqlite) and writes.let_go():
                self.fail(writes.delivery, writes.who, late)
                if writes.transaction is not None:
                    with suppress(Exception):  # then the session has ended, or its server is away
                        writes.transaction.revoke()

    def solve(self) -> None:
        """Raise the problem, unless it is that of a delivery, which is stored then; after that, all begins again."""
        with suppress(Exception):  # whatever the state of the connection
            self.unit.end()
        broken = self.problem
        assert broken is not None
        if not isinstance(broken, CannotUndo):
            raise broken
        self._lost = [(broken.delivery, broken.who, broken.error)]
        try:
            self.begin()
            try:
                with self._changed:
                    self.ended += self.results.commit_all(self.unit.transaction)
            finally:
                self.unit.transaction.close()
        except BaseException as error:
            self.problem = error
            raise
