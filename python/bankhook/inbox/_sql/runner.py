# SPDX-License-Identifier: MIT
"""Handles pending deliveries, batch by batch: what handlers write and what becomes of a delivery is one transaction."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bankhook._core import AnyEvent, InitialTransactionUpdate, _MemberState, parse
from bankhook._handlers import Handlers
from bankhook._records.errors import ParseError
from bankhook._records.stored import StoredDelivery
from bankhook.inbox._cases import adds_transaction, new_cases, reopened
from bankhook.inbox._contained import finish, start
from bankhook.inbox._examination import about
from bankhook.inbox._members import MembersInUse, StoredMember
from bankhook.inbox._retries import Retries, log_failure, text_of
from bankhook.inbox._sql import states
from bankhook.inbox._sql.asynchronous import asynchronous
from bankhook.inbox._sql.database import Database, failures
from bankhook.inbox._sql.lock import count_commit, last_commit
from bankhook.inbox._sql.pending import BATCH, Pending
from bankhook.inbox._sql.results import Results
from bankhook.inbox._sql.types import shortened
from bankhook.inbox._sql.unit import Unit, UnitBroken

__all__ = ["Runner"]

# A batch ends after this time, so that a crash repeats little and, if its handlers are quick, nobody waits long to write.
BATCH_SECONDS = 0.1


class CannotUndo(Exception):
    """A handler failed for a delivery, and left the transaction so that nothing of the batch can be stored."""

    def __init__(self, delivery: StoredDelivery, who: str, error: Exception) -> None:
        super().__init__(delivery.number)
        self.delivery, self.who, self.error = delivery, who, error


@dataclasses.dataclass
class Batch:
    """Deliveries that are handled together."""

    unit: Unit
    results: Results = dataclasses.field(default_factory=Results)
    """Of the transaction that is open, or to be begun."""
    ended: int = 0
    """How many deliveries are no longer pending, of those that are stored."""


class Runner:
    """Calls handlers for what is pending; all of it in one thread.

    Parameters
    ----------
    connect : callable
        Makes this the only runner of the inbox, on a new connection; what it returned before is closed.
    wait_for : callable
        Waits until the event loop has run a coroutine.
    until_now : bool
        Whether deliveries that come later are left alone.
    """

    def __init__(
        self,
        database: Database,
        connect: Callable[[], Connection],
        handlers: Handlers,
        retries: Retries,
        wait_for: Callable[[Coroutine[Any, Any, object]], object],
        *,
        until_now: bool = False,
    ) -> None:
        self._database, self._connect, self._handlers = database, connect, handlers
        self._connection = connect()
        self._retries, self._wait_for = retries, wait_for
        self._commit = last_commit(database)  # before anything else is read
        self._pending = Pending(database, until_now=until_now)
        self.members = MembersInUse(self._load, handlers.tracker)
        self._nobody = _MemberState(handlers.tracker)
        self._most = BATCH  # deliveries of the next batch: what is read and not handled is read again

    def batch(self) -> tuple[int, int]:
        """Handle what comes next; how many deliveries were looked at, and how many are no longer pending."""
        found = self.next()
        return len(found), self.handle(found) if found else 0

    def next(self) -> Sequence[StoredDelivery]:
        """Return what comes next."""
        return self._pending.next(_now(), self._most)

    def has_to_wait(self, delivery: StoredDelivery) -> bool:
        """Whether a delivery that is next is not to be handled yet; `handle` leaves it alone then."""
        return self._pending.is_blocked(delivery, _now())

    def earliest_retry(self) -> datetime.datetime | None:
        """Return when the next retry is due; None if no delivery waits for one."""
        return self._pending.earliest_retry()

    def handle(self, found: Sequence[StoredDelivery]) -> int:
        """Handle deliveries in as few transactions as possible, and return how many are no longer pending.

        If it raises, nothing of the last transaction is stored, and the runner is of no more use.
        """
        batch = Batch(Unit(self._database, self._connection))
        with failures("cannot handle deliveries"):
            try:
                self._handle_all(found, batch)
            except CannotUndo as broken:
                batch.ended += self._fail_alone(broken)
            finally:
                batch.unit.end()
        return batch.ended

    def _handle_all(self, found: Sequence[StoredDelivery], batch: Batch) -> None:
        end = time.monotonic() + BATCH_SECONDS
        number = looked_at = 0
        try:
            about = [(one.member, one.key) for one in found if one.member is not None and one.key is not None]
            if keys := [key for one in about for key in self._handlers.keys(*one)]:
                batch.unit.look_up(keys)
            for looked_at, delivery in enumerate(found, 1):
                number = delivery.number
                if not self._pending.is_blocked(delivery, _now()):
                    self._prepare(batch, found[looked_at - 1 :])
                    self._handle(delivery, batch)
                if time.monotonic() > end:
                    break
            self._store(batch)
        except BaseException:
            self.members.forget()
            batch.unit.close()
            raise
        self.members.shrink()
        self._pending.passed(number)
        self._most = min(BATCH, 2 * (looked_at if looked_at < len(found) else self._most))

    def _prepare(self, batch: Batch, following: Sequence[StoredDelivery]) -> None:
        """Load the member of the first of these deliveries if it is not in use, and those of others while there is room."""
        first = following[0].member
        if first is None or first in self.members:
            return
        if self.members.is_full:
            self._store(batch)  # what changed can be forgotten only then
            self.members.shrink()
        self.members.prepare(one.member for one in following if one.member is not None)

    def _store(self, batch: Batch) -> None:
        """Store what was handled since the last time, and let others write."""
        if not batch.results.is_empty:
            self._count_and_store(batch.results, batch.unit, self.members.snapshots())
            batch.unit.commit(batch.results.effects)
            self._commit += 1
            self.members.keep()
            batch.ended += batch.results.ended
            batch.results = Results()
        batch.unit.close()

    def _count_and_store(self, results: Results, unit: Unit, snapshots: Iterable[tuple[str, bytes]]) -> None:
        count_commit(unit.connection(), self._commit + 1)
        results.store(unit.connection(), snapshots, self._commit + 1)

    def _handle(self, delivery: StoredDelivery, batch: Batch) -> None:
        try:
            event = parse(delivery.body)
        except ParseError as error:  # another version of the library stored it
            batch.results.quarantine(delivery, error)
            return
        member, key = about(event)
        if member is not None and delivery.member is None:  # an older version may not have known the event
            delivery = delivery.replace(event=event.event, member=shortened(member), key=key)
            self._prepare(batch, [delivery])
            batch.results.adopt(delivery)
            if self._pending.is_adopted_late(delivery):
                return
        state = self._nobody if delivery.member is None else self.members.of(delivery.member)
        outcome = state.peek(event)
        calls = [call for call in self._handlers.calls(event, outcome) if not _is_done(call.key, batch)]
        unit, who = batch.unit, "a handler"
        try:
            with unit.handlers(partial(self._store, batch)) as begin:
                for call in calls:
                    who = f"handler {call.handler.name!r}"
                    if (result := start(call, delivery, _awaited(begin) if call.handler.is_async else begin)) is not None:
                        self._wait_for(finish(result))
            who = "a handler"  # what is wrong now, any of them may have left
            unit.keep()
        except Exception as error:
            if unit.failure is not None:  # the handler is not the cause, so this is no attempt
                raise unit.failure from None
            try:
                unit.undo()
            except UnitBroken:
                raise CannotUndo(delivery, who, error) from error
            self._fail(delivery, who, error, batch.results)
            return
        results = batch.results  # what was handled before may have been stored meanwhile
        if delivery.member is not None:
            self._apply(delivery, event, results)
        results.effects |= {call.key: delivery for call in calls if call.key is not None}
        results.handled.append(delivery.number)

    def _fail_alone(self, broken: CannotUndo) -> int:
        """Store that a handler failed, after the rest of its batch was rolled back; that begins again.

        It may have cost the connection, so this makes a new one. If that fails, the store is away, and this is no attempt, or
        another process is the runner now.
        """
        delivery = broken.delivery
        self._connection = self._connect()
        unit, results = Unit(self._database, self._connection), Results()
        try:
            if delivery.member is not None:
                results.adopt(delivery)
            self._fail(delivery, broken.who, broken.error, results)
            self._count_and_store(results, unit, ())
            unit.commit(())
            self._commit += 1
        finally:
            unit.end()
        self._pending.reset()
        return results.ended

    def _apply(self, delivery: StoredDelivery, event: AnyEvent, results: Results) -> None:
        outcome = self.members.apply(delivery, event)
        held = None
        if isinstance(event, InitialTransactionUpdate) and not outcome.accepted:
            held = self.members.of(delivery.member or "").transaction(event.initial_transaction.id)
        for case in new_cases(event, outcome, held):
            results.raise_case(delivery, case, is_applied=outcome.accepted)
        if adds_transaction(outcome):
            results.added.append(delivery.number)
        for transaction, is_open in reopened(outcome).items():
            results.reopen(delivery, transaction, is_open)

    def _fail(self, delivery: StoredDelivery, who: str, error: Exception, results: Results) -> None:
        retry_at = self._retries.after(delivery.attempts + 1, _now())
        if retry_at is not None:
            self._pending.block(delivery, retry_at)
        log_failure(delivery.number, who, error, is_parked=retry_at is None)
        results.failed(delivery, text_of(error), retry_at)

    def _load(self, wanted: Sequence[str], most: int) -> Iterable[tuple[str, StoredMember | None]]:
        with self._database.read("cannot read the state of members") as connection:
            yield from states.load(connection, wanted, most)


def _awaited(begin: Callable[[], Connection]) -> Callable[[], Coroutine[Any, Any, AsyncConnection]]:
    """What an async handler begins with: waiting for others who write, in SQLite, does not stop the event loop."""

    async def begin_async() -> AsyncConnection:
        return asynchronous(await asyncio.to_thread(begin))

    return begin_async


def _is_done(key: str | None, batch: Batch) -> bool:
    return key is not None and (key in batch.results.effects or batch.unit.has_effect(key))


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
