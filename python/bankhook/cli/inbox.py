# SPDX-License-Identifier: MIT
"""`bankhook inbox`: what an inbox contains and what needs a person; deliveries are retried and cases settled."""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

import bankhook
from bankhook.cli import inboxes, options
from bankhook.cli.terminal import complain, plain, say, say_json, say_wrapped, width

if TYPE_CHECKING:
    from bankhook._records.record import Record
    from bankhook.inbox import Case, Inbox, Overdue, StoredDelivery

__all__ = ["command"]

R = TypeVar("R", bound="Record")
_PAGE = 500  # records that are in memory at once
_LISTED = 5  # numbers or ids of a list

_NUMBER = click.IntRange(1, 10**18)  # what every store can take

_url = click.argument("url", metavar="URL")
_member = click.option("--member", type=options.ID, metavar="ID", help="Only those of this member.")


@click.group(short_help="Look into an inbox, retry deliveries, settle cases.")
def command() -> None:
    """Look into an inbox: its deliveries, and what needs a person.

    \b
    Example:
      bankhook inbox deliveries --state parked inbox.db
      bankhook inbox deliveries --show-values inbox.db 3

    With --json, one object per line; `bankhook schema` has the shapes of `deliveries`, `dead-letters`, `cases` and
    `overdue`, and of what `retry` (`retried`) and `settle` (`settled`) print.

    URL is a file for SQLite, or postgresql://…. It has to exist: these commands do not make one.

    Exit status: 0 fine, 1 `dead-letters`, `cases` or `overdue` list something, or something was not done, 2 wrong
    usage, an inbox that cannot be opened, or `cases` and `overdue` before anything has been handled: they come from
    handling, so what is listed then is not known.
    """


@command.command(short_help="List the newest deliveries, or some by number.")
@_url
@click.argument("numbers", nargs=-1, type=_NUMBER, metavar="[NUMBER]...")
@click.option(
    "--state",
    "states",
    multiple=True,
    type=options.Choice(inboxes.STATES),
    help="Only those in this state; repeat the option to allow several states.",
)
@_member
@click.option("--key", type=options.ID, metavar="ID", help="Only those about this connection or transaction.")
@click.option("--rule", type=options.STORED_RULE, metavar="RULE", help="Only those that were rejected for this rule.")
@click.option(
    "--limit", default=20, type=click.IntRange(1, 10**9), show_default=True, metavar="N", help="The newest N of them."
)
@options.show_values
@options.as_json
def deliveries(
    url: str,
    numbers: tuple[int, ...],
    states: tuple[str, ...],
    member: str | None,
    key: str | None,
    rule: str | None,
    limit: int,
    show_values: bool,
    as_json: bool,
) -> int:
    """List the newest deliveries, the newest first, or those with the given numbers: then with what is wrong with a
    quarantined one. Values and tracebacks are left out without --show-values.
    """
    from bankhook.inbox import DeliveryState, Query

    query = Query(member=member, key=key, rule=rule, states=tuple(map(DeliveryState, states)))
    if numbers and query != Query():
        raise click.UsageError("give numbers, or conditions")
    if numbers:
        found, missing = inboxes.asked(url, lambda inbox: inboxes.numbered(inbox, numbers))
        for one in found:
            _say_delivery(one, show_values, as_json)
            if one.findings and not as_json:
                _say_findings(one, show_values)
        for number in missing:
            complain(f"delivery {number} is not in the inbox")
        return 1 if missing else 0
    found, more = inboxes.asked(url, lambda inbox: inboxes.newest(inbox, query, limit))
    if not found and not as_json:
        say_wrapped(("no deliveries match" if query != Query() else "no deliveries", {}))
    for one in found:
        _say_delivery(one, show_values, as_json)
    if more:
        _note(f"{more}; --limit N shows more", as_json)
    return 0


@command.command("dead-letters", short_help="List quarantined deliveries by rule.")
@_url
@options.as_json
def dead_letters(url: str, as_json: bool) -> int:
    """List the quarantined deliveries by rule, with the ids that could still be read in them. Those are not events;
    deliveries whose handlers kept failing are parked: `bankhook inbox deliveries --state parked URL`.
    """
    letters, parked = inboxes.asked(url, inboxes.dead_letters)
    if not letters and not as_json:
        say_wrapped(("no quarantined deliveries", {}))
    _say_all(letters, as_json)
    if any(one.count > _LISTED for one in letters) and not as_json:
        _note("all of a rule: bankhook inbox deliveries --rule RULE URL", as_json)
    if parked:
        _note(f"{parked:,} parked, whose handlers kept failing: bankhook inbox deliveries --state parked URL", as_json)
    return 1 if letters else 0


@command.command()
@_url
@click.option("--kind", type=options.Choice(inboxes.CASE_KINDS), help="Only those of this kind.")
@_member
@options.as_json
def cases(url: str, kind: str | None, member: str | None, as_json: bool) -> int:
    """List the open cases, the oldest first.

    \b
    left_validated        a validated transaction got another status
    differs_from_created  a field is not what an earlier event reported
    first_event_missing   the created or create was not the first to arrive
    findings_stated       the event breaks a rule that the specification states
    id_of_another_member  a transaction of another member had the id before
    """

    def page(inbox: Inbox, last: Case | None) -> Awaitable[Sequence[Case]]:
        return inbox.cases(kind=kind, member=member, after=last.number if last else 0, limit=_PAGE)

    return _say_pages(url, page, "no open cases" if kind is member is None else "no cases match", as_json)


