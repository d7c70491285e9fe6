# SPDX-License-Identifier: MIT
"""What an inbox stores and answers, as statements in a transaction that was begun."""

from __future__ import annotations

import datetime
import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    func,
    literal_column,
    select,
    true,
    tuple_,
    union_all,
    update,
)

from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._examination import examine
from bankhook.inbox._records import Case, CaseKind, DeadLetters, Overdue, Query
from bankhook.inbox._sql import states
from bankhook.inbox._sql.rows import (
    UNKNOWN_TIME,
    fitting,
    in_parts,
    in_range,
    insert_new,
    last_number,
    last_number_for_all,
    numbers_in_range,
    parts,
    read,
    stored,
)
from bankhook.inbox._sql.tables import NOT_HANDLED, OPEN, OPENED, cases, columns, deliveries, inbox
from bankhook.inbox._sql.types import shortened

STATES = [state.value for state in DeliveryState]
KINDS = {kind.value: kind for kind in CaseKind}
PAGE_BYTES = 16 << 20  # what is read at once of bodies that are large

other = deliveries.alias("other")
commit = select(columns.commit_number).where(columns.number == cases.c.delivery).correlate(cases).scalar_subquery()


def _nearest(function: Any, *which: ColumnElement[bool]) -> Any:
    """The number of a delivery that was handled before that of a case, of the same id, and of the same member or of another."""
    of_another = cases.c.kind == CaseKind.ID_OF_ANOTHER_MEMBER.value
    same = (other.c.key == cases.c.key) & ((other.c.member != cases.c.member) == of_another)
    compares = cases.c.kind.not_in([CaseKind.FIRST_EVENT_MISSING.value, CaseKind.FINDINGS_STATED.value])
    handled = other.c.commit_number.is_not(None) & (other.c.commit_number <= commit)
    return select(function(other.c.number)).where(compares, same, handled, *which).correlate(cases).scalar_subquery()


COMPARED_WITH = func.coalesce(
    _nearest(func.max, other.c.number < cases.c.delivery), _nearest(func.min, other.c.number > cases.c.delivery)
).label("compared_with")


def append(connection: Connection, new: Sequence[Delivery]) -> Sequence[int]:
    """Insert deliveries; numbers follow one another, and become visible in their order."""
    first = last_number_for_all(connection) + 1
    insert_new(connection, first, new)
    return range(first, first + len(new))


def mark(connection: Connection, size: int) -> None:
    """Store a delivery with so many bytes as `append` does, so that the commit needs all that a commit needs, and leave nothing.

    PostgreSQL writes what a savepoint rolls back, without the right to delete; SQLite writes what was deleted since.
    """
    marker = examine(os.urandom(size))
    if connection.dialect.name == "postgresql":
        with connection.begin_nested() as savepoint:
            append(connection, [marker])
            savepoint.rollback()
    else:
        connection.execute(delete(deliveries).where(columns.number.in_(append(connection, [marker]))))


def oldest_pending(connection: Connection) -> datetime.datetime | None:
    """When the first delivery that is pending was received."""
    pending = and_(NOT_HANDLED, columns.state == DeliveryState.PENDING.value)
    return connection.scalar(select(columns.received).where(pending).order_by(columns.number).limit(1))


def page(
    connection: Connection, query: Query, *, after: int | None, newest_first: bool, limit: int
) -> tuple[list[Delivery], int | None]:
    """The next deliveries that a query asks for, after one of these numbers in the order that is asked for.

    With the number after which the next page begins; None if this is the last.
    """
    follows = true() if after is None else after > columns.number if newest_first else after < columns.number
    sized = [select(columns.number, func.length(columns.body)).where(part, follows) for part in parts(query)]
    place: ColumnElement[int] = literal_column("number")
    merged = union_all(*sized).order_by(place.desc() if newest_first else place).limit(limit)
    sizes = [(number, size or 0) for number, size in connection.execute(merged)] if sized else []
    numbers = fitting(sizes, PAGE_BYTES)
    if not numbers:
        return [], None
    has_more = len(numbers) < len(sizes) or len(sizes) == limit
    found = stored(connection, columns.number.in_(numbers), newest_first=newest_first)
    return found, numbers[-1] if has_more else None


