# SPDX-License-Identifier: MIT
"""What the list of the page is asked for: deliveries that have a text as an id, a rule, an event or a number, some at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bankhook.inbox import Delivery, DeliveryState, Inbox, Query
from bankhook.inbox._external_ids import naming
from bankhook.inbox._records import IdQuery
from bankhook.receiver._metrics import EVENT_NAMES
from bankhook.receiver._page.views import BODY_LIMIT, SENTENCES

ROWS_LIMIT = 100
NUMBER_DIGITS = 18  # what every store can take
SCANNED = 10_000
"""Deliveries whose payloads are read for an external id unless all are asked for: for a second at most."""


class Asked(NamedTuple):
    """What the address asks for; what cannot be read of it counts as not given."""

    text: str = ""
    state: str = ""
    at: int | None = None
    """This number and lower ones; else the newest."""
    after: int | None = None
    """The next ones with higher numbers."""

    @property
    def queries(self) -> list[Query]:
        """What finds the deliveries, in any part of the list."""
        plain = Query(states=tuple(one for one in DeliveryState if one == self.state))
        if self.state and not plain.states:
            return []
        if not self.text:
            return [plain]
        found: list[Query] = [IdQuery(states=plain.states, id=self.text)]
        found += [plain.replace(rule=self.text)] if self.text in SENTENCES else []
        found += [plain.replace(event=self.text)] if self.text in EVENT_NAMES else []
        if number := number_of(self.text):
            found.append(plain.replace(after=number - 1, before=number + 1))
        return found


class Part(NamedTuple):
    """Some deliveries of a list, the newest first, and where the list goes on."""

    rows: list[Delivery]
    newer: int | None
    """The number after which newer ones come; None where this is the newest part."""
    older: int | None
    """The number from which on older ones come."""


def number_of(text: str | None) -> int | None:
    """Return the number of a delivery or case; None if it is not one that a store could have given."""
    return int(text) if text is not None and text.isdecimal() and len(text) <= NUMBER_DIGITS else None


async def rows(
    inbox: Inbox,
    queries: Iterable[Query],
    *,
    before: int | None = None,
    after: int | None = None,
    limit: int = ROWS_LIMIT,
) -> list[Delivery]:
    """Return the newest deliveries before a number, or the next ones after a number; in either case the newest first."""
    found, is_newest_first = dict[int, Delivery](), after is None
    for query in _understood(inbox, queries):
        ends = [number for number in (before, query.before) if number is not None]
        within = query.replace(after=max(after or 0, query.after), before=min(ends, default=None))
        async for one in inbox.find(within, newest_first=is_newest_first, limit=limit):
            found[one.number] = _light(one)
    numbers = sorted(found, reverse=is_newest_first)[:limit]
    return [found[number] for number in sorted(numbers, reverse=True)]


def _understood(inbox: Inbox, queries: Iterable[Query]) -> Iterator[Query]:
    """Yield queries that any store understands, unless the store has more."""
    for query in queries:
        if isinstance(query, IdQuery) and not hasattr(inbox, "_beside"):
            yield from (Query(states=query.states, member=query.id), Query(states=query.states, key=query.id))
        else:
            yield query


async def beside(inbox: Inbox, queries: Sequence[Query], number: int) -> tuple[int | None, int | None]:
    """Return the numbers of the next newer and the next older delivery, if any."""
    if (quick := getattr(inbox, "_beside", None)) is not None:  # which reads no payload
        found: tuple[int | None, int | None] = await quick(queries, number)
        return found
    newer = await rows(inbox, queries, after=number, limit=1)
    older = await rows(inbox, queries, before=number, limit=1)
    return next((one.number for one in newer), None), next((one.number for one in older), None)


def _light(delivery: Delivery) -> Delivery:
    """Without a body that is too large to show: all that are shown are in memory."""
    return delivery if len(delivery.body) <= BODY_LIMIT else delivery.replace(body=b"")


async def part(inbox: Inbox, asked: Asked) -> Part:
    """Return the part of the list that was asked for."""
    before = None if asked.at is None else asked.at + 1
    if asked.after is not None:
        shown = (await rows(inbox, asked.queries, after=asked.after, limit=ROWS_LIMIT + 1))[1:]
        if len(shown) == ROWS_LIMIT:
            return Part(shown, shown[0].number, shown[-1].number - 1 if asked.after else None)
        before = None  # these are all, so they are the newest
    found = await rows(inbox, asked.queries, before=before, limit=ROWS_LIMIT + 1)
    shown, has_more = found[:ROWS_LIMIT], len(found) > ROWS_LIMIT
    newer = None if before is None else shown[0].number if shown else before - 1
    return Part(shown, newer, shown[-1].number - 1 if has_more else None)


async def with_external_id(inbox: Inbox, text: str, *, in_all: bool) -> list[Delivery]:
    """Return a delivery of each member that has this external id, which only payloads name; of some if there are many."""
    members = dict[str, Delivery]()
    async for one, member in naming(text, inbox.find(newest_first=True, limit=None if in_all else SCANNED)):
        if member is not None:
            members.setdefault(member, _light(one))
        if len(members) == ROWS_LIMIT:
            break
    return [*members.values()]
