# SPDX-License-Identifier: MIT
"""`bankhook replay`: send deliveries of an inbox to a URL again, and show the answers."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import click

import bankhook
from bankhook.cli import answers, inboxes, options
from bankhook.cli.answers import Label, send_each
from bankhook.cli.posts import Posting
from bankhook.cli.target import allow_remote, headers, target_of
from bankhook.cli.terminal import complain

if TYPE_CHECKING:
    from bankhook.inbox import Inbox, Query

    _ParamType = click.ParamType[datetime.datetime]
else:
    _ParamType = click.ParamType  # generic from click 8.4 on

__all__ = ["command"]


class _Time(_ParamType):
    """A time as ISO 8601 writes it, in UTC if it has no offset."""

    name = "time"

    def convert(
        self, value: str | datetime.datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime.datetime:
        try:
            time = value if isinstance(value, datetime.datetime) else datetime.datetime.fromisoformat(value)
            return (time if time.tzinfo is not None else time.replace(tzinfo=datetime.UTC)).astimezone(datetime.UTC)
        except (ValueError, OverflowError):
            self.fail("expected a time such as 2026-03-01, 2026-03-01T10:30 or 2026-03-01T10:30:00+01:00", param, ctx)


@click.command(short_help="Send stored deliveries to a URL again.")
@click.argument("inbox")
@click.argument("url")
@click.option(
    "--since", type=_Time(), metavar="TIME", help="Only those received at this time or later; UTC unless it has an offset."
)
@click.option("--until", type=_Time(), metavar="TIME", help="Only those received before this time.")
@click.option("--event", type=options.EVENT, metavar="NAME", help="Only those of the event with this name.")
@click.option("--member", type=options.ID, metavar="ID", help="Only those of this member.")
@click.option("--key", type=options.ID, metavar="ID", help="Only those about this connection or transaction.")
@click.option("--rule", type=options.STORED_RULE, metavar="RULE", help="Only those that were rejected for this rule.")
@click.option(
    "--state",
    "states",
    multiple=True,
    type=options.Choice(inboxes.STATES),
    help="Only those in this state; repeat the option to allow several states.",
)
@click.option("-n", "--count", type=click.IntRange(1, 10**9), metavar="N", help="Send at most N deliveries.")
@answers.rate
@answers.concurrency
@answers.timeout
@headers
@allow_remote
@options.as_json
def command(
    inbox: str,
    url: str,
    since: datetime.datetime | None,
    until: datetime.datetime | None,
    event: str | None,
    member: str | None,
    key: str | None,
    rule: str | None,
    states: tuple[str, ...],
    count: int | None,
    rate: float | None,
    concurrency: int,
    timeout: float,
    headers: tuple[tuple[str, str], ...],
    allow_remote: bool,
    as_json: bool,
) -> int:
    """Send the deliveries of an inbox to a URL again, in the order in which they were received: all of them, or those
    that meet every condition that is given. The inbox is not changed.

    \b
    Example:
      bankhook replay inbox.db http://localhost:8000/webhook --state quarantined

    INBOX is a file or a URL, as `bankhook listen --inbox` takes it. The bodies are sent verbatim, without the headers
    that were stored with them. What arrives in the inbox meanwhile is not sent, so INBOX may be the one that the receiver
    at URL stores in.

    With --json, one object per line, whose shape `bankhook schema answers` prints.

    Exit status: 0 fine, 1 an answer is missing or not 2xx, 2 wrong usage or an inbox that cannot be read.
    """
    from bankhook.inbox import DeliveryState, Query

    target = target_of(url, is_remote_allowed=allow_remote)
    query = Query(since, until, event, member, key, rule, tuple(map(DeliveryState, states)))
    source = _Stored(inboxes.opened(inbox, "INBOX"), query, count)
    posting = Posting(headers, timeout, concurrency, rate)
    status = send_each(target, source.deliveries(), posting, total=count, as_json=as_json)
    if source.problem is not None:
        complain(source.problem)
        return 2
    return status


class _Stored:
    """The deliveries of an inbox, and why there are no more if it could not be read to their end."""

    def __init__(self, inbox: Inbox, query: Query, count: int | None) -> None:
        self._inbox, self._query, self._count = inbox, query, count
        self.problem: str | None = None

    async def deliveries(self) -> AsyncIterator[tuple[Label, bytes]]:
        """Iterate over what is stored now: the receiver may store what is sent in the same inbox."""
        try:
            async with self._inbox as inbox:
                newest = [delivery.number async for delivery in inbox.find(newest_first=True, limit=1)]
                async for delivery in inbox.find(self._query, limit=self._count):
                    if delivery.number > max(newest, default=0):
                        return
                    yield Label(delivery.number, delivery.event, delivery.key), delivery.body
        except bankhook.BankhookError as error:
            self.problem = str(error)
