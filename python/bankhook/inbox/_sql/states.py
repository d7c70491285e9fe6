# SPDX-License-Identifier: MIT
"""The state of members in a SQL database: a snapshot, and the deliveries that were handled since."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlalchemy import Connection, select

from bankhook.inbox._members import StoredMember
from bankhook.inbox._sql.tables import deliveries, members

__all__ = ["load"]

PART = 500  # members that a statement can take


def load(connection: Connection, wanted: Collection[str]) -> Iterator[tuple[str, StoredMember]]:
    """What is stored of members, for those of which anything is."""
    names = list(wanted)
    for start in range(0, len(names), PART):
        part = members.c.member.in_(names[start : start + PART])
        found = {row.member: StoredMember(row.snapshot) for row in connection.execute(select(members).where(part))}
        column = deliveries.c
        is_later = column.commit_number > members.c.commit_number
        since = (
            select(column.member, column.body)
            .join_from(members, deliveries, (column.member == members.c.member) & is_later)
            .where(part)
            .order_by(column.commit_number, column.number)
        )
        for row in connection.execute(since):
            found[row.member].since.append(row.body)
        yield from found.items()
