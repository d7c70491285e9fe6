# SPDX-License-Identifier: MIT
"""What an inbox stores and answers, as statements in a transaction that was begun."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, insert, or_, select, text, update

from bankhook.inbox._examination import examine
from bankhook.inbox._records import Arrival, Case, CaseKind, DeadLetters, DeliveryState, Overdue, Query, StoredDelivery
from bankhook.inbox._sql.rows import COLUMNS, conditions, findings_of, row_of, stored
from bankhook.inbox._sql.schema import APPEND_LOCK
from bankhook.inbox._sql.tables import NOT_HANDLED, cases, deliveries, members, open_transactions

__all__ = ["append", "counts", "dead_letters", "open_cases", "overdue", "page", "retry", "settle", "state_of"]

PAGE = 100  # deliveries that are read at once: a body may be large
columns = deliveries.c
WAITING_FOR_A_PERSON = (DeliveryState.QUARANTINED, DeliveryState.PARKED)


def append(connection: Connection, arrivals: Sequence[Arrival]) -> Sequence[int]:
    """Insert deliveries; numbers follow one another, and become visible in their order."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": APPEND_LOCK})
    last = connection.scalar(select(func.max(columns.number))) or 0
    numbers = range(last + 1, last + 1 + len(arrivals))
    connection.execute(insert(deliveries), [row_of(*pair) for pair in zip(numbers, arrivals, strict=True)])
    return numbers


def page(
    connection: Connection, query: Query | None, *, after: int | None, newest_first: bool, limit: int
) -> list[StoredDelivery]:
    """The next deliveries that a query asks for, after one of these numbers in the order that is asked for."""
    statement = select(*COLUMNS).where(*conditions(query)).limit(limit)
    if after is not None:
        statement = statement.where(after > columns.number if newest_first else after < columns.number)
    return [
        stored(row)
        for row in connection.execute(statement.order_by(columns.number.desc() if newest_first else columns.number))
    ]


def counts(connection: Connection) -> dict[DeliveryState, int]:
    """How many deliveries there are in each state; the handled ones are the rest, so that a small index is enough."""
    waiting = select(columns.state, func.count()).where(NOT_HANDLED).group_by(columns.state)
    found = {DeliveryState(state): count for state, count in connection.execute(waiting)}
    total = connection.scalar(select(func.count()).select_from(deliveries)) or 0
    found[DeliveryState.HANDLED] = total - sum(found.values())
    return {state: found.get(state, 0) for state in DeliveryState}


def state_of(connection: Connection, member: str) -> bytes | None:
    """The snapshot of a member."""
    return connection.scalar(select(members.c.snapshot).where(members.c.member == member))


def retry(connection: Connection, asked: Collection[int] | Query, now: datetime.datetime) -> int:
    """Make deliveries pending again, in pages."""
    wanted = and_(NOT_HANDLED, columns.state.in_([state.value for state in WAITING_FOR_A_PERSON]))
    count = 0
    for query, numbers in _parts(asked):
        after = 0
        while True:
            statement = (
                select(*COLUMNS)
                .where(wanted, after < columns.number, *conditions(query))
                .order_by(columns.number)
                .limit(PAGE)
            )
            if numbers is not None:
                statement = statement.where(columns.number.in_(numbers))
            found = [stored(row) for row in connection.execute(statement)]
            if not found:
                break
            after = found[-1].number
            count += sum(_retry(connection, delivery, now) for delivery in found)
    return count


def _parts(asked: Collection[int] | Query) -> Iterator[tuple[Query | None, list[int] | None]]:
    """A query unchanged, numbers in parts that a statement can take."""
    if isinstance(asked, Query):
        yield asked, None
        return
    numbers = sorted(set(asked))
    for start in range(0, len(numbers), PAGE):
        yield None, numbers[start : start + PAGE]


def _retry(connection: Connection, delivery: StoredDelivery, now: datetime.datetime) -> bool:
    """Examine what was quarantined; whether the delivery is pending now."""
    values: dict[str, Any] = {"state": DeliveryState.PENDING.value, "attempts": 0, "retry_at": now, "error": None}
    if delivery.state is DeliveryState.QUARANTINED:
        arrival = examine(delivery.body, received=delivery.received, headers=delivery.headers)
        read = {"event": arrival.event, "member": arrival.member, "key": arrival.key, **findings_of(arrival.findings)}
        values = read if arrival.findings else values | read
    connection.execute(update(deliveries).where(columns.number == delivery.number).values(values))
    return "state" in values


def open_cases(
    connection: Connection, kind: str | None, member: str | None, *, after: int, limit: int | None
) -> list[Case]:
    """The cases that nobody settled, the oldest first."""
    statement = select(*(cases.c[name] for name in Case.__match_args__)).where(cases.c.settled_at.is_(None))
    if kind is not None:
        statement = statement.where(cases.c.kind == kind)
    if member is not None:
        statement = statement.where(cases.c.member == member)
    statement = statement.where(cases.c.number > after).order_by(cases.c.number).limit(limit)
    return [_case(row._asdict()) for row in connection.execute(statement)]


def _case(values: dict[str, Any]) -> Case:
    values["kind"] = CaseKind(values["kind"])
    return Case(**values)


def settle(connection: Connection, numbers: Collection[int], now: datetime.datetime) -> int:
    """Settle open cases."""
    count = 0
    for _, part in _parts(numbers):
        settled = update(cases).where(cases.c.number.in_(part or ()), cases.c.settled_at.is_(None))
        count += connection.execute(settled.values(settled_at=now)).rowcount
    return count


def dead_letters(connection: Connection) -> list[DeadLetters]:
    """The quarantined deliveries by their rule; at most 100 of each are looked at."""
    quarantined = and_(NOT_HANDLED, columns.state == DeliveryState.QUARANTINED.value)
    rule = columns.rule
    found = connection.execute(select(rule, func.count()).where(quarantined).group_by(rule)).all()
    groups: list[DeadLetters] = []
    for name, count in sorted(found, key=lambda row: (-row[1], row[0])):
        newest = select(columns.number, columns.member, columns.key).where(quarantined, rule == name)
        rows = connection.execute(newest.order_by(columns.number.desc()).limit(100)).all()
        numbers = tuple(row.number for row in rows)
        groups.append(
            DeadLetters(name, count, numbers, _distinct(row.member for row in rows), _distinct(row.key for row in rows))
        )
    return groups


def _distinct(texts: Iterator[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def overdue(
    connection: Connection, before: datetime.datetime, *, after: Overdue | None, limit: int | None
) -> list[Overdue]:
    """The open transactions that were first reported before a time, the oldest first."""
    received, delivery = open_transactions.c.received, open_transactions.c.delivery
    statement = select(*(open_transactions.c[name] for name in Overdue.__match_args__)).where(received < before)
    if after is not None:  # a delivery opens one transaction at most
        follows = or_(received > after.received, delivery > after.delivery)
        statement = statement.where(received >= after.received, follows)
    return [Overdue(**row._asdict()) for row in connection.execute(statement.order_by(received, delivery).limit(limit))]
