# SPDX-License-Identifier: MIT
"""What an inbox stores and answers, as statements in a transaction that was begun."""

from __future__ import annotations

import datetime
import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, literal_column, select, tuple_, union_all, update

from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._examination import examine
from bankhook.inbox._records import Case, CaseKind, DeadLetters, Overdue, Query
from bankhook.inbox._sql.appending import append
from bankhook.inbox._sql.finding import About, about
from bankhook.inbox._sql.rows import (
    UNKNOWN_TIME,
    WITH_DELIVERIES,
    conditions,
    driver_of,
    fitting,
    in_parts,
    in_range,
    is_about_all,
    last_number,
    numbers_in_range,
    parts,
    read,
    stored,
)
from bankhook.inbox._sql.states import load
from bankhook.inbox._sql.tables import NOT_HANDLED, OPEN, cases, columns, deliveries, inbox, opened, states
from bankhook.inbox._sql.types import shortened

COMPARES_NOTHING = (CaseKind.FIRST_EVENT_MISSING, CaseKind.FINDINGS_STATED)
KINDS = {kind.value: kind for kind in CaseKind}
PAGE_BYTES = 16 << 20  # what is read at once of bodies that are large


def mark(connection: Connection, size: int) -> None:
    """Store a delivery with so many bytes as `append` does, so that the commit needs all that a commit needs, and leave nothing.

    PostgreSQL writes what a savepoint rolls back, without the right to delete; SQLite writes what was deleted since.
    """
    marker, driver = [examine(os.urandom(size))], driver_of(connection)
    if connection.dialect.name == "postgresql":
        with connection.begin_nested() as savepoint:
            append(driver, marker)
            savepoint.rollback()
    else:
        numbers = append(driver, marker)
        for table in (deliveries, states):
            connection.execute(delete(table).where(table.c.number.in_(numbers)))


def oldest_pending(connection: Connection) -> datetime.datetime | None:
    """When the first delivery that is pending was received."""
    pending = and_(NOT_HANDLED, states.c.state == DeliveryState.PENDING.value)
    oldest = select(columns.received).select_from(WITH_DELIVERIES).where(pending)
    return connection.scalar(oldest.order_by(states.c.number).limit(1))


def page(
    connection: Connection, query: Query, *, after: int | None, newest_first: bool, limit: int
) -> tuple[list[Delivery], int | None]:
    """The next deliveries that a query asks for, after one of these numbers in the order that is asked for.

    With the number after which the next page begins; None if this is the last.
    """
    if after is not None:
        query = query.replace(**{"before" if newest_first else "after": after})
    if limit == 1 and is_about_all(query):  # it may have any size
        first = select(columns.number).where(*conditions(query)).limit(1).correlate(None)
        first = first.order_by(columns.number.desc() if newest_first else columns.number)
        # By its number alone: else PostgreSQL may read through all states before it.
        found = stored(connection, columns.number == first.scalar_subquery())
        return found, next((one.number for one in found), None)
    rows = _first(connection, query, func.length(columns.body), newest_first=newest_first, limit=limit)
    sizes: dict[int, int] = {
        number: size or 0 for number, size in rows
    }  # one may be read twice while entries are put in order
    numbers = fitting(sizes.items(), PAGE_BYTES)
    if not numbers:
        return [], None
    has_more = len(numbers) < len(sizes) or len(rows) == limit
    found = stored(connection, columns.number.in_(numbers), newest_first=newest_first)
    return found, numbers[-1] if has_more else None


def _first(
    connection: Connection, query: Query, *what: ColumnElement[Any], newest_first: bool, limit: int
) -> Sequence[Any]:
    """The first numbers in an order, each with more of its delivery."""
    place: ColumnElement[int] = literal_column("number")
    if not (asked := parts(query, *what)):
        return []
    merged = union_all(*asked).order_by(place.desc() if newest_first else place).limit(limit)
    return connection.execute(merged).all()


def beside(connection: Connection, queries: Sequence[Query], number: int) -> tuple[int | None, int | None]:
    """The numbers of the next newer and the next older delivery that one of some queries asks for."""
    newer = [one.replace(after=max(number, one.after)) for one in queries]
    older = [one.replace(before=number if one.before is None else min(number, one.before)) for one in queries]
    above = [row.number for one in newer for row in _first(connection, one, newest_first=False, limit=1)]
    below = [row.number for one in older for row in _first(connection, one, newest_first=True, limit=1)]
    return min(above, default=None), max(below, default=None)


