# SPDX-License-Identifier: MIT
"""What was handled and is not committed yet: the states of members that come of it, and the statements that store it."""

from __future__ import annotations

import copy
import datetime
import hashlib
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Table, and_, bindparam, exists, insert, literal, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from bankhook._core import AnyEvent, InitialTransactionUpdate, _MemberState
from bankhook._handlers import Handlers
from bankhook._handlers._registration import Call
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._cases import adds_transaction, new_cases, reopened
from bankhook.inbox._members import MembersInUse, StoredMember
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import CaseKind
from bankhook.inbox._retries import Retries, log_failure, text_of
from bankhook.inbox._sql import states
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.effects import Effects
from bankhook.inbox._sql.lock import count_commit, progress
from bankhook.inbox._sql.pending import Owner, owner_of
from bankhook.inbox._sql.rows import in_parts
from bankhook.inbox._sql.tables import HANDLED, OPENED, cases, columns, deliveries, effects, members
from bankhook.inbox._sql.types import now
from bankhook.inbox._sql.unit import Transaction

RAISED = ("kind", "delivery", "member", "key", "received")
earlier = deliveries.alias("earlier")
OF_ANOTHER_MEMBER = (
    select(literal(CaseKind.ID_OF_ANOTHER_MEMBER.value), columns.number, columns.member, columns.key, columns.received)
    .where(
        exists().where(
            earlier.c.key == columns.key,
            earlier.c.event == columns.event,
            earlier.c.member != columns.member,
            earlier.c.commit_number.is_not(None),
            or_(earlier.c.commit_number < bindparam("commit"), earlier.c.number < columns.number),
        )
    )
    .order_by(columns.number)
)
"""What of a commit has the key of a delivery of another member that was handled before."""


class HandledElsewhere(InboxError):
    """A delivery is not pending any more: nothing that came of it here may be stored."""


