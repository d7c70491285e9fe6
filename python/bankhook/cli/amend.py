# SPDX-License-Identifier: MIT
"""What `bankhook inbox` changes: deliveries are retried and dismissed, cases settled, members forgotten, the old purged."""

from __future__ import annotations

import asyncio
import datetime
import functools
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import click

from bankhook._records.words import counted
from bankhook.cli import inboxes, options
from bankhook.cli.options import Chosen, option
from bankhook.cli.terminal import complain, say, say_json
from bankhook.inbox import DeliveryState, OutOfOrder, Query
from bankhook.inbox._sql.moving import move_all

if TYPE_CHECKING:
    from bankhook.inbox import Inbox

_Act: TypeAlias = Callable[[Sequence[int] | Query], Awaitable[int]]
_which = (
    inboxes.numbers,
    option("--state", "All those in this state, instead of numbers.", ("quarantined", "parked")),
    option("--rule", "All those that were rejected for this rule, instead of numbers.", options.STORED_RULE),
)


def add_commands(group: click.Group) -> None:
    """Add the commands that change something to `bankhook inbox`."""
    late = option("--out-of-order", "Also if later deliveries about the same were handled; with numbers.", bool)

    @inboxes.looking(group, "Make deliveries pending again.", *_which, late)
    async def retry(inbox: Inbox, chosen: Chosen) -> int:
        """Make quarantined and parked deliveries pending again, and print how many are. Quarantined ones are examined again:
        they stay quarantined if they are still not events. What could not be retried is listed on standard error; so is what
        would be older news after newer: later deliveries were handled of the same transaction, or about connections of the
        same member.
        """
        if chosen.out_of_order and not chosen.numbers:
            raise click.UsageError("--out-of-order needs numbers")
        act = functools.partial(inbox.retry, out_of_order=chosen.out_of_order)
        return await _act(inbox, act, "retried", "retry", chosen)

    @inboxes.looking(group, "Take deliveries from those that need a person.", *_which)
    async def dismiss(inbox: Inbox, chosen: Chosen) -> int:
        """Dismiss quarantined and parked deliveries, and print how many: what can never be read, or will never be handled.
        They stay until `purge`, and `retry` takes one that is given by its number.
        """
        return await _act(inbox, inbox.dismiss, "dismissed", "dismiss", chosen)

    cases = click.argument("numbers", nargs=-1, required=True, type=inboxes.NUMBER, metavar="NUMBER...")

    @inboxes.looking(group, "Mark cases as settled.", cases)
    async def settle(inbox: Inbox, chosen: Chosen) -> int:
        """Mark cases as settled, and print how many were open."""
        settled = {number: await inbox.settle([number]) for number in dict.fromkeys(chosen.numbers)}
        problems = [f"there is no open case with the number {number}" for number, count in settled.items() if not count]
        return _say_done("settled", sum(settled.values()), problems, chosen)

    member = click.argument("member", type=options.ID, metavar="[MEMBER]", required=False)
    several = option("--several", "With --external-id: all members that have it.", bool)

    file = click.Path(exists=True, dir_okay=False)  # one that is mistyped must not be made: it would be empty
    spool = option("--spool", "That of the receiver: an error while deliveries are in it.", file, metavar="FILE")

    @inboxes.looking(group, "Delete all that is stored of a member.", member, inboxes.external_id, several, spool)
    async def forget(inbox: Inbox, chosen: Chosen) -> int:
        """Delete all that is stored of a member, and print how many deliveries that were: pending ones, too, with what is
        tracked, cases, and what effects happened. MEMBER is the `customer.id` of events, which `deliveries` prints as member;
        for an `externalId`, all deliveries are read. What handlers wrote stays, and so do deliveries in which the member could
        not be read, and what is in backups.
        """
        if (chosen.member is None) == (chosen.external_id is None):
            raise click.UsageError("give a member, or --external-id")
        count = await inbox.forget(chosen.member, external_id=chosen.external_id, several=chosen.several)
        which = "MEMBER is the customer.id of an event, --external-id its externalId"
        problems = [] if count else [f"no delivery is of this member; {which}"]
        return _say_done("forgotten", count, problems, chosen)

    days = option("--days", "Those that were received longer ago than this.", options.DAYS, required=True)

    @inboxes.looking(group, "Delete old deliveries.", days)
    async def purge(inbox: Inbox, chosen: Chosen) -> int:
        """Delete old deliveries that were handled or dismissed, and cases that were settled; print how many deliveries. What
        is tracked stays, and so does what is pending, quarantined or parked, or has an open case. A file does not become
        smaller: its room is used again.
        """
        count = await inbox.purge(before=datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=chosen.days))
        return _say_done("purged", count, [], chosen)

    @inboxes.looking(group, "Move an inbox to another store.", click.argument("target", metavar="TO"))
    async def move(inbox: Inbox, chosen: Chosen) -> int:
        """Move an inbox to another store, as from a file to PostgreSQL, and print how many deliveries were moved: in order, and
        each once, also if this is interrupted and run again. If anything was handled, TO has to be empty, and all of the
        inbox is copied first, with its numbers: states, cases, and what effects happened. Nobody may handle deliveries of it
        meanwhile. What waits for handlers or for a person is deleted here afterwards.
        """
        async with inboxes.opened(chosen.target, "TO", create=True) as target:
            count = await asyncio.to_thread(move_all, inbox, target)
        return _say_done("moved", count, [], chosen)


async def _act(inbox: Inbox, act: _Act, done: str, verb: str, chosen: Chosen) -> int:
    """Do something to deliveries given by number, or by state or rule; print for how many, and why not for others."""
    state, rule, numbers = chosen.state, chosen.rule, sorted(set(chosen.numbers))
    if bool(numbers) == (state is not None or rule is not None):
        raise click.UsageError("give numbers, or --state or --rule")
    query = Query(rule=rule, states=(DeliveryState.QUARANTINED if state is None else DeliveryState(state),))
    count, later, problems = 0, 0, list[str]()
    for number in numbers or [None]:
        try:
            acted = await act(query if number is None else [number])
            if number is not None and not acted:
                problems.append(await _why_not(inbox, number))
        except OutOfOrder as error:
            acted, later = error.retried, len(error.later)
            problems.append(f"{error}; `dismiss` leaves them out, --out-of-order with numbers applies them after those")
        count += acted
    if not numbers and (left := sum([1 async for _ in inbox.find(query)]) - later) > 0:  # of which not all are in memory
        problems.append(counted(left, "delivery is still not an event", "deliveries are still not events"))
    if not count and not problems:
        problems = [f"no deliveries to {verb}"]
    return _say_done(done, count, problems, chosen)


async def _why_not(inbox: Inbox, number: int) -> str:
    async for one in inboxes.numbered(inbox, number):
        if one.state is DeliveryState.QUARANTINED:
            return f"delivery {number} is still not an event: {one.findings[0].rule}"
        return f"delivery {number} is {one.state}, neither quarantined nor parked"
    return f"delivery {number} is not in the inbox"


def _say_done(name: str, count: int, problems: Sequence[str], chosen: Chosen) -> int:
    """Print for how many something was done, and a line for each for which it was not."""
    say_json({name: count}) if chosen.as_json else say(f"{name}={count}")
    for problem in problems:
        complain(problem)
    return 1 if problems else 0
