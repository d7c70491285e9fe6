# SPDX-License-Identifier: MIT
"""What an operator looks for in a tracker: errors, accounts that are awaited, consents that end, open transactions."""

from __future__ import annotations

import collections
import datetime
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import bankhook
from bankhook import _core
from bankhook._records.words import counted
from bankhook.cli.members import there
from bankhook.cli.terminal import gap, say

if TYPE_CHECKING:
    from bankhook import Tracker
    from bankhook.types import TrackedConnection

__all__ = ["say_attention"]


def say_attention(tracker: Tracker, before: datetime.date | None, relisted: Sequence[str], most: int) -> None:
    """Print a line for each kind of thing that is open, with the first ids, or all if `most` is 0.

    Those are consents that end before a day, by default in 30 days, and those that have ended, too; `relisted` are sentences
    about connections that are listed after their delete.
    """
    kinds = [(text, rows) for text, rows in _kinds(tracker, before) if rows]
    if not kinds and not relisted:
        return
    gap()
    say(("Needs attention", "bold"))
    for text, rows in kinds:
        say(text, first=2, rest=4)
        for row in rows[: most or None]:
            say(row, first=4, rest=8)
        if most and len(rows) > most:
            say(f"and {len(rows) - most:,} more", first=4)
    for text in relisted:
        say(text, first=2, rest=4)
    if most and any(len(rows) > most for _, rows in kinds):
        say("--members 0 lists all", first=2)


def _as_of(tracker: Tracker) -> tuple[datetime.datetime, str]:
    """Return the moment by which an archive is judged, which may be old: its latest date, or now, and what that is.

    The ends of consents have no zone, so neither has the time to compare them with.
    """
    now = datetime.datetime.now(datetime.UTC)
    dates = [one.initial_transaction.date for one in tracker.transactions()]
    utc = [date.replace(tzinfo=date.tzinfo or datetime.UTC) for date in dates]
    latest = min(now, max(utc, default=now))
    about = "now" if latest is now else "the latest `date` of a transaction"
    return latest.astimezone(datetime.UTC).replace(tzinfo=None), about


def _kinds(tracker: Tracker, before: datetime.date | None) -> Iterator[tuple[str, list[str]]]:
    """Yield what is open, and a text for each thing that it concerns."""
    rows = [f"{_owner(one)} ({one.connection.error_code or 'no code'})" for one in tracker.in_error()]
    yield f"{counted(len(rows), 'connection')} in error", rows
    now, about = _as_of(tracker)
    before = before or now.date() + datetime.timedelta(days=30)
    end = datetime.datetime.combine(before, datetime.time())
    ending = tracker.consents_ending_before(end)
    ended = len(tracker.consents_ending_before(min(now, end)))  # they are the first of the others
    as_of = f"has ended as of {now:%Y-%m-%d %H:%M} UTC, {about} (--ending DATE: by that day)"
    past = f"ended before {before}" if end <= now else as_of
    for text, found in ((past, ending[:ended]), (f"ends before {before}", ending[ended:])):
        rows = [f"{_owner(one)} ({_core._written(one.connection, 'consent_expires_at')})" for one in found]
        yield f"{counted(len(rows), 'connection')} whose consent {text}", rows
    created = tracker.transactions(status=bankhook.TransactionStatus.CREATED)
    rows = [
        f"{one.initial_transaction.id} of {one.customer.id} ({_core._written(one.initial_transaction, 'date')})"
        for one in sorted(created, key=lambda one: one.initial_transaction.date.isoformat())
    ]
    yield f"{counted(len(rows), 'transaction')} neither validated nor rejected", rows
    rows = [_owner(one) for one in tracker.awaiting_accounts()]
    yield f"{counted(len(rows), 'connection')} without accounts so far", rows
    rows = list(_differing(tracker))
    yield f"{counted(len(rows), 'member')} whose counts differ from the connections tracked", rows


def _differing(tracker: Tracker) -> Iterator[str]:
    """Yield the members whose counts together are not the number of their connections that are there."""
    held = collections.Counter(one.member_id for one in tracker.connections() if there(one))
    for member in tracker.members():
        id_, counts = member.customer.id, member.membership
        if counts is not None and counts.connections_on + counts.connections_off != held[id_]:
            yield f"{id_} (on/off {counts.connections_on}/{counts.connections_off}, tracked {held[id_]})"


def _owner(held: TrackedConnection) -> str:
    return f"{held.connection.id} of {held.member_id}"