def counts(connection: Connection) -> dict[DeliveryState, int]:
    """How many deliveries there are in each state; it reads a small index, but nothing of the handled ones.

    Those are the rest: numbers follow one another, and how many were deleted is known.
    """
    waiting = select(states.c.state, func.count()).where(NOT_HANDLED).group_by(states.c.state)
    found = Counter[DeliveryState]()
    for state, count in connection.execute(waiting):
        found[DeliveryState(state)] += count
    total = last_number(driver_of(connection)) - connection.scalars(select(inbox.c.removed)).one()
    found[DeliveryState.HANDLED] = total - found.total()
    return {state: found[state] for state in DeliveryState}


def state_of(connection: Connection, member: str) -> bytes | None:
    """The snapshot of a member, after what was handled since the stored one."""
    ((_, found),) = load(connection, [shortened(member)], 1)
    return None if found is None else found.state().snapshot()


def open_cases(connection: Connection, kind: str | None, member: str | None, *, after: int, limit: int) -> list[Case]:
    """The cases that nobody settled, the oldest first."""
    of_case = [cases.c[name] for name in Case.__match_args__ if name in cases.c]
    asked = [cases.c[name] == value for name, value in (("kind", kind), ("member", member)) if value is not None]
    statement = select(*of_case).where(OPEN, cases.c.number > in_range(after), *asked)
    found = read(connection, statement.order_by(cases.c.number).limit(limit), cases.c.number)
    read_as: list[dict[str, Any]] = [known(row) | {"kind": KINDS.get(row.kind, row.kind)} for row in found]
    made = [Case(**one) for one in read_as]
    comparing = [one for one in made if one.kind not in COMPARES_NOTHING]
    handled = about(connection, [one.key for one in comparing])
    return [one.replace(compared_with=_compared_with(one, handled[one.key])) if one in comparing else one for one in made]


def _compared_with(case: Case, handled: Sequence[About]) -> int | None:
    """The number of a delivery that was handled before that of a case, of the same id, and of the same member or of another."""
    commit = next((one.commit for one in handled if one.number == case.delivery), 0)
    is_other = case.kind is CaseKind.ID_OF_ANOTHER_MEMBER
    numbers = [
        one.number
        for one in handled
        if one.commit <= commit and one.number != case.delivery and (one.member != case.member) is is_other
    ]
    before = [number for number in numbers if number < case.delivery]
    return max(before) if before else min(numbers, default=None)


def settle(connection: Connection, numbers: Collection[int], now: datetime.datetime) -> int:
    """Settle open cases."""
    settled = update(cases).where(OPEN).values(settled_at=now)
    these = in_parts(numbers_in_range(numbers))
    return sum(connection.execute(settled.where(cases.c.number.in_(part))).rowcount for part in these)


def dead_letters(connection: Connection) -> list[DeadLetters]:
    """The quarantined deliveries by their rule; at most 100 of each are looked at."""
    quarantined = and_(NOT_HANDLED, states.c.state == DeliveryState.QUARANTINED.value)
    rule = columns.rule
    of_rules = select(rule, func.count()).select_from(WITH_DELIVERIES).where(quarantined).group_by(rule)
    found = connection.execute(of_rules).all()
    groups: list[DeadLetters] = []
    for name, count in sorted(found, key=lambda row: (-row[1], row[0] or "")):
        newest = select(states.c.number, columns.member, columns.key).select_from(WITH_DELIVERIES).where(quarantined)
        rows = read(connection, newest.where(rule == name).order_by(states.c.number.desc()).limit(100), states.c.number)
        numbers, members, keys = zip(*rows, strict=True)
        groups.append(DeadLetters(name or "", count, numbers, _distinct(members), _distinct(keys)))
    return groups


def _distinct(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def overdue(connection: Connection, before: datetime.datetime, *, after: Overdue | None, limit: int) -> list[Overdue]:
    """The open transactions that were first reported before a time, the oldest first."""
    received, delivery = opened.c.received, opened.c.number
    of_opened = select(columns.key, columns.member, columns.received, columns.number.label("delivery"))
    statement = of_opened.join_from(opened, deliveries, columns.number == delivery).where(received < before)
    if after is not None:  # a delivery opens one transaction at most
        statement = statement.where(tuple_(received, delivery) > (after.received, in_range(after.delivery)))
    found = read(connection, statement.order_by(received, delivery).limit(limit))
    return [Overdue(**known(row)) for row in found]


def known(row: Any) -> dict[str, Any]:
    """The values of a row; what cannot be read of it is empty."""
    values: dict[str, Any] = row._asdict()
    empty = {"received": UNKNOWN_TIME, "member": "", "key": ""}
    return values | {name: empty[name] for name in empty if values[name] is None}
