# SPDX-License-Identifier: MIT
"""The tracked members: what an operator looks for, the state of each in a row, and all that is tracked of one."""

from __future__ import annotations

import collections
import datetime
import heapq
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING

import bankhook
from bankhook._records.words import counted
from bankhook._render.values import written
from bankhook.cli.terminal import gap, say

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from bankhook import Tracker
    from bankhook.types import TrackedConnection


def _there(held: TrackedConnection) -> bool:
    """Return whether a connection is neither deleted nor unlisted."""
    return held.state not in (bankhook.types.ConnectionState.DELETED, bankhook.types.ConnectionState.UNLISTED)


def standings(tracker: Tracker, limit: int, ids: Iterable[str] | None = None) -> Iterator[SimpleNamespace]:
    """Yield the states of these members, or of the first in the order of their ids; 0 means no limit."""
    if ids is None:
        ids = heapq.nsmallest(limit, tracker) if limit else sorted(tracker)
    for id_ in ids:
        if (held := tracker.member(id_)) is None:
            continue
        connections = tracker.connections(id_)
        found = [one for one in connections if _there(one)]
        unlisted = sum(one.state == bankhook.types.ConnectionState.UNLISTED for one in connections)
        statuses = collections.Counter(str(one.initial_transaction.status) for one in tracker.transactions(id_))
        yield SimpleNamespace(
            member=id_,
            connections_on=held.membership and held.membership.connections_on,
            connections_off=held.membership and held.membership.connections_off,
            connections=len(found),
            deleted=len(connections) - len(found) - unlisted,
            unlisted=unlisted,
            in_error=sum(one.is_in_error for one in found),
            awaiting_accounts=sum(not one.connection.accounts for one in found),
            accounts=sum(len(one.connection.accounts) for one in found),
            transactions=dict(statuses.most_common()),
        )


def say_members(tracker: Tracker, limit: int) -> None:
    """Print a line for each of the first members: what there is of it, by the names that --json has."""
    rows = list(standings(tracker, limit))
    if not rows:
        return
    gap()
    say(("Members", "bold"))
    for row in rows:
        facts = [counted(row.connections, "connection")]
        if row.connections_on is not None:
            facts[0] += f" (service: {row.connections_on:,} on, {row.connections_off:,} off)"
        counts = {name: getattr(row, name) for name in ("deleted", "unlisted", "in_error", "awaiting_accounts")}
        facts += [f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items() if count]
        facts += [counted(row.accounts, "account"), *(f"{count:,} {name}" for name, count in row.transactions.items())]
        say((row.member, "bold"), ", ".join(facts), first=2, rest=4)
    if (more := len(tracker) - len(rows)) > 0:
        say(f"{more:,} more members: --members 0 lists all", first=2)


def say_member(tracker: Tracker, id_: str, *, show_values: bool) -> None:
    """Print what is tracked of a member, nothing of one that is not known; amounts and names only if they are asked for."""
    if (held := tracker.member(id_)) is None:
        return
    gap()
    say((f"Member {id_}", "bold"))
    if held.membership is not None:
        say(f"service: {held.membership.connections_on:,} on, {held.membership.connections_off:,} off", first=2)
    for each in tracker.connections(id_):
        bank = each.connection
        facts = [f"connection {bank.id}: {each.state or 'unknown'}"]
        facts += [f"in error {bank.error_code or 'without a code'}"] if each.is_in_error else []
        facts.append(f"consent ends {written(bank, 'consent_expires_at') or 'on a day that is not given'}")
        facts.append(f"transactions are eligible from {written(bank, 'transactions_eligible_from_date')}")
        facts += [counted(len(bank.accounts), "account"), *([f"bank {bank.bank}"] if show_values else [])]
        say(", ".join(facts), first=2, rest=6)
    for transaction in tracker.timeline(id_).transactions:
        one = transaction.initial_transaction
        facts = [f"transaction {one.id}: {one.status}"]
        facts += [f"because of {one.rejection_reason}"] if one.rejection_reason is not None else []
        facts += [f"purchase of {written(one, 'transaction_date')}", f"created {written(one, 'date')}"]
        facts += [f"amount {written(one, 'amount')}"] if show_values else []
        say(", ".join(facts), first=2, rest=6)
    note = "No event tells when it was sent: the only times are those above, and the lines of the archive are its order."
    say(note, first=2)


