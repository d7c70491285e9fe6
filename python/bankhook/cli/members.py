# SPDX-License-Identifier: MIT
"""The state of the tracked members, one row each."""

from __future__ import annotations

import collections
import heapq
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import bankhook
from bankhook.cli.terminal import plain, width, wrapped

if TYPE_CHECKING:
    from bankhook import Tracker

__all__ = ["Standing", "standings", "table_lines"]

_LEGEND = (
    "on/off: active connections and those in error, as the service counts them; banks: connections neither deleted nor "
    "unlisted; waiting: those without accounts so far; created to rejected: transactions; other: those with another status"
)
_IMPORTANT = ("in error", "created", "validated", "rejected", "on/off", "banks", "waiting")


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
    """The last list that counted, or their own, lacks them, without a delete since."""
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


def _standing(tracker: Tracker, id_: str, membership: bankhook.types.Membership | None) -> Standing:
    connections = tracker.connections(id_)
    gone = (bankhook.types.ConnectionState.DELETED, bankhook.types.ConnectionState.UNLISTED)
    there = [held.connection for held in connections if held.state not in gone]
    unlisted = sum(held.state == bankhook.types.ConnectionState.UNLISTED for held in connections)
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


def table_lines(rows: list[Standing]) -> Iterator[str]:
    """Yield a table, and what its columns mean.

    In a terminal, columns that do not fit are left out, the least important first, and named below it; ids are never cut.
    """
    known = [str(status) for status in bankhook.TransactionStatus]
    heads = ("on/off", "banks", "in error", "waiting", "accounts", *known, "other")
    cells = [_cells(row, known) for row in rows]
    widths = [max(len(head), *(len(line[at]) for line in cells)) for at, head in enumerate(heads)]
    first = max(len("member"), *(len(plain(row.member)) for row in rows))
    shown = _fitting(heads, widths, first)
    for member, line in (("member", heads), *((plain(row.member), one) for row, one in zip(rows, cells, strict=True))):
        text = f"{member:{first}}" + "".join(f"  {line[at]:>{widths[at]}}" for at in shown)
        yield from wrapped((text, {"bold": member == "member"}))
    if left := [head for at, head in enumerate(heads) if at not in shown]:
        yield from wrapped((f"left out, because the terminal is too narrow: {', '.join(left)}", {}))
    yield from wrapped((_LEGEND, {}))


def _cells(row: Standing, known: list[str]) -> list[str]:
    statuses = [row.transactions.get(status, 0) for status in known]
    others = sum(row.transactions.values()) - sum(statuses)
    counted = "" if row.connections_on is None else f"{row.connections_on}/{row.connections_off}"
    counts = (row.connections, row.in_error, row.awaiting_accounts, row.accounts, *statuses, others)
    return [counted, *(f"{number:,}" if number else "·" for number in counts)]


def _fitting(heads: tuple[str, ...], widths: list[int], first: int) -> list[int]:
    """Return the columns that fit the terminal, in their order, chosen by their importance."""
    most = width()
    if most is None:
        return list(range(len(heads)))
    shown, used = list[int](), first
    for head in (*_IMPORTANT, *(head for head in heads if head not in _IMPORTANT)):
        at = heads.index(head)
        used += 2 + widths[at]
        if used > most:
            break
        shown.append(at)
    return sorted(shown)
