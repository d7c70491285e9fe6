# SPDX-License-Identifier: MIT
"""Deletes what need not be kept any more: all of a member, or deliveries that need nobody any more."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator

from sqlalchemy import ColumnElement, Connection, delete, select, tuple_, update

from bankhook._records.errors import SnapshotError
from bankhook._records.stored import DeliveryState
from bankhook.inbox._sql import states
from bankhook.inbox._sql.reprocessing import note_purged
from bankhook.inbox._sql.rows import LARGEST, PAGE, last_number_for_all, lock_inbox, read
from bankhook.inbox._sql.tables import HANDLED, NOT_HANDLED, OPEN, cases, columns, deliveries, effects, inbox, members

Place = tuple[datetime.datetime, int]


def forget(connection: Connection, member: str) -> int:
    """Delete all that is stored of a member; how many deliveries that were."""
    _begin(connection)
    tables = (effects, cases, members)
    others = sum(connection.execute(delete(table).where(table.c.member == member)).rowcount for table in tables)
    count = sum(_delete(connection, state & (columns.member == member)) for state in (HANDLED, NOT_HANDLED))
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
        dismissed = columns.state == DeliveryState.DISMISSED.value
        count = _delete(connection, NOT_HANDLED & dismissed & (columns.received < before))
    old = select(columns.number, columns.received, columns.member).where(HANDLED, columns.received < before)
    if after is not None:
        old = old.where(tuple_(columns.received, columns.number) > after)
    rows = read(connection, old.order_by(columns.received, columns.number).limit(PAGE))
    unreadable = {*_write_snapshots(connection, [row.number for row in rows], commit)}
    kept = set(connection.scalars(select(cases.c.delivery).where(OPEN)))
    unneeded = {row.number: row.member for row in rows if row.number not in kept and row.member not in unreadable}
    note_purged(connection, {*unneeded.values()} - {None})
    count += _delete(connection, columns.number.in_(unneeded))
    last = next((row for row in reversed(rows) if row.received is not None), None)
    return count, (last.received, last.number) if last is not None and len(rows) == PAGE else None


def delete_waiting(connection: Connection, end: int) -> int:
    """Delete what is not handled up to this number, which is elsewhere by now."""
    _begin(connection)
    return _delete(connection, NOT_HANDLED & (columns.number <= end))


def _begin(connection: Connection) -> int:
    """Let SQLite overwrite what is deleted; nobody else commits before the end. The number of the last commit."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    return lock_inbox(connection)


def _write_snapshots(connection: Connection, numbers: Collection[int], commit: int) -> Iterator[str]:
    """Write the snapshots of the members again that lack one of these deliveries; yield those that cannot be read."""
    lacking = (columns.member == members.c.member) & (columns.commit_number > members.c.commit_number)
    stale = select(members.c.member).distinct().join(deliveries, lacking).where(columns.number.in_(numbers))
    # A page of deliveries has fewer members than are loaded at once.
    for member, found in states.load(connection, connection.scalars(stale).all(), LARGEST):
        assert found is not None
        try:
            snapshot = found.state().snapshot()
        except SnapshotError:
            yield member
            continue
        again = update(members).where(members.c.member == member)
        connection.execute(again.values(snapshot=snapshot, commit_number=commit))


def _delete(connection: Connection, which: ColumnElement[bool]) -> int:
    """Delete deliveries, whose numbers are not given to others: counts and numbers rest on what was deleted."""
    last = last_number_for_all(connection)
    count: int = connection.execute(delete(deliveries).where(which)).rowcount
    connection.execute(update(inbox).values(removed=inbox.c.removed + count, last_number=last))
    return count