def say_attention(
    tracker: Tracker, before: datetime.date | None, zone: ZoneInfo | None, remarks: Sequence[str], most: int
) -> None:
    """Print a line for each kind of thing that is open, with the first ids, or all if `most` is 0.

    Those are consents that end before a day, by default in 30 days, and those that have ended, too, by the clock of a zone;
    `remarks` are sentences about events.
    """
    found = [(text, rows) for text, rows in _kinds(tracker, before, zone) if rows]
    kinds = [*found, *((text, list[str]()) for text in remarks)]
    if not kinds:
        return
    gap()
    say(("Needs attention", "bold"))
    for text, rows in kinds:
        say(text, first=2, rest=4)
        for row in rows[: most or None]:
            say(row, first=4, rest=8)
        if most and len(rows) > most:
            say(f"and {len(rows) - most:,} more", first=4)
    if most and any(len(rows) > most for _, rows in kinds):
        say("--members 0 lists all", first=2)


def _as_of(tracker: Tracker, zone: ZoneInfo | None) -> tuple[datetime.datetime, str]:
    """Return the moment by which an archive is judged, which may be old: its latest date, or now; and it in words.

    The ends of consents have no zone, so neither has the time to compare them with: it is that of a clock that users choose.
    """
    now = datetime.datetime.now(datetime.UTC)
    dates = [one.initial_transaction.date for one in tracker.transactions()]
    utc = [date.replace(tzinfo=date.tzinfo or datetime.UTC) for date in dates if date.year > 1]  # earlier: none in UTC
    latest = min(now, max(utc, default=now))
    about = "now" if latest is now else "the latest `date` of a transaction"
    local = latest.astimezone(zone or datetime.UTC).replace(tzinfo=None)
    choose = "--ending DATE: by that day" + ("" if zone else "; no event names a zone, --zone NAME takes another than UTC")
    return local, f"{local:%Y-%m-%d %H:%M} {zone or 'UTC'}, {about} ({choose})"


def _kinds(tracker: Tracker, before: datetime.date | None, zone: ZoneInfo | None) -> Iterator[tuple[str, list[str]]]:
    """Yield what is open, and a text for each thing that it concerns."""
    rows = [f"{_owner(one)} ({one.connection.error_code or 'no code'})" for one in tracker.in_error()]
    yield f"{counted(len(rows), 'connection')} in error", rows
    rows = [_owner(one) for one in tracker.connections() if one.state == bankhook.types.ConnectionState.UNLISTED]
    lacking = counted(len(rows), "connection that the latest list lacks", "connections that the latest lists lack")
    yield f"{lacking} (unlisted)", rows
    now, about = _as_of(tracker, zone)
    before = before or now.date() + datetime.timedelta(days=30)
    end = datetime.datetime.combine(before, datetime.time())
    ending = tracker.consents_ending_before(end)
    ended = len(tracker.consents_ending_before(min(now, end)))  # they are the first of the others
    past = f"ended before {before}" if end <= now else f"has ended as of {about}"
    for text, found in ((past, ending[:ended]), (f"ends before {before}", ending[ended:])):
        rows = [f"{_owner(one)} ({written(one.connection, 'consent_expires_at')})" for one in found]
        yield f"{counted(len(rows), 'connection')} whose consent {text}", rows
    created = tracker.transactions(status=bankhook.TransactionStatus.CREATED)
    rows = [
        f"{one.initial_transaction.id} of {one.customer.id} ({written(one.initial_transaction, 'date')})"
        for one in sorted(created, key=lambda one: one.initial_transaction.date.isoformat())
    ]
    yield f"{counted(len(rows), 'transaction')} neither validated nor rejected", rows
    rows = [_owner(one) for one in tracker.awaiting_accounts()]
    yield f"{counted(len(rows), 'connection')} without accounts so far", rows
    rows = list(_differing(tracker))
    yield f"{counted(len(rows), 'member')} whose counts differ from the connections tracked", rows


def _differing(tracker: Tracker) -> Iterator[str]:
    """Yield the members whose counts together are not the number of their connections that are there."""
    held = collections.Counter(one.member_id for one in tracker.connections() if _there(one))
    for member in tracker.members():
        id_, counts = member.customer.id, member.membership
        if counts is not None and counts.connections_on + counts.connections_off != held[id_]:
            yield f"{id_} (on/off {counts.connections_on}/{counts.connections_off}, tracked {held[id_]})"


def _owner(held: TrackedConnection) -> str:
    return f"{held.connection.id} of {held.member_id}"
