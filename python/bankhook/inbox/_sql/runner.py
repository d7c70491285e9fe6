# SPDX-License-Identifier: MIT
"""Handles pending deliveries: those of a member in order, members beside each other, all of it in as few commits as possible.

Workers, which are threads, take deliveries from what was read, call handlers, and note what came of it; one more thread, which
calls `batch`, reads and commits. Nobody waits for what waits for him:

- The lock guards what is in memory. Who has it may read from the database, and commit; no handler is called meanwhile by whoever
  has it, and it is never taken by a thread that runs an event loop.
- The turn is that of the one connection that writes. It is taken without the lock, in the order of asking, and kept from the
  first `begin` of a delivery until its handlers have ended, for a commit, or to claim members. To claim comes before handlers
  that wait: else those of a few members, who give the turn to each other, would hold up the others. Whoever has it may wait
  for the lock, never the reverse. A handler that keeps it for too long loses it, with the connection.
- If anything goes wrong with the connection, the unit is over: nothing of what was not committed counts, and all of it is
  handled again, from what is stored. Handlers that run meanwhile are let run; what comes of them is forgotten, and nothing
  else of their member is handled before they have ended.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress

from bankhook._records.stored import Delivery
from bankhook.inbox._sql.database import failures
from bankhook.inbox._sql.handled import HandledElsewhere
from bankhook.inbox._sql.jobs import CannotUndo
from bankhook.inbox._sql.pending import BATCH, owner_of
from bankhook.inbox._sql.types import now
from bankhook.inbox._sql.workers import BATCH_SECONDS, Workers

NOTHING = 0
TICK_SECONDS = 0.005
# Deliveries that a worker handles in a tick if nothing makes it wait: more workers would only wait for each other.
QUICK = 10
CLAIM_TRIES = 400  # a server needs a moment to end the session that was lost, and its claims
MOST_CLAIMS = 500  # at a time: others find enough that is not claimed


class Runner(Workers):
    """Reads what is pending, and commits what came of it."""

    def batch(self) -> tuple[int, int]:
        """Handle what comes next; how many deliveries were looked at, and how many are no longer pending.

        It does not wait for handlers that take long, unless it is to stop. If it raises, it may be called again.
        """
        with failures("cannot handle deliveries"):
            if self._stop.is_set():
                return self._handle(())
            if self._problem is not None and not self._unit.has_ended:
                self._solve(self._problem)  # a handler has left it since the last batch
            if self._problem is not None:
                self._begin_again()
            if not self._ready and len(self._lanes) < self._concurrency:
                if self._database.is_sqlite:
                    return self._handle(self._next(BATCH))
                if self._unit.turns.take(BATCH_SECONDS, is_next=True):  # claims are those of this connection
                    try:
                        found = self._next(self._most)
                    finally:
                        self._unit.turns.release()
                    return self._handle(found)
            self._next(NOTHING)  # handlers are busy: only what a person has retried is looked for
            return self._handle(None)  # as if not looked: they may have ended meanwhile, and all that was read is stored

    def _next(self, most: int) -> Sequence[Delivery]:
        with self._lock:
            try:
                if sum(map(len, self._lanes.values())) > BATCH:
                    self._let_come_back(self._lanes.values())
                busy = self._lanes.keys() | self.handled.owners
                if found := self.pending.next(now(), busy, most, self._concurrency):
                    about = [(one.member, one.key) for one in found if one.member is not None and one.key is not None]
                    self._unit.look_up([key for one in about for key in self._handlers.keys(*one)])
                self.handled.notice_others(self._needed())
            except BaseException as error:
                self._give_up(error)
                return ()
            self._ready.extend(found)  # with the lock still: what was claimed for them is needed
            return found

    def close(self) -> None:
        """Wait for the handlers that were called, and forget what was not stored."""
        self._stop.set()
        with self._changed:
            self._changed.wait_for(lambda: not self._workers)
        with suppress(Exception):
            self._unit.end()
        self._begins.end()

    def _handle(self, found: Sequence[Delivery] | None) -> tuple[int, int]:
        end = time.monotonic() + BATCH_SECONDS
        with self._changed:
            looked_at = (found is None) + max(len(found or ()), len(self._ready)) + len(self._lanes)
            looked_at += not self.handled.is_empty or self._problem is not None  # what that was about is read again
            seen, moved, workers = self._count, 0, self._workers
            if self._ready and not workers:
                self._start_workers(1)
            while self._workers and self._problem is None:
                self._changed.wait(TICK_SECONDS if self._ready else 4 * TICK_SECONDS)
                if (user := self._unit.user) is not None and user.seconds > self._turn:
                    self._give_up(CannotUndo(user, TimeoutError("the handlers kept the transaction for too long")))
                self._let_go()
                moved, seen = self._count - seen, self._count
                are_fewer, workers = self._workers < workers, self._workers
                if self._stop.is_set():
                    self._ready.clear()
                    continue
                if self._ready:
                    if moved == 0 or (moved < QUICK * workers and not self._unit.turns.is_wanted):
                        self._start_workers(3 * workers)
                elif are_fewer or (moved == 0 and (found or not self.handled.is_empty)):
                    break
                if time.monotonic() > end:
                    break
            if found:  # about as much is claimed at a time as handlers do in a batch: the rest is for other processes
                fitting = self._most // 2 if self._ready else min(2 * self._most, MOST_CLAIMS)
                self._most = max(self._concurrency, fitting)
            if moved == 0 and not self._database.is_sqlite:  # others may handle what waits for handlers that take long
                self._let_come_back([self._ready])
        self._solve_or_store()
        with self._lock:
            ended, self._ended = self._ended, 0
        return looked_at, ended

    def _solve_or_store(self) -> None:
        if self._problem is None and self._unit.turns.take(0):
            with self._lock:
                if not self._unit.turns.is_over:
                    self._store()
            self._unit.turns.release()
        if self._problem is not None:
            self._solve(self._problem)

    def _solve(self, problem: BaseException) -> None:
        with suppress(Exception):  # whatever the state of the connection
            self._unit.end()
        if not isinstance(problem, CannotUndo):
            raise problem
        try:
            self._fail_alone(problem)
        except BaseException as error:
            self._problem = error
            raise

    def _let_come_back(self, queues: Iterable[deque[Delivery]]) -> None:
        """Forget deliveries that were read; they are read again."""
        for queue in queues:
            while queue:
                self.pending.let_come_back(queue.pop())

    def _fail_alone(self, broken: CannotUndo) -> None:
        """Store that a handler failed, after the rest of its batch was rolled back; that begins again.

        It may have cost the connection, so this makes a new one. If that fails, or the server was started again, the store was
        away, and this is no attempt. If another process has claimed the delivery meanwhile, it is not one either.
        """
        delivery, start = broken.delivery, self._unit.server_start
        self._begin_again()  # from what is stored: no claim is left, so others may have handled deliveries meanwhile
        try:
            owner = owner_of(delivery.number, delivery.member)
            tries = CLAIM_TRIES
            while (is_elsewhere := self._unit.claim([owner])) and (tries := tries - 1):
                time.sleep(TICK_SECONDS)
            if not is_elsewhere and self._unit.server_start == start:
                with self._lock:
                    self.handled.fail(delivery, broken.who, broken.error)
                    with suppress(HandledElsewhere):  # by who claimed it when the connection was lost
                        self._ended += self.handled.store(self._unit)
                    self.handled.forget()
        finally:
            self._unit.close()
