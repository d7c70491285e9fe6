# SPDX-License-Identifier: MIT
"""A store that is not part of the library, written from its public names alone: in memory, so without transactions and cases."""

from __future__ import annotations

import asyncio
import datetime
import traceback
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from inspect import isawaitable
from itertools import count, islice
from typing import Any, Self

from bankhook import BankConnectionsUpdateV2, Handlers, Tracker, parse
from bankhook.inbox import (
    Case,
    DeadLetters,
    Delivery,
    DeliveryState,
    Inbox,
    InboxError,
    OutOfOrder,
    Overdue,
    Query,
    Reprocessed,
    examine,
)

__all__ = ["Memory"]

PENDING, HANDLED, QUARANTINED, PARKED, DISMISSED = DeliveryState
READ = ("body", "received", "headers", "event", "member", "key", "findings", "state")
ALL = Query()


class Memory(Inbox):
    """An inbox in memory: deliveries of a member in order, members beside each other, each effect once."""

    def __init__(self, *, attempts: int = 8, backoff: datetime.timedelta = datetime.timedelta(seconds=1)) -> None:
        self.attempts, self.backoff, self.numbers = attempts, backoff, count(1)
        self.stored: dict[int, Delivery] = {}
        self.effects: dict[str, str | None] = {}
        self.trackers = defaultdict[str | None, Tracker](Tracker)

    async def __aenter__(self) -> Self:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(32))
        return self

    async def __aexit__(self, *exception: object) -> None:
        pass

    async def append(self, deliveries: Sequence[Delivery], /) -> Sequence[int]:
        numbers = [*islice(self.numbers, len(deliveries))]
        self.stored |= {number: as_stored(number, one) for number, one in zip(numbers, deliveries, strict=True)}
        return numbers

    def _chosen(self, asked: Query | Collection[int] = ALL, *states: DeliveryState) -> list[Delivery]:
        chosen = (one for one in self.stored.values() if not states or one.state in states)
        return [one for one in chosen if (meets(one, asked) if isinstance(asked, Query) else one.number in asked)]

    async def find(
        self, query: Query | None = None, /, *, newest_first: bool = False, limit: int | None = None
    ) -> AsyncIterator[Delivery]:
        for one in self._chosen(query or ALL)[:: -1 if newest_first else 1][:limit]:
            yield one

    async def counts(self) -> dict[DeliveryState, int]:
        return {state: len(self._chosen(ALL, state)) for state in DeliveryState}

    async def state_of(self, member: str, /) -> bytes | None:
        return self.trackers[member].snapshot() if member in self.trackers else None

    async def run(
        self, handlers: Handlers, /, *, stop: asyncio.Event | None = None, concurrency: int = 1, timeout: object = None
    ) -> None:
        while stop is None or not stop.is_set():
            await self._handle(self._chosen(ALL, PENDING), handlers, concurrency)

    async def drain(self, handlers: Handlers, /, *, concurrency: int = 1) -> int:
        numbers = {one.number for one in self._chosen(ALL, PENDING)}
        while pending := self._chosen(numbers, PENDING):
            await self._handle(pending, handlers, concurrency)
        return len(numbers)

    async def _handle(self, pending: list[Delivery], handlers: Handlers, concurrency: int) -> None:
        lanes, places = defaultdict[str | int, list[Delivery]](list), asyncio.Semaphore(concurrency)
        for one in pending:
            lanes[one.member or one.number].append(one)

        async def in_order(lane: list[Delivery]) -> None:
            for one in lane:
                if one.retry_at is None or one.retry_at <= datetime.datetime.now(datetime.UTC):
                    async with places:
                        self.stored[one.number] = await self._handled(one, handlers)
                if self.stored[one.number].state is PENDING:
                    return

        await asyncio.gather(*map(in_order, lanes.values()))
        await asyncio.sleep(0.001)

    async def _handled(self, one: Delivery, handlers: Handlers) -> Delivery:
        event, tracker = parse(one.body), self.trackers[one.member]
        calls = [call for call in handlers.calls(event, tracker.peek(event)) if call.key not in self.effects]
        try:
            for call in calls:
                result = call.run(one) if call.handler.is_async else await asyncio.to_thread(call.run, one)
                if isawaitable(result):
                    await result
        except Exception as error:
            text = "\n".join((type(error).__name__, *traceback.format_exception(error)))
            failed = one.replace(attempts=one.attempts + 1, error=text, retry_at=None, state=PARKED)
            retry_at = datetime.datetime.now(datetime.UTC) + self.backoff
            return failed if failed.attempts >= self.attempts else failed.replace(state=PENDING, retry_at=retry_at)
        tracker.apply(event)
        self.effects |= {call.key: one.member for call in calls if call.key is not None}
        return one.replace(state=HANDLED, retry_at=None)

    async def retry(self, numbers: Collection[int] | Query, /, *, out_of_order: bool = False) -> int:
        found = self._chosen(numbers, QUARANTINED, PARKED, *(() if isinstance(numbers, Query) else (DISMISSED,)))
        again = [as_stored(one.number, examine(one.body, received=one.received, headers=one.headers)) for one in found]
        newer = {one.number: [] if out_of_order else self._newer(one) for one in again}
        later = {number: others for number, others in newer.items() if others}
        now = datetime.datetime.now(datetime.UTC)
        self.stored |= {one.number: one.replace(retry_at=now) for one in again if one.number not in later}
        retried = sum(self.stored[one.number].state is PENDING for one in again)
        if later:
            raise OutOfOrder(later, retried)
        return retried

    def _newer(self, one: Delivery) -> list[int]:
        handled = self._chosen(Query(member=one.member, event=one.event, after=one.number), HANDLED)
        is_list = one.state is PENDING and isinstance(parse(one.body), BankConnectionsUpdateV2)
        return [other.number for other in handled if one.key and (is_list or other.key == one.key)]

    async def reprocess(self, handlers: Handlers, /, query: Query | None = None, *, name: str) -> Reprocessed:
        trackers, called = defaultdict[str | None, Tracker](Tracker), 0
        wanted = {one.number async for one in self.find(query)}
        for one in [one for one in self.stored.values() if one.state is HANDLED]:
            event, effect = parse(one.body), f"{name}:{one.number}"
            if one.number in wanted and effect not in self.effects:
                calls = [*handlers.calls(event, trackers[one.member].peek(event))]
                for call in calls:
                    if isawaitable(result := call.run(one)):
                        await result
                self.effects[effect] = one.member
                called += bool(calls)
            trackers[one.member].apply(event)
        return Reprocessed(called=called, skipped=0)

    async def dismiss(self, numbers: Collection[int] | Query, /) -> int:
        found = self._chosen(numbers, QUARANTINED, PARKED)
        self.stored |= {one.number: one.replace(state=DISMISSED) for one in found}
        return len(found)

    async def forget(self, member: str | None = None, /, *, external_id: str | None = None, several: bool = False) -> int:
        named, count = f'"{external_id}"'.encode(), 0
        members = {one.member or "" for one in self.stored.values() if named in one.body} if member is None else {member}
        if len(members) > 1 and not several:
            raise InboxError(f"{len(members)} members have this external id")
        for one in members:
            self.trackers.pop(one, None)
            self.effects = {key: of for key, of in self.effects.items() if of != one}
            count += self._delete(self._chosen(Query(member=one)))
        return count

    async def purge(self, *, before: datetime.datetime) -> int:
        return self._delete(self._chosen(Query(until=before), HANDLED, DISMISSED))

    def _delete(self, found: list[Delivery]) -> int:
        return len([self.stored.pop(one.number) for one in found])

    async def dead_letters(self) -> Sequence[DeadLetters]:
        rules = defaultdict[str, list[Delivery]](list)
        for one in reversed(self._chosen(ALL, QUARANTINED)):
            rules[one.findings[0].rule].append(one)
        return [
            DeadLetters(rule, len(found), unique(found, "number")[:100], unique(found, "member"), unique(found, "key"))
            for rule, found in sorted(rules.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        ]

    async def cases(self, **asked: object) -> Sequence[Case]:
        return []

    async def settle(self, numbers: Collection[int], /) -> int:
        return 0

    async def open_since(self, age: datetime.timedelta, /, **asked: object) -> Sequence[Overdue]:
        return []


def as_stored(number: int, one: Delivery) -> Delivery:
    return Delivery(number=number, **{name: getattr(one, name) for name in READ})


def meets(one: Delivery, query: Query) -> bool:
    return (
        all(getattr(query, name) in (None, getattr(one, name)) for name in ("event", "member", "key"))
        and query.rule in (None, *(finding.rule for finding in one.findings[:1]))
        and (not query.states or one.state in query.states)
        and (query.since or one.received) <= one.received
        and (query.until is None or one.received < query.until)
        and query.after < one.number < (query.before or one.number + 1)
    )


def unique(found: list[Delivery], name: str) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(value for one in found if (value := getattr(one, name)) is not None))
