# SPDX-License-Identifier: MIT
"""The state of members in a SQL database: a snapshot, and the deliveries that were handled since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, func, select

from bankhook.inbox._members import StoredMember
from bankhook.inbox._sql.rows import fitting, stored_bytes
from bankhook.inbox._sql.tables import columns, deliveries, members

AT_ONCE = 500  # members that a statement names


def load(connection: Connection, wanted: Sequence[str], most: int) -> Iterator[tuple[str, StoredMember | None]]:
    """What is stored of the first of these members, whose snapshots have so many bytes at most; None if nothing is.

    What was handled since a snapshot is not larger than it, or small.
    """
    first = wanted[:AT_ONCE]
    sizes = select(members.c.member, func.length(members.c.snapshot).label("size")).where(members.c.member.in_(first))
    size_of = {row.member: row.size or 0 for row in connection.execute(sizes)}
    these = fitting(((member, size_of.get(member, 0)) for member in first), most)
    found = _stored(connection, [member for member in these if member in size_of])
    for member in these:
        yield member, found.pop(member, None)


def _stored(connection: Connection, wanted: Sequence[str]) -> dict[str, StoredMember]:
    if not wanted:
        return {}
    these = members.c.member.in_(wanted)
    found = {
        row.member: StoredMember(stored_bytes(row.snapshot)) for row in connection.execute(select(members).where(these))
    }
    is_later = columns.commit_number > members.c.commit_number
    since = (
        select(columns.member, columns.body)
        .join_from(members, deliveries, (columns.member == members.c.member) & is_later)
        .where(these)
        .order_by(columns.commit_number, columns.number)
    )
    for row in connection.execute(since):
        found[row.member].since.append(stored_bytes(row.body))
    return found