def counts(connection: Connection) -> dict[DeliveryState, int]:
    """How many deliveries there are in each state; it reads a small index, but nothing of the handled ones.

    Those are the rest: numbers follow one another, and how many were deleted is known.
    """
    waiting = select(columns.state, func.count()).where(NOT_HANDLED).group_by(columns.state)
    found = Counter[DeliveryState]()
    for state, count in connection.execute(waiting):
        found[DeliveryState(state) if state in STATES else DeliveryState.PARKED] += count
    total = last_number(connection) - connection.scalars(select(inbox.c.removed)).one()
    found[DeliveryState.HANDLED] = total - found.total()
    return {state: found[state] for state in DeliveryState}


def state_of(connection: Connection, member: str) -> bytes | None:
    """The snapshot of a member, after what was handled since the stored one."""
    ((_, found),) = states.load(connection, [shortened(member)], 1)
    return None if found is None else found.state().snapshot()


def open_cases(connection: Connection, kind: str | None, member: str | None, *, after: int, limit: int) -> list[Case]:
    """The cases that nobody settled, the oldest first."""
    of_case = [cases.c[name] for name in Case.__match_args__ if name in cases.c]
    asked = [cases.c[name] == value for name, value in (("kind", kind), ("member", member)) if value is not None]
    statement = select(*of_case, COMPARED_WITH).where(OPEN, cases.c.number > in_range(after), *asked)
    found = read(connection, statement.order_by(cases.c.number).limit(limit), cases.c.number)
    read_as: list[dict[str, Any]] = [known(row) | {"kind": KINDS.get(row.kind, row.kind)} for row in found]
    return [Case(**one) for one in read_as]


def settle(connection: Connection, numbers: Collection[int], now: datetime.datetime) -> int:
    """Settle open cases."""
    settled = update(cases).where(OPEN).values(settled_at=now)
    these = in_parts(numbers_in_range(numbers))
    return sum(connection.execute(settled.where(cases.c.number.in_(part))).rowcount for part in these)


def dead_letters(connection: Connection) -> list[DeadLetters]:
    """The quarantined deliveries by their rule; at most 100 of each are looked at."""
    quarantined = and_(NOT_HANDLED, columns.state == DeliveryState.QUARANTINED.value)
    rule = columns.rule
    found = connection.execute(select(rule, func.count()).where(quarantined).group_by(rule)).all()
    groups: list[DeadLetters] = []
    for name, count in sorted(found, key=lambda row: (-row[1], row[0] or "")):
        newest = select(columns.number, columns.member, columns.key).where(quarantined, rule == name)
        rows = read(connection, newest.order_by(columns.number.desc()).limit(100))
        numbers, members, keys = zip(*rows, strict=True)
        groups.append(DeadLetters(name or "", count, numbers, _distinct(members), _distinct(keys)))
    return groups


def _distinct(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def overdue(connection: Connection, before: datetime.datetime, *, after: Overdue | None, limit: int) -> list[Overdue]:
    """The open transactions that were first reported before a time, the oldest first."""
    received, delivery = columns.received, columns.number
    opened = select(columns.key, columns.member, received, delivery.label("delivery"))
    statement = opened.where(OPENED, received < before)
    if after is not None:  # a delivery opens one transaction at most
        statement = statement.where(tuple_(received, delivery) > (after.received, in_range(after.delivery)))
    found = read(connection, statement.order_by(received, delivery).limit(limit))
    return [Overdue(**known(row)) for row in found]


def known(row: Any) -> dict[str, Any]:
    """The values of a row; what cannot be read of it is empty."""
    values: dict[str, Any] = row._asdict()
    empty = {"received": UNKNOWN_TIME, "member": "", "key": ""}
    return values | {name: empty[name] for name in empty if values[name] is None}
