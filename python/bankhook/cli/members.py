# SPDX-License-Identifier: MIT
"""The state of the tracked members, one row each."""

from __future__ import annotations

import collections
import heapq
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import bankhook
from bankhook.cli.terminal import plain

if TYPE_CHECKING:
    from rich.table import Table

    from bankhook import Tracker

__all__ = ["Standing", "standings", "table"]


class Standing(NamedTuple):
    """The state of one member."""

    member: str
    connections_on: int | None
    """As the service counts; None before the first bank-connection event of the member."""
    connections_off: int | None
    connections: int
    """Neither deleted nor unlisted."""
    deleted: int
    unlisted: int
    """No longer among all connections of the member, although no delete has come."""
    in_error: int
    awaiting_accounts: int
    accounts: int
    transactions: dict[str, int]
    """How many transactions have each status."""


def standings(tracker: Tracker, limit: int, member: str | None = None) -> Iterator[Standing]:
    """Yield the states of the first members in the order of their ids, or of one member; 0 means no limit."""
    ids = [member] if member is not None else heapq.nsmallest(limit, tracker) if limit else sorted(tracker)
    for id_ in ids:
        if (held := tracker.member(id_)) is not None:
            yield _standing(tracker, id_, held.membership)


def _standing(tracker: Tracker, id_: str, membership: bankhook.Membership | None) -> Standing:
    connections = tracker.connections(id_)
    gone = (bankhook.TrackedState.DELETED, bankhook.TrackedState.UNLISTED)
    there = [held.connection for held in connections if held.state not in gone]
    unlisted = sum(held.state == bankhook.TrackedState.UNLISTED for held in connections)
    statuses = collections.Counter(str(held.initial_transaction.status) for held in tracker.transactions(id_))
    return Standing(
        member=id_,
        connections_on=membership.connections_on if membership else None,
        connections_off=membership.connections_off if membership else None,
        connections=len(there),
        deleted=len(connections) - len(there) - unlisted,
        unlisted=unlisted,
        in_error=sum(one.error_code is not None or one.error_message is not None for one in there),
        awaiting_accounts=sum(not one.accounts for one in there),
        accounts=sum(len(one.accounts) for one in there),
        transactions=dict(statuses.most_common()),
    )


def table(rows: list[Standing]) -> Table:
    """Return a table: "banks" are connections; "waiting" are those that have no accounts yet (6.2)."""
    from rich import box
    from rich.table import Table

    known = [str(status) for status in bankhook.TransactionStatus]
    grid = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1), header_style="bold")
    grid.add_column("member", no_wrap=True, overflow="ellipsis")
    for head in ("on/off", "banks", "in error", "waiting", "accounts", *known, "other"):
        grid.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        counts = (row.connections, row.in_error, row.awaiting_accounts, row.accounts)
        statuses = [row.transactions.get(status, 0) for status in known]
        others = sum(row.transactions.values()) - sum(statuses)
        counted = "" if row.connections_on is None else f"{row.connections_on}/{row.connections_off}"
        cells = (f"{number:,}" if number else "·" for number in (*counts, *statuses, others))
        grid.add_row(plain(row.member), counted, *cells)
    return grid
