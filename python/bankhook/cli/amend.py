# SPDX-License-Identifier: MIT
"""What `bankhook inbox` changes: deliveries are retried and dismissed, cases settled, members forgotten, the old purged."""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

import click

from bankhook._records.words import counted
from bankhook.cli import inboxes, options
from bankhook.cli.options import Chosen, option
from bankhook.cli.terminal import complain, say, say_json
from bankhook.inbox import DeliveryState, Query

if TYPE_CHECKING:
    from bankhook.inbox import Inbox

__all__ = ["commands"]

_state = option("--state", "All those in this state, instead of numbers.", ("quarantined", "parked"))
_rule = option("--rule", "All those that were rejected for this rule, instead of numbers.", options.STORED_RULE)


@options.command(short_help="Make deliveries pending again.")
@inboxes.url
@inboxes.numbers
@_state
@_rule
@options.as_json
@inboxes.asking
async def retry(inbox: Inbox, chosen: Chosen) -> int:
    """Make quarantined and parked deliveries pending again, and print how many are. Quarantined ones are examined again:
    they stay quarantined if they are still not events. What could not be retried is listed on standard error.
    """
    if (asked := _asked(chosen)) is None:
        return await _say_each(inbox, inbox.retry, "retried", chosen)
    count = await inbox.retry(asked)
    letters = () if chosen.state == "parked" else await inbox.dead_letters()
    problems = [] if count else ["no deliveries to retry"]
    if left := sum(one.count for one in letters if chosen.rule in (None, one.rule)):
        are = "quarantined delivery is still not an event", "quarantined deliveries are still not events"
        problems = [counted(left, *are)]
    return _say_done("retried", count, problems, chosen)


@options.command(short_help="Take deliveries from those that need a person.")
@inboxes.url
@inboxes.numbers
@_state
@_rule
@options.as_json
@inboxes.asking
async def dismiss(inbox: Inbox, chosen: Chosen) -> int:
    """Dismiss quarantined and parked deliveries, and print how many: what can never be read, or will never be handled.
    They stay until `purge`, and `retry` takes one that is given by its number.
    """
    if (asked := _asked(chosen)) is None:
        return await _say_each(inbox, inbox.dismiss, "dismissed", chosen)
    count = await inbox.dismiss(asked)
    return _say_done("dismissed", count, [] if count else ["no deliveries to dismiss"], chosen)


def _asked(chosen: Chosen) -> Query | None:
    """Return which deliveries --state and --rule ask for; None if numbers are given instead."""
    state, rule = chosen.state, chosen.rule
    if bool(chosen.numbers) == (state is not None or rule is not None):
        raise click.UsageError("give numbers, or --state or --rule")
    return None if chosen.numbers else Query(rule=rule, states=() if state is None else (DeliveryState(state),))


async def _say_each(inbox: Inbox, act: Callable[[Sequence[int]], Awaitable[int]], name: str, chosen: Chosen) -> int:
    """Do something to each delivery that was given by its number, and print for how many, and why not for others."""
    numbers = list(dict.fromkeys(chosen.numbers))
    problems = [await _why_not(inbox, number) for number in numbers if not await act([number])]
    return _say_done(name, len(numbers) - len(problems), problems, chosen)


async def _why_not(inbox: Inbox, number: int) -> str:
    async for one in inboxes.numbered(inbox, number):
        if one.state is DeliveryState.QUARANTINED:
            return f"delivery {number} is still not an event: {one.findings[0].rule}"
        return f"delivery {number} is {one.state}, neither quarantined nor parked"
    return f"delivery {number} is not in the inbox"


@options.command(short_help="Delete all that is stored of a member.")
@inboxes.url
@click.argument("member", type=options.ID, metavar="MEMBER")
@options.as_json
@inboxes.asking
async def forget(inbox: Inbox, chosen: Chosen) -> int:
    """Delete all that is stored of a member, and print how many deliveries that were: pending ones, too, with what is
    tracked, cases, and what effects happened. What handlers wrote stays, and so do deliveries in which the member could not
    be read, and what is in backups.
    """
    count = await inbox.forget(chosen.member)
    return _say_done("forgotten", count, [] if count else ["nothing is stored of this member"], chosen)


@options.command(short_help="Delete old deliveries.")
@inboxes.url
@option("--days", "Those that were received longer ago than this.", options.Number(0, 100_000), required=True)
@options.as_json
@inboxes.asking
async def purge(inbox: Inbox, chosen: Chosen) -> int:
    """Delete old deliveries that were handled or dismissed, and cases that were settled; print how many deliveries. What is
    tracked stays, and so does what is pending, quarantined or parked, or has an open case. A file does not become smaller:
    its room is used again.
    """
    count = await inbox.purge(before=datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=chosen.days))
    return _say_done("purged", count, [], chosen)


@options.command(short_help="Mark cases as settled.")
@inboxes.url
@click.argument("numbers", nargs=-1, required=True, type=inboxes.NUMBER, metavar="NUMBER...")
@options.as_json
@inboxes.asking
async def settle(inbox: Inbox, chosen: Chosen) -> int:
    """Mark cases as settled, and print how many were open."""
    numbers = dict.fromkeys(chosen.numbers)
    open_ = [number for number in numbers if await inbox.settle([number])]
    problems = [f"there is no open case with the number {number}" for number in numbers if number not in open_]
    return _say_done("settled", len(open_), problems, chosen)


def _say_done(name: str, count: int, problems: Sequence[str], chosen: Chosen) -> int:
    """Print for how many something was done, and a line for each for which it was not."""
    say_json({name: count}) if chosen.as_json else say(f"{name}={count}")
    for problem in problems:
        complain(problem)
    return 1 if problems else 0


commands = (retry, dismiss, settle, forget, purge)
