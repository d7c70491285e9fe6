# SPDX-License-Identifier: MIT
"""The state of members in a SQL database: a snapshot, and the deliveries that were handled since."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, select

from bankhook._records.stored import DeliveryState
from bankhook.inbox._members import Snapshot, StoredMember
from bankhook.inbox._sql.tables import deliveries, members

__all__ = ["load", "rows"]

PART = 500  # members that a statement can take


def rows(snapshots: Iterable[tuple[str, Snapshot]]) -> list[dict[str, Any]]:
    """The rows of snapshots."""
    return [{"member": member, "snapshot": one.snapshot, "delivery": one.last} for member, one in snapshots]


def load(connection: Connection, wanted: Collection[str]) -> Iterator[tuple[str, StoredMember]]:
    """What is stored of members, for those of which anything is."""
    names = list(wanted)
    for start in range(0, len(names), PART):
        part = members.c.member.in_(names[start : start + PART])
        stored = connection.execute(select(members).where(part))
        found = {row.member: StoredMember(Snapshot(row.snapshot, row.delivery)) for row in stored}
        column = deliveries.c
        since = (
            select(column.member, column.number, column.body)
            .join_from(members, deliveries, (column.member == members.c.member) & (column.number > members.c.delivery))
            .where(part, column.state == DeliveryState.HANDLED.value)
            .order_by(column.number)
        )
        for row in connection.execute(since):
            found[row.member].since.append((row.number, row.body))
        yield from found.items()