class Results:
    """Collects what came of deliveries, then stores it at once: a few statements a batch, however large. One thread at a time."""

    def __init__(self, database: Database, handlers: Handlers, retries: Retries) -> None:
        self._database, self._handlers, self._retries = database, handlers, retries
        self._commit, self._forgotten = progress(database)  # before anything else is read
        self._nobody = _MemberState(handlers.tracker)
        self.members = MembersInUse(self._load, handlers.tracker)
        self.effects = Effects(database)
        self._own_commits = set[int]()
        self._begin()

    def apart(self) -> Results:
        """The same of one delivery, to be stored by itself, by another thread."""
        made = copy.copy(self)
        made._begin()
        return made

    def forget(self) -> None:
        """Let nothing that is not stored count."""
        self.members.forget(self.owners)
        self._begin()

    def _begin(self) -> None:
        self.owners: set[Owner] = set()  # of whom something is not stored
        self._handled: list[int] = []
        self._updates: list[tuple[int, dict[str, Any]]] = []
        self._effects: dict[str, Delivery] = {}
        self._cases: list[dict[str, Any]] = []
        self._added: list[int] = []  # the first of a transaction of their member
        self._open: dict[tuple[str | None, str], int] = {}
        self._closed: set[tuple[str | None, str]] = set()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to store."""
        return not self._handled and not self._updates

    def make_room(self, wanted: Iterator[str | None], needed: Container[Owner]) -> bool:
        """Load the first member if it is not in use, others while there is room; False if something has to be stored before."""
        if (first := next(wanted)) is not None and first not in self.members:
            self.members.shrink(needed)
            if self.members.is_full and not self.is_empty:
                return False
            self.members.prepare([first, *(one for one in wanted if one is not None)])
        return True

    def notice_others(self, needed: Container[Owner]) -> None:
        """Forget members who were not claimed all the time, if others have committed what may be about them.

        Raises InboxError if all has to be read again, because the inbox forgot a member.
        """
        commit, forgotten = progress(self._database)
        if forgotten != self._forgotten:
            raise InboxError("a member was forgotten: what is stored is read again")
        is_own = self._own_commits.issuperset(range(self._commit + 1, commit + 1))
        self._own_commits -= {one for one in self._own_commits if one <= commit}
        self._commit = commit
        if not is_own:
            self.members.shrink(needed, to_none=True)

    def calls(self, delivery: Delivery, event: AnyEvent) -> list[Call]:
        """The handlers to be called, but for those whose effect has happened."""
        state = self._nobody if delivery.member is None else self.members.of(delivery.member)
        calls = self._handlers.calls(event, state.peek(event))
        return [one for one in calls if one.key is None or not (one.key in self._effects or self.effects.has(one.key))]

    def succeed(self, delivery: Delivery, event: AnyEvent, calls: Iterable[Call]) -> None:
        """Note that handlers were called for a delivery, and apply its event."""
        self.owners.add(owner_of(delivery.number, delivery.member))
        if delivery.member is not None:
            self._apply(delivery, delivery.member, event)
        self._effects |= {call.key: delivery for call in calls if call.key is not None}
        self._handled.append(delivery.number)

    def _apply(self, delivery: Delivery, member: str, event: AnyEvent) -> None:
        outcome = self.members.apply(delivery, event)
        held = None
        if isinstance(event, InitialTransactionUpdate) and not outcome.accepted:
            held = self.members.of(member).transaction(event.initial_transaction.id)
        about = {"delivery": delivery.number, "member": member, "received": delivery.received}
        for kind, field, key in new_cases(event, outcome, held):
            # If the event is not applied, it is a case only unless the same one is open for the same bytes.
            same = None if outcome.accepted else hashlib.sha256(f"{kind} {field} ".encode() + delivery.body).digest()
            self._cases.append({"kind": kind.value, "field": field, "key": key, "same": same, **about})
        if adds_transaction(outcome):
            self._added.append(delivery.number)
        for key, is_open in reopened(outcome).items():
            if is_open:
                self._open[member, key] = delivery.number
            elif self._open.pop((member, key), None) is None:
                self._closed.add((member, key))

    def fail(self, delivery: Delivery, who: str, error: Exception) -> datetime.datetime | None:
        """Note that a handler failed: the delivery waits for its next attempt, whose time is returned, or is parked."""
        attempts, retry_at = self._retries.next(delivery, error, now())
        is_parked, is_attempt = retry_at is None, attempts > delivery.attempts
        log_failure(delivery.number, who, error, is_attempt=is_attempt, is_parked=is_parked)
        state = DeliveryState.PARKED if is_parked else DeliveryState.PENDING
        self.change(delivery, attempts=attempts, state=state.value, retry_at=retry_at, error=text_of(error))
        return retry_at

    def change(self, delivery: Delivery, **values: Any) -> None:
        """Note the columns of a delivery that become different although it was not handled."""
        self.owners.add(owner_of(delivery.number, delivery.member))
        self._updates.append((delivery.number, values))

    def store(self, transaction: Transaction) -> int:
        """Commit all of it, with what handlers wrote, and let others write; how many deliveries are no longer pending.

        Raises HandledElsewhere if one of the deliveries is not pending any more, so that nothing happens twice.
        """
        ended = len(self._handled)
        if not self.is_empty:
            self.keep(self.commit(transaction, self.snapshots()))
            ended += sum("retry_at" in one and one["retry_at"] is None for _, one in self._updates)
            self._begin()
        transaction.close()
        return ended

    def snapshots(self) -> list[tuple[str, bytes]]:
        """What is to be stored of members; then `commit`, which needs nothing that others change, and `keep` or `forget`."""
        return [*self.members.snapshots(self.owners)]

    def commit(self, transaction: Transaction, snapshots: Sequence[tuple[str, bytes]]) -> int:
        """Commit all of it; the number of the commit."""
        number = count_commit(transaction.connection())
        self._store(transaction.connection(), number, snapshots)
        transaction.commit()
        return number

    def keep(self, number: int) -> None:
        """All of it was committed under this number."""
        self.members.keep(self.owners)
        self.effects.add(self._effects)
        self._own_commits.add(number)

    def _store(self, connection: Connection, number: int, written: Sequence[tuple[str, bytes]]) -> None:
        if closed := [{"of": member, "id": key} for member, key in self._closed]:
            first = and_(HANDLED, OPENED, columns.member == bindparam("of"), columns.key == bindparam("id"))
            connection.execute(update(deliveries).where(first).values(is_open=None), closed)
        pending = update(deliveries).where(columns.state == "pending")
        found, opened = 0, set(self._open.values())
        for is_open, handled in (True, sorted(opened)), (None, [one for one in self._handled if one not in opened]):
            values = {"state": "handled", "retry_at": None, "retried": None, "commit_number": number, "is_open": is_open}
            for part in in_parts(handled):
                found += connection.execute(pending.where(columns.number.in_(part)).values(values)).rowcount
        for delivery, changed in self._updates:
            connection.execute(pending.where(columns.number == delivery).values(changed))
        if found != len(self._handled):
            raise HandledElsewhere("deliveries that were handled here were handled elsewhere meanwhile")
        if snapshots := [{"member": one, "snapshot": made, "commit_number": number} for one, made in written]:
            connection.execute(_upsert(connection, members, "snapshot", "commit_number"), snapshots)
        if self._effects:
            made = [{"key": key, "delivery": one.number, "member": one.member} for key, one in self._effects.items()]
            connection.execute(insert(effects), made)
        if self._cases:
            connection.execute(_upsert(connection, cases), self._cases)
        for part in in_parts(self._added):
            added = insert(cases).from_select(RAISED, OF_ANOTHER_MEMBER.where(columns.number.in_(part)))
            connection.execute(added, {"commit": number})

    def _load(self, wanted: Sequence[str], most: int) -> Iterable[tuple[str, StoredMember | None]]:
        with self._database.read("cannot read the state of members") as connection:
            yield from states.load(connection, wanted, most)


def _upsert(connection: Connection, table: Table, *replaced: str) -> Any:
    """An insertion that replaces these columns of a row that is there, or leaves it alone."""
    insertion = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    if not replaced:
        return insertion.on_conflict_do_nothing()
    keys = list(table.primary_key)
    return insertion.on_conflict_do_update(index_elements=keys, set_={name: insertion.excluded[name] for name in replaced})
