# SPDX-License-Identifier: MIT
"""`bankhook replay`: send deliveries of an inbox to a URL again, and show the answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

import click

import bankhook
from bankhook.cli import answers, inboxes, options
from bankhook.cli.answers import Label, send_each
from bankhook.cli.files import FileFault
from bankhook.cli.options import option
from bankhook.inbox import DeliveryState, Query
from bankhook.inbox._sql.urls import shown

if TYPE_CHECKING:
    from bankhook.inbox import Inbox


@options.command()
@click.argument("inbox")
@click.argument("url")
@option("--since", "Only those received at this time or later; UTC unless it has an offset.", options.TIME)
@option("--until", "Only those received before this time.", options.TIME)
@option("--event", "Only those of the event with this name.", options.EVENT)
@inboxes.member
@inboxes.key
@inboxes.rule
@inboxes.states
@option("-n --count", "Send at most N deliveries.", options.MANY)
@answers.sending
def command(chosen: options.Chosen) -> int:
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
    states = tuple(map(DeliveryState, chosen.states))
    query = Query(chosen.since, chosen.until, chosen.event, chosen.member, chosen.key, chosen.rule, states)
    inbox = inboxes.opened(chosen.inbox, "INBOX")
    return send_each(chosen, _in_turn(_deliveries(inbox, shown(chosen.inbox), query, chosen.count)), total=chosen.count)


def _in_turn(found: AsyncIterator[tuple[Label, bytes]]) -> Iterator[tuple[Label, bytes]]:
    async def next_one() -> tuple[Label, bytes] | None:
        return await anext(found, None)

    with asyncio.Runner() as runner:
        while (one := runner.run(next_one())) is not None:
            yield one


async def _deliveries(inbox: Inbox, name: str, query: Query, count: int | None) -> AsyncIterator[tuple[Label, bytes]]:
    """Iterate over what is stored now: the receiver may store what is sent in the same inbox."""
    try:
        async with inbox:
            newest = [delivery.number async for delivery in inbox.find(newest_first=True, limit=1)]
            async for delivery in inbox.find(query.replace(before=max(newest, default=0) + 1), limit=count):
                yield (delivery.number, delivery.event, delivery.key), delivery.body
    except bankhook.BankhookError as error:
        raise FileFault(name, error) from None
