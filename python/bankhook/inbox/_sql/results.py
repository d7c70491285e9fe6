# SPDX-License-Identifier: MIT
"""What handling a batch of deliveries came to, and the statements that store it."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Table, and_, bindparam, exists, insert, literal, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from bankhook._records.errors import ParseError
from bankhook._records.stored import DeliveryState, StoredDelivery
from bankhook.inbox._cases import NewCase
from bankhook.inbox._examination import why_rejected
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import CaseKind
from bankhook.inbox._sql.rows import findings_of
from bankhook.inbox._sql.tables import HANDLED, OPENED, cases, deliveries, effects, members

__all__ = ["Results"]

columns = deliveries.c

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


class Results:
    """Collected delivery by delivery, then stored at once: a few statements a batch, however large it is."""

    def __init__(self) -> None:
        self.handled: list[int] = []
        self.effects: dict[str, StoredDelivery] = {}
        self.added: list[int] = []
        """Deliveries that are the first of a transaction of their member."""
        self._updates: list[tuple[int, dict[str, Any]]] = []
        self._cases: list[dict[str, Any]] = []
        self._open: dict[tuple[str, str], int] = {}
        self._closed: set[tuple[str, str]] = set()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to store."""
        return not self.handled and not self._updates

    @property
    def ended(self) -> int:
        """How many deliveries were handled, parked or quarantined: they are no longer pending."""
        return len(self.handled) + sum("retry_at" in values and values["retry_at"] is None for _, values in self._updates)

    def failed(self, delivery: StoredDelivery, error: str, retry_at: datetime.datetime | None) -> None:
        """A handler failed: the delivery waits for its next attempt or, without one, for a person."""
        state = DeliveryState.PARKED if retry_at is None else DeliveryState.PENDING
        values = {"attempts": delivery.attempts + 1, "state": state.value, "retry_at": retry_at, "error": error}
        self._updates.append((delivery.number, values))

    def adopt(self, delivery: StoredDelivery) -> None:
        """What was stored as nobody's is one of a member, and waits for others of it like any other."""
        values = {"event": delivery.event, "member": delivery.member, "key": delivery.key}
        self._updates.append((delivery.number, values))

    def quarantine(self, delivery: StoredDelivery, error: ParseError) -> None:
        """What was stored as an event is not one for this version of the library."""
        values = {"state": DeliveryState.QUARANTINED.value, "retry_at": None, **findings_of(why_rejected(error))}
        self._updates.append((delivery.number, values))

    def raise_case(self, delivery: StoredDelivery, case: NewCase, *, is_applied: bool) -> None:
        """A person should look at it; if the event is not applied, only unless the same one is open for the same bytes."""
        kind, field, key = case
        about = {"delivery": delivery.number, "member": delivery.member, "received": delivery.received}
        same = None if is_applied else hashlib.sha256(f"{kind} {field} ".encode() + delivery.body).digest()
        self._cases.append({"kind": kind.value, "field": field, "key": key, "same": same, **about})

    def reopen(self, delivery: StoredDelivery, key: str, is_open: bool) -> None:
        """A transaction is open now, or no longer is."""
        transaction = delivery.member or "", key
        if is_open:
            self._open[transaction] = delivery.number
        elif self._open.pop(transaction, None) is None:
            self._closed.add(transaction)

    def store(self, connection: Connection, snapshots: Iterable[tuple[str, bytes]], number: int) -> None:
        """Store all of it in the open transaction, which becomes the commit with this number.

        Raises InboxError if one of the deliveries is not pending any more, so that nothing happens twice.
        """
        if closed := [{"of": member, "id": key} for member, key in self._closed]:
            first = and_(HANDLED, OPENED, columns.member == bindparam("of"), columns.key == bindparam("id"))
            connection.execute(update(deliveries).where(first).values(is_open=None), closed)
        found, opened = 0, set(self._open.values())
        values = {"state": DeliveryState.HANDLED.value, "retry_at": None, "commit_number": number}
        for is_open, handled in (True, sorted(opened)), (None, [one for one in self.handled if one not in opened]):
            for start in range(0, len(handled), 500):
                numbers = handled[start : start + 500]
                pending = update(deliveries).where(
                    columns.number.in_(numbers), columns.state == DeliveryState.PENDING.value
                )
                found += connection.execute(pending.values({**values, "is_open": is_open})).rowcount
        if found != len(self.handled):
            raise InboxError("deliveries that were handled here were handled elsewhere meanwhile")
        for delivery, changed in self._updates:
            connection.execute(update(deliveries).where(columns.number == delivery).values(changed))
        if rows := [{"member": member, "snapshot": one, "commit_number": number} for member, one in snapshots]:
            connection.execute(_upsert(connection, members, "snapshot", "commit_number"), rows)
        if self.effects:
            made = [{"key": key, "delivery": one.number, "member": one.member} for key, one in self.effects.items()]
            connection.execute(insert(effects), made)
        if self._cases:
            connection.execute(_upsert(connection, cases), self._cases)
        for start in range(0, len(self.added), 500):
            part = OF_ANOTHER_MEMBER.where(columns.number.in_(self.added[start : start + 500]))
            connection.execute(insert(cases).from_select(RAISED, part), {"commit": number})


def _upsert(connection: Connection, table: Table, *replaced: str) -> Any:
    """An insertion that replaces these columns of a row that is there, or leaves it alone."""
    insertion = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    if not replaced:
        return insertion.on_conflict_do_nothing()
    keys = list(table.primary_key)
    return insertion.on_conflict_do_update(index_elements=keys, set_={name: insertion.excluded[name] for name in replaced})
