# SPDX-License-Identifier: MIT
"""Deletes what need not be kept any more: all of a member, or deliveries that need nobody any more."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import Connection, delete, select, tuple_, update

from bankhook._records.errors import SnapshotError
from bankhook._records.stored import DeliveryState
from bankhook.inbox._records import Query
from bankhook.inbox._sql.finding import remove
from bankhook.inbox._sql.reprocessing import note_purged
from bankhook.inbox._sql.rows import (
    LARGEST,
    PAGE,
    REMOVE_TIMES,
    THESE,
    WITH_DELIVERIES,
    driver_of,
    execute,
    in_parts,
    last_number_for_all,
    lock_inbox,
    parts,
    read,
    upserted,
)
from bankhook.inbox._sql.states import load
from bankhook.inbox._sql.tables import (
    NOT_HANDLED,
    OPEN,
    cases,
    columns,
    deliveries,
    effects,
    handled,
    inbox,
    members,
    opened,
    states,
)

HASHED = columns.member, columns.key
Place = tuple[datetime.datetime, int]


def forget(connection: Connection, member: str) -> int:
    """Delete all that is stored of a member; how many deliveries that were."""
    _begin(connection)
    tables = (effects, cases, members)
    others = sum(connection.execute(delete(table).where(table.c.member == member)).rowcount for table in tables)
    count = sum(_delete(connection, part) for part in parts(Query(member=member), *HASHED))
    if count or others:  # what handles deliveries may have the member in memory: it reads what is stored again
        connection.execute(update(inbox).values(forgotten=inbox.c.forgotten + 1))
    return count


def purge(connection: Connection, before: datetime.datetime, after: Place | None) -> tuple[int, Place | None]:
    """Delete the next handled deliveries that were received before a time and of which no case is open.

    Return how many, and the place after which the next ones are; None at the end. What is tracked of their members stays. The
    first call deletes cases that were settled, and deliveries that were dismissed, too.
    """
    commit, count = _begin(connection), 0
    if after is None:
        connection.execute(delete(cases).where(cases.c.settled_at.is_not(None), cases.c.received < before))
        dismissed = states.c.state == DeliveryState.DISMISSED.value
        which = NOT_HANDLED, dismissed, columns.received < before
        count = _delete(connection, select(states.c.number, *HASHED).select_from(WITH_DELIVERIES).where(*which))
    received, number = handled.c.received, handled.c.number
    old = select(number, received, columns.member).join_from(handled, deliveries, number == columns.number)
    old = old.where(received < before)
    if after is not None:
        old = old.where(tuple_(received, number) > after)
    rows = read(connection, old.order_by(received, number).limit(PAGE), number)
    unreadable = {*_write_snapshots(connection, {row.member for row in rows} - {None}, commit)}
    kept = set(connection.scalars(select(cases.c.delivery).where(OPEN)))
    unneeded = {row.number: row.member for row in rows if row.number not in kept and row.member not in unreadable}
    note_purged(connection, {*unneeded.values()} - {None})
    count += _delete(connection, select(columns.number, *HASHED).where(columns.number.in_(unneeded)))
    last = next((row for row in reversed(rows) if row.received is not None), None)
    return count, (last.received, last.number) if last is not None and len(rows) == PAGE else None


def delete_waiting(connection: Connection, end: int) -> int:
    """Delete what is not handled up to this number, which is elsewhere by now."""
    _begin(connection)
    waiting = select(states.c.number, *HASHED).select_from(WITH_DELIVERIES).where(NOT_HANDLED, states.c.number <= end)
    return _delete(connection, waiting)


def _begin(connection: Connection) -> int:
    """Let SQLite overwrite what is deleted; nobody else commits before the end. The number of the last commit."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    return lock_inbox(connection)


def _write_snapshots(connection: Connection, of: Collection[str], commit: int) -> Iterator[str]:
    """Write the snapshots of members again that lack deliveries; yield those that cannot be read."""
    # A page of deliveries has fewer members than are loaded at once.
    for member, found in load(connection, [*of], LARGEST):
        if found is None or not found.since:
            continue
        try:
            snapshot = found.state().snapshot()
        except SnapshotError:
            yield member
            continue
        again = upserted(connection, members, "snapshot", "commit_number")
        connection.execute(again.values(member=member, snapshot=snapshot, commit_number=commit))


def _delete(connection: Connection, which: Any) -> int:
    """Delete deliveries, whose numbers are not given to others: counts and numbers rest on what was deleted."""
    last = last_number_for_all(driver_of(connection))
    found = [*{(row.number, row.member, row.key): None for row in connection.execute(which)}]
    for part in in_parts(found):
        remove(connection, part)
        numbers = dict.fromkeys((number for number, *_ in part), 0)
        by_time = [REMOVE_TIMES.format(table.name) for table in (handled, opened)]
        for statement in (*by_time, *(f"DELETE FROM {table.name} WHERE {THESE}" for table in (states, deliveries))):
            execute(connection, statement, numbers)
    connection.execute(update(inbox).values(removed=inbox.c.removed + len(found), last_number=last))
    return len(found)
