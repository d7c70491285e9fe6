# SPDX-License-Identifier: MIT
"""`bankhook inbox`: what an inbox contains and what needs a person; deliveries are retried and cases settled."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bankhook.cli import options
from bankhook.cli.terminal import plain, say, say_json

if TYPE_CHECKING:
    from bankhook._records.record import Record
    from bankhook.inbox import Case, Inbox, Overdue, StoredDelivery

__all__ = ["command"]

T = TypeVar("T")
R = TypeVar("R", bound="Record")
_PAGE = 500  # records that are in memory at once
_STATES = ("pending", "handled", "quarantined", "parked")
_KINDS = ("left_validated", "differs_from_created", "first_event_missing", "findings_stated")

_url = click.argument("url", metavar="URL")
_member = click.option("--member", type=options.ID, metavar="ID", help="Only those of this member.")


@click.group(short_help="Look into an inbox, retry deliveries, settle cases.")
def command() -> None:
    """Look into an inbox: its deliveries, and what needs a person.

    \b
    Example:
      bankhook inbox deliveries --state parked inbox.db

    URL is a file for SQLite, or postgresql://…, or nats://….

    Exit status: 0 fine, 1 something needs a person, 2 wrong usage or an inbox that cannot be opened.
    """


@command.command()
@_url
@click.option(
    "--state", "states", multiple=True, type=click.Choice(_STATES), help="Only those in this state; several are allowed."
)
@_member
@click.option("--key", type=options.ID, metavar="ID", help="Only those about this connection or transaction.")
@click.option("--rule", metavar="RULE", help="Only those that were rejected for this rule.")
@click.option(
    "--limit", default=20, type=click.IntRange(min=1), show_default=True, metavar="N", help="The newest N of them."
)
@options.show_values
@options.as_json
def deliveries(
    url: str,
    states: tuple[str, ...],
    member: str | None,
    key: str | None,
    rule: str | None,
    limit: int,
    show_values: bool,
    as_json: bool,
) -> int:
    """List the newest deliveries, the newest first. Payloads and tracebacks are left out without --show-values."""
    from bankhook.inbox import DeliveryState, Query

    query = Query(member=member, key=key, rule=rule, states=tuple(map(DeliveryState, states)))

    async def newest(inbox: Inbox) -> list[StoredDelivery]:
        return [one async for one in inbox.find(query, newest_first=True, limit=limit)]

    for one in _with(url, newest):
        row = {"number": one.number, "received": _time(one.received), "state": one.state.value, "event": one.event}
        row |= {"member": one.member, "key": one.key, "rule": one.findings[0].rule if one.findings else None}
        row |= {"attempts": one.attempts, "retry_at": _time(one.retry_at)}
        if show_values:
            row |= {"body": one.body.decode(errors="replace"), "error": one.error}
        _say(row, as_json)
    return 0


@command.command("dead-letters", short_help="List quarantined deliveries by rule.")
@_url
@options.as_json
def dead_letters(url: str, as_json: bool) -> int:
    """List the quarantined deliveries by rule, with the ids that could still be read in them."""
    return 1 if _say_all(_with(url, lambda inbox: inbox.dead_letters()), as_json) else 0


@command.command()
@_url
@click.option("--kind", type=click.Choice(_KINDS), help="Only those of this kind.")
@_member
@options.as_json
def cases(url: str, kind: str | None, member: str | None, as_json: bool) -> int:
    """List the open cases, the oldest first."""

    def page(inbox: Inbox, last: Case | None) -> Awaitable[Sequence[Case]]:
        return inbox.cases(kind=kind, member=member, after=last.number if last else 0, limit=_PAGE)

    return _say_pages(url, page, as_json)


@command.command(short_help="List transactions that stay open.")
@_url
@click.option(
    "--days", default=3.0, type=click.FloatRange(min=0), show_default=True, metavar="N", help="Open for longer than this."
)
@options.as_json
def overdue(url: str, days: float, as_json: bool) -> int:
    """List the transactions that are neither validated nor rejected after some days."""
    age = datetime.timedelta(days=days)

    def page(inbox: Inbox, last: Overdue | None) -> Awaitable[Sequence[Overdue]]:
        return inbox.open_since(age, after=last, limit=_PAGE)

    return _say_pages(url, page, as_json)


@command.command(short_help="Make deliveries pending again.")
@_url
@click.argument("numbers", nargs=-1, type=int, metavar="[NUMBER]...")
@click.option("--state", type=click.Choice(("quarantined", "parked")), help="All those in this state, instead of numbers.")
@click.option("--rule", metavar="RULE", help="All those that were rejected for this rule, instead of numbers.")
@options.as_json
def retry(url: str, numbers: tuple[int, ...], state: str | None, rule: str | None, as_json: bool) -> int:
    """Make quarantined and parked deliveries pending again; quarantined ones are examined again first."""
    from bankhook.inbox import DeliveryState, Query

    if bool(numbers) == (state is not None or rule is not None):
        raise click.UsageError("give numbers, or --state or --rule")
    query = Query(rule=rule, states=() if state is None else (DeliveryState(state),))
    _say({"pending": _with(url, lambda inbox: inbox.retry(numbers or query))}, as_json)
    return 0


@command.command()
@_url
@click.argument("numbers", nargs=-1, required=True, type=int, metavar="NUMBER...")
@options.as_json
def settle(url: str, numbers: tuple[int, ...], as_json: bool) -> int:
    """Mark cases as settled."""
    _say({"settled": _with(url, lambda inbox: inbox.settle(numbers))}, as_json)
    return 0


def _with(url: str, ask: Callable[[Inbox], Awaitable[T]]) -> T:
    """Open an inbox that exists, and ask it."""
    try:
        from bankhook.inbox import open

        if "://" not in url and not Path(url).is_file():
            raise click.FileError(url, "there is no such inbox")
        inbox = open(url)

        async def answer() -> T:
            async with inbox:
                return await ask(inbox)

        return asyncio.run(answer())
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def _say_pages(url: str, page: Callable[[Inbox, R | None], Awaitable[Sequence[R]]], as_json: bool) -> int:
    """List what comes page by page: each is asked for with the last record of the one before."""

    async def say_each(inbox: Inbox) -> int:
        last: R | None = None
        while records := await page(inbox, last):
            _say_all(records, as_json)
            last = records[-1]
        return 0 if last is None else 1

    return _with(url, say_each)


def _say_all(records: Iterable[Record], as_json: bool) -> bool:
    """List records, and return whether there are any."""
    rows = [record.to_dict() for record in records]
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
    say("  ".join(f"{name}={_short(value)}" for name, value in known.items()))


def _short(value: Any) -> str:
    if isinstance(value, list):
        shown = [str(one) for one in value[:5]]
        return plain(",".join(shown) + ("…" if len(value) > 5 else ""))
    return plain(str(value))


def _time(value: datetime.datetime | None) -> str | None:
    return None if value is None else value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
