# SPDX-License-Identifier: MIT
"""What was handled and is not committed yet: the states of members that come of it, and the statements that store it."""

from __future__ import annotations

import copy
import datetime
import hashlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, insert

from bankhook._core import AnyEvent, InitialTransactionUpdate, _MemberState
from bankhook._handlers import Handlers
from bankhook._handlers._registration import Call
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._cases import adds_transaction, new_cases, reopened
from bankhook.inbox._members import MembersInUse, StoredMember
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import CaseKind
from bankhook.inbox._retries import Retries, log_failure, text_of
from bankhook.inbox._sql.effects import Effects
from bankhook.inbox._sql.finding import About, Gathered, about
from bankhook.inbox._sql.lock import count_commit, progress
from bankhook.inbox._sql.pending import Owner, owner_of
from bankhook.inbox._sql.rows import ADD_TIMES, REMOVE_TIMES, THESE, change, execute, upserted
from bankhook.inbox._sql.states import load
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import cases, effects, handled, members, opened, states
from bankhook.inbox._sql.types import now, shortened
from bankhook.inbox._sql.unit import Transaction

PENDING = f"WHERE state = 'pending' AND {THESE}"
END = f"DELETE FROM {states.name} {PENDING}"
KEEP = f"UPDATE {states.name} SET state = 'handled', retry_at = NULL, retried = NULL {PENDING}"
"""Of what had failed, which is still reported."""


class HandledElsewhere(InboxError):
    """A delivery is not pending any more: nothing that came of it here may be stored."""


class Results:
    """Collects what came of deliveries, then stores it at once: a few statements a batch, however large. One thread at a time."""

    def __init__(self, store: Store, handlers: Handlers, retries: Retries) -> None:
        self._store, self._handlers, self._retries = store, handlers, retries
        self._commit, self._forgotten = progress(store)  # before anything else is read
        self._gathered = Gathered(store)
        self._nobody = _MemberState(handlers.tracker)
        self.members = MembersInUse(self._load, handlers.tracker)
        self.effects = Effects(store)
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
        self._gathered.forget()
        self._begin()

    def _begin(self) -> None:
        self.owners: set[Owner] = set()  # of whom something is not stored
        self._handled: list[Delivery] = []
        self._updates: list[tuple[int, dict[str, Any]]] = []
        self._effects: dict[str, Delivery] = {}
        self._cases: list[dict[str, Any]] = []
        self._added: set[int] = set()  # the first of a transaction of their member
        self._open: dict[tuple[str, str], int] = {}
        self._closed: set[tuple[str, str]] = set()

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
        commit, forgotten = progress(self._store)
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
        self._handled.append(delivery)

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
            self._added.add(delivery.number)
        for key, is_open in reopened(outcome).items():
            of = member, shortened(key)
            if is_open:
                self._open[of] = delivery.number
            elif self._open.pop(of, None) is None:
                self._closed.add(of)

    def fail(self, delivery: Delivery, who: str, error: Exception) -> datetime.datetime | None:
        """Note that a handler failed: the delivery waits for its next attempt, whose time is returned, or is parked."""
        attempts, retry_at = self._retries.next(delivery, error, now())
        is_parked, is_attempt = retry_at is None, attempts > delivery.attempts
        log_failure(delivery, who, error, is_attempt=is_attempt, is_parked=is_parked)
        state = DeliveryState.PARKED if is_parked else DeliveryState.PENDING
        self.change(delivery, attempts=attempts, state=state.value, retry_at=retry_at, error=text_of(error))
        return retry_at

    def change(self, delivery: Delivery, **values: Any) -> None:
        """Note the columns of a delivery that become different although it was not handled."""
        self.owners.add(owner_of(delivery.number, delivery.member))
        self._updates.append((delivery.number, values))

    def commit_all(self, transaction: Transaction) -> int:
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
        self._write(transaction.connection(), number, snapshots)
        transaction.commit()
        return number

    def keep(self, number: int) -> None:
        """All of it was committed under this number."""
        self.members.keep(self.owners)
        self._gathered.keep()
        self.effects.add(self._effects)
        self._own_commits.add(number)

    def _write(self, connection: Connection, number: int, written: Sequence[tuple[str, bytes]]) -> None:
        self._add_cases_and_close(connection)
        failed = dict.fromkeys((one.number for one in self._handled if one.attempts or one.error is not None), 0)
        numbers = dict.fromkeys((one.number for one in self._handled), 0)
        done = [
            execute(connection, statement, some).rowcount if some else 0
            for statement, some in (
                (KEEP, failed),
                (END, {number: 0 for number in numbers if number not in failed}),
                (ADD_TIMES.format(handled.name), numbers),
                (ADD_TIMES.format(opened.name), dict.fromkeys(self._open.values(), 0)),
            )
        ]
        for one in self._updates:
            change(connection, *one, states.c.state == "pending")
        if [done[0] + done[1], done[2]] != 2 * [len(numbers)]:
            raise HandledElsewhere("deliveries that were handled here were handled elsewhere meanwhile")
        self._gathered.add(connection, number, [(one.number, one.member, one.key) for one in self._handled])
        if snapshots := [{"member": one, "snapshot": made, "commit_number": number} for one, made in written]:
            connection.execute(upserted(connection, members, "snapshot", "commit_number"), snapshots)
        if self._effects:
            made = [{"key": key, "delivery": one.number, "member": one.member} for key, one in self._effects.items()]
            connection.execute(insert(effects), made)
        if self._cases:
            connection.execute(upserted(connection, cases), self._cases)

    def _add_cases_and_close(self, connection: Connection) -> None:
        """Add cases of ids that transactions of other members have, and let what has been closed not be overdue."""
        keys = {key for _, key in self._closed}
        keys |= {one.key for one in self._handled if one.number in self._added and one.key is not None}
        known = about(connection, keys, self._gathered.entries)
        closed = [one.number for member, key in self._closed for one in known[key] if one.member == member]
        if closed:
            execute(connection, REMOVE_TIMES.format(opened.name), dict.fromkeys(closed, 0))
        here = defaultdict[str | None, list[Delivery | About]](list, {key: [*some] for key, some in known.items()})
        for one in sorted(self._handled, key=lambda one: one.number):
            earlier = here[one.key] if one.number in self._added else []
            if any(other.event == one.event and other.member not in (None, one.member) for other in earlier):
                kind = CaseKind.ID_OF_ANOTHER_MEMBER.value
                about_it = {"delivery": one.number, "member": one.member, "key": one.key, "received": one.received}
                self._cases.append({"kind": kind, "field": None, "same": None, **about_it})
            here[one.key].append(one)

    def _load(self, wanted: Sequence[str], most: int) -> Iterable[tuple[str, StoredMember | None]]:
        with self._store.read("cannot read the state of members") as connection:
            yield from load(connection, wanted, most, self._gathered.entries)
