# SPDX-License-Identifier: MIT
"""What was handled and is not committed yet, and the states of members that come of it."""

from __future__ import annotations

import datetime
from collections.abc import Container, Iterable, Sequence

from bankhook._core import AnyEvent, InitialTransactionUpdate, _MemberState
from bankhook._handlers import Handlers
from bankhook._handlers._registration import Call
from bankhook._records.stored import StoredDelivery
from bankhook.inbox._cases import adds_transaction, new_cases, reopened
from bankhook.inbox._members import MembersInUse, StoredMember
from bankhook.inbox._retries import Retries, log_failure, text_of
from bankhook.inbox._sql import states
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.lock import count_commit, last_commit
from bankhook.inbox._sql.pending import Owner, owner_of
from bankhook.inbox._sql.results import Results
from bankhook.inbox._sql.unit import Unit

__all__ = ["Handled"]


class Handled:
    """Collects what came of deliveries; one thread at a time."""

    def __init__(self, database: Database, handlers: Handlers, retries: Retries) -> None:
        self._database, self._handlers, self._retries = database, handlers, retries
        self._commit = last_commit(database)  # before anything else is read
        self._nobody = _MemberState(handlers.tracker)
        self.members = MembersInUse(self._load, handlers.tracker)
        self.ended = 0
        """How many deliveries are no longer pending, of those that are stored."""
        self.forget()

    def forget(self) -> None:
        """Let nothing that is not stored count."""
        self.members.forget()
        self.results = Results()
        self.owners: set[Owner] = set()
        """Of whom something is not stored."""

    def make_room(self, first: str, following: Iterable[str | None], needed: Container[Owner]) -> bool:
        """Load a member that is not in use, and others while there is room; False if something has to be stored before."""
        if first not in self.members:
            self.members.shrink(needed)
            if self.members.is_full and not self.results.is_empty:
                return False
            self.members.prepare([first, *(one for one in following if one is not None)])
        return True

    def calls(self, delivery: StoredDelivery, event: AnyEvent, unit: Unit) -> list[Call]:
        """The handlers to be called, but for those whose effect has happened."""
        state = self._nobody if delivery.member is None else self.members.of(delivery.member)
        calls = self._handlers.calls(event, state.peek(event))
        return [
            one for one in calls if one.key is None or not (one.key in self.results.effects or unit.has_effect(one.key))
        ]

    def succeed(self, delivery: StoredDelivery, event: AnyEvent, calls: Iterable[Call]) -> None:
        """Note that handlers were called for a delivery, and apply its event."""
        self.owners.add(owner_of(delivery.number, delivery.member))
        if delivery.member is not None:
            self._apply(delivery, event)
        self.results.effects |= {call.key: delivery for call in calls if call.key is not None}
        self.results.handled.append(delivery.number)

    def _apply(self, delivery: StoredDelivery, event: AnyEvent) -> None:
        outcome, results = self.members.apply(delivery, event), self.results
        held = None
        if isinstance(event, InitialTransactionUpdate) and not outcome.accepted:
            held = self.members.of(delivery.member or "").transaction(event.initial_transaction.id)
        for case in new_cases(event, outcome, held):
            results.raise_case(delivery, case, is_applied=outcome.accepted)
        if adds_transaction(outcome):
            results.added.append(delivery.number)
        for transaction, is_open in reopened(outcome).items():
            results.reopen(delivery, transaction, is_open)

    def fail(self, delivery: StoredDelivery, who: str, error: Exception) -> datetime.datetime | None:
        """Note that a handler failed; when to try again, None if it is parked."""
        self.owners.add(owner_of(delivery.number, delivery.member))
        retry_at = self._retries.after(delivery.attempts + 1, datetime.datetime.now(datetime.UTC))
        log_failure(delivery.number, who, error, is_parked=retry_at is None)
        self.results.failed(delivery, text_of(error), retry_at)
        return retry_at

    def store(self, unit: Unit) -> None:
        """Commit all of it, with what handlers wrote, and let others write."""
        if not self.results.is_empty:
            count_commit(unit.connection(), self._commit + 1)
            self.results.store(unit.connection(), self.members.snapshots(), self._commit + 1)
            unit.commit(self.results.effects)
            self._commit += 1
            self.ended += self.results.ended
            self.members.keep()
            self.forget()
        unit.close()

    def _load(self, wanted: Sequence[str], most: int) -> Iterable[tuple[str, StoredMember | None]]:
        with self._database.read("cannot read the state of members") as connection:
            yield from states.load(connection, wanted, most)
