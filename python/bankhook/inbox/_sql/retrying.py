# SPDX-License-Identifier: MIT
"""What a person decides on deliveries: to try them again, page by page, so that nobody waits long, or to dismiss them."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, select, update

from bankhook._records.stored import DeliveryState, StoredDelivery
from bankhook.inbox._examination import examine
from bankhook.inbox._records import Query
from bankhook.inbox._sql.rows import COLUMNS, conditions, findings_of, numbers_in_range, stored
from bankhook.inbox._sql.tables import NOT_HANDLED, deliveries
from bankhook.inbox._sql.types import shortened

__all__ = ["changes", "dismiss", "make", "pages", "retryable"]

PAGE = 100  # deliveries of a transaction, which are in memory with their bodies
columns = deliveries.c
WAITING_FOR_A_PERSON = (DeliveryState.QUARANTINED, DeliveryState.PARKED)
Change = tuple[StoredDelivery, dict[str, Any]]
"""A delivery as it was read, and the columns that become different."""


def pages(asked: Collection[int] | Query) -> Iterator[tuple[Query | None, list[int] | None]]:
    """A query unchanged, numbers in parts that a statement can take."""
    if isinstance(asked, Query):
        yield asked, None
        return
    numbers = numbers_in_range(asked)
    for start in range(0, len(numbers), PAGE):
        yield None, numbers[start : start + PAGE]


def retryable(connection: Connection, query: Query | None, numbers: list[int] | None, after: int) -> list[StoredDelivery]:
    """The next deliveries that wait for a person, of those that were asked for."""
    is_named = query is None or DeliveryState.DISMISSED in query.states
    wanted = _waiting(
        query, numbers, [*WAITING_FOR_A_PERSON, DeliveryState.DISMISSED] if is_named else WAITING_FOR_A_PERSON
    )
    statement = select(*COLUMNS).where(wanted, after < columns.number)
    return [stored(row) for row in connection.execute(statement.order_by(columns.number).limit(PAGE))]


def dismiss(connection: Connection, asked: Collection[int] | Query) -> int:
    """Let nobody look at deliveries that wait for a person; how many did."""
    count = 0
    for query, numbers in pages(asked):
        waiting = update(deliveries).where(_waiting(query, numbers, WAITING_FOR_A_PERSON))
        count += connection.execute(waiting.values(state=DeliveryState.DISMISSED.value)).rowcount
    return count


def _waiting(query: Query | None, numbers: list[int] | None, states: Sequence[DeliveryState]) -> ColumnElement[bool]:
    these = and_(NOT_HANDLED, columns.state.in_([state.value for state in states]), *conditions(query))
    return these if numbers is None else and_(these, columns.number.in_(numbers))


def changes(found: Sequence[StoredDelivery], now: datetime.datetime) -> list[Change]:
    """Examine what was quarantined. What would change no column is left out."""
    made: list[Change] = []
    for delivery in found:
        values: dict[str, Any] = {"state": DeliveryState.PENDING.value, "attempts": 0, "retry_at": now, "error": None}
        if delivery.findings:
            arrival = examine(delivery.body, received=delivery.received, headers=delivery.headers)
            about = {name: _stored(getattr(arrival, name)) for name in ("event", "member", "key")}
            read = {**about, **findings_of(arrival.findings)}
            if arrival.findings and read == _read_before(delivery):
                continue
            values = read if arrival.findings else values | read
        made.append((delivery, values))
    return made


def _stored(text: str | None) -> str | None:
    return None if text is None else shortened(text)


def _read_before(delivery: StoredDelivery) -> dict[str, Any]:
    about = {"event": delivery.event, "member": delivery.member, "key": delivery.key}
    return {**about, **findings_of(delivery.findings)}


def make(connection: Connection, made: Sequence[Change]) -> int:
    """Store the changes of deliveries that nobody changed meanwhile; how many are pending now."""
    count = 0
    for delivery, values in made:
        same = update(deliveries).where(columns.number == delivery.number, columns.state == delivery.state.value)
        changed = connection.execute(same.values(values)).rowcount
        count += changed if "state" in values else 0
    return count
