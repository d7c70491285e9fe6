# SPDX-License-Identifier: MIT
"""What commands ask of an inbox and do in it; it has to exist, and is neither made nor brought up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

import bankhook

if TYPE_CHECKING:
    from bankhook._records.record import Record
    from bankhook.inbox import DeadLetters, Inbox, Query, StoredDelivery

__all__ = [
    "CASE_KINDS",
    "STATES",
    "Done",
    "asked",
    "dead_letters",
    "known",
    "newest",
    "numbered",
    "opened",
    "retry",
    "row_of",
    "settle",
]

STATES = ("pending", "handled", "quarantined", "parked")
CASE_KINDS = (
    "left_validated",
    "left_rejected",
    "differs_from_created",
    "first_event_missing",
    "findings_stated",
    "id_of_another_member",
)
T = TypeVar("T")
Done: TypeAlias = tuple[int, Sequence[str]]
"""For how many something was done, and a line for each for which it was not."""


def opened(url: str, argument: str) -> Inbox:
    """Return the inbox, not connected yet. Raises click.BadParameter, without the URL, which may contain a password."""
    import bankhook.inbox

    try:
        return bankhook.inbox.open(url, create=False)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=argument) from None


def asked(url: str, ask: Callable[[Inbox], Awaitable[T]]) -> T:
    """Open an inbox and return what it answers. Raises click.ClickException."""
    inbox = opened(url, "URL")

    async def answer() -> T:
        async with inbox:
            return await ask(inbox)

    try:
        return asyncio.run(answer())
    except bankhook.BankhookError as error:
        raise click.ClickException(str(error)) from None


async def known(inbox: Inbox, nothing: str) -> str:
    """Return these words. Raises click.ClickException if nothing was handled yet: then an empty list is no all-clear."""
    from bankhook.inbox import DeliveryState

    counts = await inbox.counts()
    if counts[DeliveryState.HANDLED] or not counts[DeliveryState.PENDING]:
        return nothing
    raise click.ClickException(f"not known: nothing has been handled yet ({counts[DeliveryState.PENDING]:,} pending)")


def row_of(record: Record) -> dict[str, Any]:
    """Return the fields of a record; of a case, its number as `case`, and the rule that was broken apart from a field that
    differs.
    """
    from bankhook.inbox import Case

    row = record.to_dict()
    if not isinstance(record, Case):
        return row
    cells: dict[str, Any] = {}
    for name, value in row.items():
        both = {"field": None if record.rule else value, "rule": record.rule}
        cells |= both if name == "field" else {name: value}
    return {"case": cells.pop("number"), **cells}


async def newest(inbox: Inbox, query: Query, limit: int) -> tuple[Sequence[StoredDelivery], str | None]:
    """Return the newest deliveries, and how many they are of all, in words; None if there are no more."""
    from bankhook.inbox import DeliveryState, Query

    found = [one async for one in inbox.find(query, newest_first=True, limit=limit + 1)]
    if len(found) <= limit:
        return found, None
    if query != Query(states=query.states):
        return found[:limit], f"the newest {limit:,}"  # only states are counted without reading all
    counts = await inbox.counts()
    total = sum(counts[state] for state in set(query.states or DeliveryState))
    return found[:limit], f"{limit:,} of {total:,}"


async def numbered(inbox: Inbox, numbers: Sequence[int]) -> tuple[Sequence[StoredDelivery], Sequence[int]]:
    """Return the deliveries with these numbers, and the numbers that none has."""
    from bankhook.inbox import Query

    found: list[StoredDelivery] = []
    for number in dict.fromkeys(numbers):
        found += [one async for one in inbox.find(Query(after=number - 1, before=number + 1))]
    there = {one.number for one in found}
    return found, [number for number in dict.fromkeys(numbers) if number not in there]


async def dead_letters(inbox: Inbox) -> tuple[Sequence[DeadLetters], int]:
    """Return the quarantined deliveries by rule, and how many are parked."""
    from bankhook.inbox import DeliveryState

    return await inbox.dead_letters(), (await inbox.counts())[DeliveryState.PARKED]


async def retry(inbox: Inbox, wanted: Sequence[int] | Query) -> Done:
    """Make deliveries pending again; what a query leaves unchanged is one line."""
    from bankhook.inbox import DeliveryState, Query

    if not isinstance(wanted, Query):
        numbers = dict.fromkeys(wanted)
        lines = [line for one in numbers if (line := await _not_retried(inbox, one)) is not None]
        return len(numbers) - len(lines), lines
    count = await inbox.retry(wanted)
    letters = () if wanted.states == (DeliveryState.PARKED,) else await inbox.dead_letters()
    if left := sum(one.count for one in letters if wanted.rule in (None, one.rule)):
        are = "delivery is still not an event" if left == 1 else "deliveries are still not events"
        return count, [f"{left:,} quarantined {are}"]
    return count, [] if count else ["no deliveries to retry"]


async def _not_retried(inbox: Inbox, number: int) -> str | None:
    """Retry a delivery and return why it is not pending; None if it is."""
    from bankhook.inbox import DeliveryState, Query

    if await inbox.retry([number]):
        return None
    async for one in inbox.find(Query(after=number - 1, before=number + 1)):
        if one.state is DeliveryState.QUARANTINED:
            return f"delivery {number} is still not an event: {one.findings[0].rule}"
        return f"delivery {number} is {one.state}, neither quarantined nor parked"
    return f"delivery {number} is not in the inbox"


async def settle(inbox: Inbox, numbers: Sequence[int]) -> Done:
    """Settle cases, one after another."""
    once = dict.fromkeys(numbers)
    lines = [f"there is no open case with the number {number}" for number in once if not await inbox.settle([number])]
    return len(once) - len(lines), lines
