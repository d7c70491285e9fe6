# SPDX-License-Identifier: MIT
"""What an operator looks for in a tracker: errors, accounts that are awaited, consents that end, open transactions."""

from __future__ import annotations

import collections
import datetime
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import bankhook
from bankhook import _core
from bankhook.cli.terminal import plain, styled, wrapped

if TYPE_CHECKING:
    from bankhook import Tracker
    from bankhook.types import TrackedConnection, TrackedMember, TrackedTransaction

__all__ = ["LISTED", "Attention", "attention_lines", "attention_of"]

LISTED = 3
"""How many of a kind are listed unless all are asked for."""
_T = TypeVar("_T")


class Attention(NamedTuple):
    """What is open, by the ids that it concerns."""

    in_error: tuple[TrackedConnection, ...]
    ending: tuple[TrackedConnection, ...]
    """Connections whose consent ends before a day and has not ended yet, the earliest first."""
    ended: tuple[TrackedConnection, ...]
    created: tuple[TrackedTransaction, ...]
    """Transactions that are neither validated nor rejected yet, the oldest first."""
    awaiting: tuple[TrackedConnection, ...]
    differing: tuple[tuple[TrackedMember, int], ...]
    """Members whose counts together are not the number of their connections that are neither deleted nor unlisted."""
    relisted: tuple[int, str] | tuple[()]
    """How many events list a connection after its delete, and where the first one is; empty if none does."""


def attention_of(
    tracker: Tracker, before: datetime.date, now: datetime.datetime, relisted: tuple[int, str] | tuple[()] = ()
) -> Attention:
    """Return what is open, with the consents that end before this day; `now` has no zone, like the ends of consents."""
    created = tracker.transactions(status=bankhook.TransactionStatus.CREATED)
    end = datetime.datetime.combine(before, datetime.time())
    ending = tracker.consents_ending_before(end)
    ended = len(tracker.consents_ending_before(min(now, end)))  # they are the first of the others
    return Attention(
        tracker.in_error(),
        ending[ended:],
        ending[:ended],
        tuple(sorted(created, key=lambda one: one.initial_transaction.date.isoformat())),
        tracker.awaiting_accounts(),
        tuple(_differing(tracker)),
        relisted,
    )


def _differing(tracker: Tracker) -> Iterator[tuple[TrackedMember, int]]:
    gone = (bankhook.types.ConnectionState.DELETED, bankhook.types.ConnectionState.UNLISTED)
    there = collections.Counter(held.member_id for held in tracker.connections() if held.state not in gone)
    for member in tracker.members():
        held, counts = there[member.customer.id], member.membership
        if counts is not None and counts.connections_on + counts.connections_off != held:
            yield member, held


def attention_lines(
    found: Attention, before: datetime.date, now: datetime.datetime, most: int | None = LISTED
) -> Iterator[str]:
    """Yield a line for each kind of thing that is open, with the first ids; all if `most` is None."""
    if not any(found):
        return
    yield styled("Needs attention", bold=True)
    yield from _lines("in error", "connection", found.in_error, _error, most)
    is_past = datetime.datetime.combine(before, datetime.time()) <= now
    ended = (
        f"ended before {before}" if is_past else f"has ended as of {now:%Y-%m-%d %H:%M} UTC (--ending DATE: by that day)"
    )
    yield from _lines(f"whose consent {ended}", "connection", found.ended, _end, most)
    yield from _lines(f"whose consent ends before {before}", "connection", found.ending, _end, most)
    yield from _lines("neither validated nor rejected", "transaction", found.created, _since, most)
    yield from _lines("without accounts so far", "connection", found.awaiting, _owner, most)
    yield from _lines("whose counts differ from the connections tracked", "member", found.differing, _counts, most)
    if found.relisted:
        events, first = found.relisted
        text = f"{events:,} event{' lists' if events == 1 else 's list'} a connection after its delete, first at {first}"
        yield from wrapped((text, {}), first=2, rest=4)
    if most is not None and any(len(one) > most for one in found):
        yield "  --members 0 lists all"


def _lines(text: str, noun: str, found: Sequence[_T], about: Callable[[_T], str], most: int | None) -> Iterator[str]:
    if not found:
        return
    yield from wrapped((f"{len(found):,} {noun}{'' if len(found) == 1 else 's'} {text}", {}), first=2, rest=4)
    for one in found[:most]:
        yield from wrapped((plain(about(one)), {}), first=4, rest=8)
    if most is not None and len(found) > most:
        yield f"    and {len(found) - most:,} more"


def _counts(found: tuple[TrackedMember, int]) -> str:
    member, held = found
    counts = member.membership
    assert counts is not None
    return f"{member.customer.id} (on/off {counts.connections_on}/{counts.connections_off}, tracked {held})"


def _owner(held: TrackedConnection) -> str:
    return f"{held.connection.id} of {held.member_id}"


def _error(held: TrackedConnection) -> str:
    return f"{_owner(held)} ({held.connection.error_code or 'no code'})"


def _end(held: TrackedConnection) -> str:
    return f"{_owner(held)} ({_core._written(held.connection, 'consent_expires_at')})"


def _since(held: TrackedTransaction) -> str:
    purchase = held.initial_transaction
    return f"{purchase.id} of {held.customer.id} ({_core._written(purchase, 'date')})"