@command.command(short_help="List transactions that stay open.")
@_url
@click.option(
    "--days",
    default=3.0,
    type=options.NumberRange(0, 100_000),
    show_default=True,
    metavar="N",
    help="Open for longer than this.",
)
@options.as_json
def overdue(url: str, days: float, as_json: bool) -> int:
    """List the transactions that are neither validated nor rejected after some days."""
    age = datetime.timedelta(days=days)

    def page(inbox: Inbox, last: Overdue | None) -> Awaitable[Sequence[Overdue]]:
        return inbox.open_since(age, after=last, limit=_PAGE)

    return _say_pages(url, page, "no overdue transactions", as_json)


@command.command(short_help="Make deliveries pending again.")
@_url
@click.argument("numbers", nargs=-1, type=_NUMBER, metavar="[NUMBER]...")
@click.option(
    "--state", type=options.Choice(("quarantined", "parked")), help="All those in this state, instead of numbers."
)
@click.option(
    "--rule",
    type=options.STORED_RULE,
    metavar="RULE",
    help="All those that were rejected for this rule, instead of numbers.",
)
@options.as_json
def retry(url: str, numbers: tuple[int, ...], state: str | None, rule: str | None, as_json: bool) -> int:
    """Make quarantined and parked deliveries pending again, and print how many are. Quarantined ones are examined again:
    they stay quarantined if they are still not events. What could not be retried is listed on standard error.
    """
    from bankhook.inbox import DeliveryState, Query

    if bool(numbers) == (state is not None or rule is not None):
        raise click.UsageError("give numbers, or --state or --rule")
    query = Query(rule=rule, states=() if state is None else (DeliveryState(state),))
    return _say_done("retried", inboxes.asked(url, lambda inbox: inboxes.retry(inbox, numbers or query)), as_json)


@command.command()
@_url
@click.argument("numbers", nargs=-1, required=True, type=_NUMBER, metavar="NUMBER...")
@options.as_json
def settle(url: str, numbers: tuple[int, ...], as_json: bool) -> int:
    """Mark cases as settled, and print how many were open."""
    return _say_done("settled", inboxes.asked(url, lambda inbox: inboxes.settle(inbox, numbers)), as_json)


def _say_pages(url: str, page: Callable[[Inbox, R | None], Awaitable[Sequence[R]]], nothing: str, as_json: bool) -> int:
    """List what comes page by page: each is asked for with the last record of the one before."""

    async def say_each(inbox: Inbox) -> int:
        last: R | None = None
        while records := await page(inbox, last):
            _say_all(records, as_json)
            last = records[-1]
        if last is None:
            nothing_known = await inboxes.known(inbox, nothing)
            if not as_json:
                say_wrapped((nothing_known, {}))
        return 0 if last is None else 1

    return inboxes.asked(url, say_each)


def _say_done(name: str, done: inboxes.Done, as_json: bool) -> int:
    count, problems = done
    _say({name: count}, as_json)
    for problem in problems:
        complain(problem)
    return 1 if problems else 0


def _say_delivery(one: StoredDelivery, show_values: bool, as_json: bool) -> None:
    from bankhook.inbox._retries import class_and_traceback

    row = {"number": one.number, "received": _time(one.received), "state": one.state.value, "event": one.event}
    row |= {"member": one.member, "key": one.key, "rule": one.findings[0].rule if one.findings else None}
    error, traceback = class_and_traceback(one.error)
    row |= {"attempts": one.attempts, "retry_at": _time(one.retry_at), "error": error}
    if show_values:
        row |= {"body": one.body.decode(errors="replace")} | ({"traceback": traceback} if as_json else {})
    _say(row, as_json)
    if show_values and traceback and not as_json:
        for line in traceback.rstrip("\n").split("\n"):
            say_wrapped((plain(line), {}), first=4, rest=8)


def _say_findings(one: StoredDelivery, show_values: bool) -> None:
    """Explain what is wrong with a payload, as `check` does."""
    explained = bankhook.explain(bankhook.diagnose(one.body), one.body, width=(width() or 108) - 4, show_values=show_values)
    for line in explained.splitlines():
        say(f"    {line}".rstrip())


def _note(text: str, as_json: bool) -> None:
    """Print a line after what was listed; standard output is for objects alone with --json."""
    if as_json:
        complain(text)
    else:
        say_wrapped((text, {}))


def _say_all(records: Sequence[Record], as_json: bool) -> bool:
    """List records, and return whether there are any."""
    rows = [inboxes.row_of(record) for record in records]
    for row in rows:
        _say(
            {name: _time(value) if isinstance(value, datetime.datetime) else value for name, value in row.items()}, as_json
        )
    return bool(rows)


def _say(row: dict[str, Any], as_json: bool) -> None:
    if as_json:
        say_json(row)
        return
    known = {name: value for name, value in row.items() if value is not None and value != []}
    if known.get("attempts") == 0:
        del known["attempts"]
    say_wrapped(("  ".join(f"{name}={_short(value)}" for name, value in known.items()), {}), rest=4)


def _short(value: Any) -> str:
    if isinstance(value, list):
        rest = len(value) - _LISTED
        return plain(",".join(map(str, value[:_LISTED])) + (f" and {rest:,} more" if rest > 0 else ""))
    return plain(str(value))


def _time(value: datetime.datetime | None) -> str | None:
    return None if value is None else value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
