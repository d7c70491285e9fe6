# SPDX-License-Identifier: MIT
"""A store that is not part of the library, written from its public names alone: in memory, so without transactions and cases."""

from __future__ import annotations

import asyncio
import datetime
import traceback
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from inspect import isawaitable
from itertools import islice
from typing import Self

from bankhook import BankConnectionsUpdateV2, Handlers, Tracker, parse
from bankhook.inbox import (
    Arrival,
    Case,
    DeadLetters,
    DeliveryState,
    Inbox,
    OutOfOrder,
    Overdue,
    Query,
    StoredDelivery,
    examine,
)

__all__ = ["Memory"]

PENDING, HANDLED, QUARANTINED, PARKED, DISMISSED = DeliveryState
READ = ("body", "received", "headers", "event", "member", "key", "findings")


def now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


class Memory(Inbox):
    """An inbox in memory: deliveries of a member in order, members beside each other, each effect once."""

    def __init__(self, *, attempts: int = 8, backoff: datetime.timedelta = datetime.timedelta(seconds=1)) -> None:
        self.attempts, self.backoff, self.last = attempts, backoff, 0
        self.stored: dict[int, StoredDelivery] = {}
        self.effects: dict[str, str | None] = {}
        self.trackers = defaultdict[str | None, Tracker](Tracker)
        self.threads = ThreadPoolExecutor(32)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        pass

    async def append(self, arrivals: Sequence[Arrival], /) -> Sequence[int]:
        numbers = range(self.last + 1, self.last + 1 + len(arrivals))
        for number, one in zip(numbers, arrivals, strict=True):
            read = {name: getattr(one, name) for name in READ}
            self.stored[number] = StoredDelivery(number, **read, state=one.state, attempts=0, retry_at=None, error=None)
        self.last += len(arrivals)
        return numbers

    def _chosen(self, asked: Query | Collection[int] | None, *states: DeliveryState) -> Iterator[StoredDelivery]:
        for number, one in sorted(self.stored.items()):
            if asked is None or (number in asked if not isinstance(asked, Query) else meets(one, asked)):
                if not states or one.state in states:
                    yield one

    async def find(
        self, query: Query | None = None, /, *, newest_first: bool = False, limit: int | None = None
    ) -> AsyncIterator[StoredDelivery]:
        for one in islice(reversed([*self._chosen(query)]) if newest_first else self._chosen(query), limit):
            yield one

    async def counts(self) -> dict[DeliveryState, int]:
        found = Counter(one.state for one in self.stored.values())
        return {state: found[state] for state in DeliveryState}

    async def state_of(self, member: str, /) -> bytes | None:
        return self.trackers[member].snapshot() if member in self.trackers else None

    async def run(self, handlers: Handlers, /, *, stop: asyncio.Event | None = None, concurrency: int = 1) -> None:
        while stop is None or not stop.is_set():
            await self._batch(handlers, concurrency, self.last)
            await asyncio.sleep(0.01)

    async def drain(self, handlers: Handlers, /, *, concurrency: int = 1) -> int:
        ended, last = 0, self.last
        while any(one.number <= last for one in self._chosen(None, PENDING)):
            ended += await self._batch(handlers, concurrency, last)
            await asyncio.sleep(0.001)
        return ended

    async def _batch(self, handlers: Handlers, concurrency: int, last: int) -> int:
        lanes, places = defaultdict[str | int, list[StoredDelivery]](list), asyncio.Semaphore(concurrency)
        for one in self._chosen(range(last + 1), PENDING):
            lanes[one.member or one.number].append(one)
        return sum(await asyncio.gather(*(self._lane(lane, handlers, places) for lane in lanes.values())))

    async def _lane(self, lane: list[StoredDelivery], handlers: Handlers, places: asyncio.Semaphore) -> int:
        for ended, one in enumerate(lane):
            if one.retry_at is not None and one.retry_at > now():
                return ended
            async with places:
                self.stored[one.number] = await self._handled(one, handlers)
            if self.stored[one.number].state is PENDING:
                return ended
        return len(lane)

    async def _handled(self, one: StoredDelivery, handlers: Handlers) -> StoredDelivery:
        event, tracker = parse(one.body), self.trackers[one.member]
        calls = [call for call in handlers.calls(event, tracker.peek(event)) if call.key not in self.effects]
        try:
            for call in calls:
                result = (
                    call.run(one)
                    if call.handler.is_async
                    else await asyncio.get_running_loop().run_in_executor(self.threads, call.run, one)
                )
                if isawaitable(result):
                    await result
        except Exception as error:
            text = "\n".join((type(error).__name__, *traceback.format_exception(error)))
            is_last = one.attempts + 1 >= self.attempts
            retry_at = None if is_last else now() + self.backoff
            return one.replace(
                attempts=one.attempts + 1, state=PARKED if is_last else PENDING, retry_at=retry_at, error=text
            )
        tracker.apply(event)
        self.effects |= {call.key: one.member for call in calls if call.key is not None}
        return one.replace(state=HANDLED, retry_at=None)

    async def retry(self, numbers: Collection[int] | Query, /, *, out_of_order: bool = False) -> int:
        found = [*self._chosen(numbers, QUARANTINED, PARKED, *(() if isinstance(numbers, Query) else (DISMISSED,)))]
        later = dict[int, list[int]]()
        for one in found:
            again = examine(one.body, received=one.received, headers=one.headers)
            read = {name: getattr(again, name) for name in READ}
            if not out_of_order and (newer := self._newer(one.number, again)):
                later[one.number] = newer
            else:
                self.stored[one.number] = one.replace(**read, state=again.state, attempts=0, retry_at=now(), error=None)
        retried = sum(self.stored[one.number].state is PENDING for one in found)
        if later:
            raise OutOfOrder(later, retried)
        return retried

    def _newer(self, number: int, one: Arrival) -> list[int]:
        handled = self._chosen(Query(member=one.member, event=one.event, after=number), HANDLED)
        is_list = isinstance(parse(one.body), BankConnectionsUpdateV2) if one.key and not one.findings else False
        return [other.number for other in handled if one.key and (is_list or other.key == one.key)]

    async def dismiss(self, numbers: Collection[int] | Query, /) -> int:
        found = {one.number: one.replace(state=DISMISSED) for one in self._chosen(numbers, QUARANTINED, PARKED)}
        self.stored |= found
        return len(found)

    async def forget(self, member: str, /) -> int:
        self.trackers.pop(member, None)
        self.effects = {key: of for key, of in self.effects.items() if of != member}
        return self._delete(Query(member=member))

    async def purge(self, *, before: datetime.datetime) -> int:
        return self._delete(Query(until=before), HANDLED, DISMISSED)

    def _delete(self, query: Query, *states: DeliveryState) -> int:
        return len([self.stored.pop(one.number) for one in [*self._chosen(query, *states)]])

    async def dead_letters(self) -> Sequence[DeadLetters]:
        rules = defaultdict[str, list[StoredDelivery]](list)
        for one in self._chosen(None, QUARANTINED):
            rules[one.findings[0].rule].insert(0, one)
        return [
            DeadLetters(
                rule, len(found), tuple(one.number for one in found[:100]), unique(found, "member"), unique(found, "key")
            )
            for rule, found in sorted(rules.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        ]

    async def cases(self, **asked: object) -> Sequence[Case]:
        return []

    async def settle(self, numbers: Collection[int], /) -> int:
        return 0

    async def open_since(self, age: datetime.timedelta, /, **asked: object) -> Sequence[Overdue]:
        return []


def meets(one: StoredDelivery, query: Query) -> bool:
    return (
        all(getattr(query, name) in (None, getattr(one, name)) for name in ("event", "member", "key"))
        and query.rule in (None, *(finding.rule for finding in one.findings[:1]))
        and (not query.states or one.state in query.states)
        and (query.since or one.received) <= one.received
        and (query.until is None or one.received < query.until)
        and query.after < one.number < (query.before or one.number + 1)
    )


def unique(found: list[StoredDelivery], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for one in found if (text := getattr(one, name)) is not None))
