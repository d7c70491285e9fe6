# SPDX-License-Identifier: MIT
"""`bankhook inbox`: what an inbox contains and what needs a person; with the commands that change something."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

import click

import bankhook
from bankhook._records.words import listed
from bankhook.cli import amend, inboxes, options, shapes
from bankhook.cli.options import Chosen, option
from bankhook.cli.terminal import complain, say, say_json, so_far, width
from bankhook.inbox import CaseKind, DeliveryState, Query
from bankhook.inbox._external_ids import naming
from bankhook.inbox._retries import class_and_traceback

if TYPE_CHECKING:
    from bankhook.inbox import Delivery, Inbox


@click.group()
@options.color
def command() -> None:
    """Look into an inbox: its deliveries, and what needs a person; delete what need not be kept.

    \b
    Example:
      bankhook inbox deliveries --state parked inbox.db
      bankhook inbox deliveries --show-values inbox.db 3
      bankhook inbox purge --days 400 inbox.db

    With --json, one object per line; `bankhook schema` has the shapes of `deliveries`, `dead-letters`, `cases` and
    `overdue`, and `done` of what the others print.

    URL is a file for SQLite, or postgresql://…. It has to exist: these commands do not make one.

    Exit status: 0 fine, 1 `dead-letters`, `cases` or `overdue` list something, or something was not done, 2 wrong
    usage or an inbox that cannot be opened. `cases` and `overdue` come from handling: before anything was handled they
    list nothing, and say so on standard error.
    """


@inboxes.looking(
    command,
    "List the newest deliveries, or some by number.",
    *(inboxes.numbers, inboxes.states, inboxes.member, inboxes.external_id, inboxes.key, inboxes.rule),
    option("--limit", "The newest N of them.", options.MANY, 20),
    options.show_values,
)
async def deliveries(inbox: Inbox, chosen: Chosen) -> int:
    """List the newest deliveries, the newest first, or those with the given numbers: then with what is wrong with a
    quarantined one. Values and tracebacks are left out without --show-values.
    """
    states, limit = tuple(map(DeliveryState, chosen.states)), chosen.limit
    query = Query(member=chosen.member, key=chosen.key, rule=chosen.rule, states=states)
    if chosen.numbers:
        if query != Query() or chosen.external_id is not None:
            raise click.UsageError("give numbers, or conditions")
        return await _say_numbered(inbox, chosen)
    found = [one async for one in _newest(inbox, query, chosen.external_id, limit + 1)]
    if not found and not chosen.as_json:
        say("no deliveries" if query == Query() and chosen.external_id is None else "no deliveries match")
    for one in found[:limit]:
        _say_delivery(one, chosen)
    if len(found) > limit:
        complain(f"the newest {limit:,}; --limit N shows more")
    return 0


async def _newest(inbox: Inbox, query: Query, external_id: str | None, limit: int) -> AsyncIterator[Delivery]:
    if external_id is None:
        async for one in inbox.find(query, newest_first=True, limit=limit):
            yield one
        return
    async for one, member in naming(external_id, inbox.find(query, newest_first=True)):
        if member is not None:
            yield one
            if (limit := limit - 1) == 0:
                return


async def _say_numbered(inbox: Inbox, chosen: Chosen) -> int:
    missing: list[int] = []
    for number in dict.fromkeys(chosen.numbers):
        found = [one async for one in inboxes.numbered(inbox, number)]
        missing += [] if found else [number]
        for one in found:
            _say_delivery(one, chosen)
            if one.findings and not chosen.as_json:  # explained as by `check`
                room, findings = (width() or 108) - 4, bankhook.diagnose(one.body)
                explained = bankhook.explain(findings, one.body, width=room, show_values=chosen.show_values)
                for line in explained.splitlines():
                    say(line, first=4 if line else 0, rest=None)
    for number in missing:
        complain(f"delivery {number} is not in the inbox")
    return 1 if missing else 0


@inboxes.looking(command, "List quarantined deliveries by rule.")
async def dead_letters(inbox: Inbox, chosen: Chosen) -> int:
    """List the quarantined deliveries by rule, with the ids that could still be read in them. Those are not events;
    deliveries whose handlers kept failing are parked: `bankhook inbox deliveries --state parked URL`.
    """
    letters, parked = await inbox.dead_letters(), (await inbox.counts())[DeliveryState.PARKED]
    if not letters and not chosen.as_json:
        say("no quarantined deliveries")
    so_far.status |= bool(letters)
    for one in letters:
        _say(shapes.shaped(shapes.DEAD_LETTERS, one), chosen)
    if parked:
        complain(f"{parked:,} parked, whose handlers kept failing: bankhook inbox deliveries --state parked URL")
    return 1 if letters else 0


@inboxes.looking(
    command,
    "List the open cases, the oldest first.",
    option("--kind", "Only those of this kind.", tuple(map(str, CaseKind))),
    inboxes.member,
)
async def cases(inbox: Inbox, chosen: Chosen) -> int:
    """List the open cases, the oldest first.

    \b
    left_validated        a validated transaction got another status
    differs_from_created  a field is not what an earlier event reported
    first_event_missing   the created or create was not the first to arrive
    findings_stated       the event breaks a rule that the specification states
    id_of_another_member  a transaction of another member had the id before
    """
    found = await inbox.cases(kind=chosen.kind, member=chosen.member)
    rows = [shapes.shaped(shapes.CASE, one, case=one.number, field=None if one.rule else one.field) for one in found]
    nothing = "no open cases" if chosen.kind is chosen.member is None else "no cases match"
    return await _say_open(inbox, rows, nothing, chosen)


@inboxes.looking(
    command,
    "List transactions that stay open.",
    option("--days", "Open for longer than this.", options.DAYS, 3),
)
async def overdue(inbox: Inbox, chosen: Chosen) -> int:
    """List the transactions that are neither validated nor rejected after some days."""
    found = await inbox.open_since(datetime.timedelta(days=chosen.days))
    return await _say_open(inbox, [shapes.shaped(shapes.OVERDUE, one) for one in found], "no overdue transactions", chosen)


async def _say_open(inbox: Inbox, rows: Sequence[dict[str, Any]], nothing: str, chosen: Chosen) -> int:
    so_far.status |= bool(rows)
    for row in rows:
        _say(row, chosen)
    if rows:
        return 1
    counts = await inbox.counts()
    if counts[DeliveryState.PENDING] and not counts[DeliveryState.HANDLED]:  # an empty list is no all-clear
        complain(f"nothing has been handled yet ({counts[DeliveryState.PENDING]:,} pending), which is what finds them")
    elif not chosen.as_json:
        say(nothing)
    return 0


def _say_delivery(one: Delivery, chosen: Chosen) -> None:
    error, traceback = class_and_traceback(one.error)
    values: dict[str, Any] = {"body": one.body.decode(errors="replace")} if chosen.show_values else {}
    if chosen.show_values and chosen.as_json:
        values["traceback"] = traceback
    _say(
        shapes.shaped(shapes.STORED, one, rule=one.findings[0].rule if one.findings else None, error=error, **values),
        chosen,
    )
    if chosen.show_values and traceback and not chosen.as_json:
        for line in traceback.rstrip("\n").split("\n"):
            say(line, first=4, rest=8)


def _say(row: dict[str, Any], chosen: Chosen) -> None:
    if chosen.as_json:
        say_json(row)
        return
    known = {name: value for name, value in row.items() if value not in (None, ()) and (name, value) != ("attempts", 0)}
    shown = {name: listed(value, ",") if isinstance(value, tuple) else value for name, value in known.items()}
    say("  ".join(f"{name}={value}" for name, value in shown.items()), rest=4)


amend.add_commands(command)
