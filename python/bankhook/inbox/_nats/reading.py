# SPDX-License-Identifier: MIT
"""Reads the stored deliveries, and derives the state of each from the consumers and from marks."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable, Sequence

from nats.js.api import ConsumerInfo

from bankhook.inbox._nats.connection import BATCH, Connection
from bankhook.inbox._nats.layout import Layout, has_lost_position
from bankhook.inbox._nats.messages import Mark, is_asked_for, may_be_asked_for, stored
from bankhook.inbox._records import DeadLetters, DeliveryState, Query, StoredDelivery

__all__ = ["Reading"]

WINDOW, WIDEST = 512, 1 << 18  # numbers that are looked through at once from the newest to the oldest
AT_ONCE = 64  # bodies that are in memory: each may be as large as the server takes one
LISTED = 100


class Reading:
    """What can be asked about the deliveries of an inbox."""

    def __init__(self, connection: Connection, layout: Layout) -> None:
        self._connection = connection
        self._layout = layout

    async def find(self, query: Query, *, newest_first: bool, limit: int | None) -> AsyncIterator[StoredDelivery]:
        """Iterate over the deliveries that a query asks for."""
        # What another version stored as an event may be quarantined, too.
        rejected = await self.marked(DeliveryState.QUARANTINED) if _is_about_rejected(query) else []
        numbers = self._numbers_backward(query, rejected) if newest_first else self._numbers(query, rejected)
        left = limit
        async for part in _parts(numbers, AT_ONCE):
            for delivery in await self.deliveries(part):
                if left is not None and left <= 0:
                    return
                if is_asked_for(delivery, query):
                    left = None if left is None else left - 1
                    yield delivery

    async def bodies(self) -> AsyncIterator[tuple[int, bytes]]:
        """Iterate over the number and the body of each delivery, on a connection of the event loop that asks."""
        connection, layout = self._connection.another(), self._layout
        await connection.open()
        try:
            scan = connection.scan(layout.deliveries, layout.all, at_once=AT_ONCE)
            async with contextlib.aclosing(scan) as messages:
                async for message in messages:
                    yield message.metadata.sequence.stream, message.data
        finally:
            await connection.close()

    async def deliveries(self, numbers: Sequence[int]) -> list[StoredDelivery]:
        """The deliveries with these numbers, in this order; numbers that are not there any more are left out."""
        acknowledged = self._acknowledged(await self.progress())
        marked = await self._has("mark")
        found = await asyncio.gather(*(self._delivery(number, acknowledged, marked) for number in numbers))
        return [delivery for delivery in found if delivery is not None]

    async def _delivery(self, number: int, acknowledged: dict[str, int], marked: bool) -> StoredDelivery | None:
        layout = self._layout
        message = await self._connection.numbered(layout.deliveries, number, direct=layout.is_direct)
        if message is None:
            return None
        state = self._state(message.subject or "", number, acknowledged)
        mark = await self.mark(number) if marked and state is not DeliveryState.PENDING else None
        headers: dict[str, str] = message.headers or {}  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return stored(number, headers, message.data or b"", state, mark)

    async def subject_of(self, number: int) -> str:
        """The subject of a delivery."""
        layout = self._layout
        message = await self._connection.numbered(layout.deliveries, number, direct=layout.is_direct)
        return "" if message is None else message.subject or ""

    async def mark(self, number: int) -> Mark | None:
        """What is stored about an exceptional delivery."""
        mark, _ = await self.revised_mark(number)
        return mark

    async def revised_mark(self, number: int) -> tuple[Mark | None, int]:
        """The same with its revision, for `write`; 0 if nothing is."""
        layout = self._layout
        entry = await self._connection.last(layout.bucket, layout.key("mark", str(number)), direct=layout.is_direct)
        return (None, 0) if entry is None else (Mark.decoded(entry.data or b""), entry.seq or 0)

    async def progress(self) -> list[ConsumerInfo]:
        """How far each partition is."""
        async with self._connection.bounded("read"):
            return await self._layout.infos(self._connection.js)

    async def last(self) -> int:
        """The number of the newest delivery."""
        async with self._connection.bounded("read"):
            return (await self._connection.js.stream_info(self._layout.deliveries)).state.last_seq

    async def is_pending(self, last: int) -> bool:
        """Whether a delivery up to this number is not handled yet, or waits for its next attempt."""
        for info in await self.progress():
            if info.num_pending or info.num_ack_pending:
                if info.ack_floor is None or info.ack_floor.stream_seq < last:
                    return True
        async with self._connection.bounded("read"):
            return (await self._connection.js.stream_info(self._layout.retries)).state.messages > 0

    async def counts(self) -> dict[DeliveryState, int]:
        """Count by the state of the consumers, and correct that by the marks."""
        layout = self._layout
        infos = await self.progress()
        quarantined = await self._connection.count(layout.deliveries, layout.quarantine)
        async with self._connection.bounded("read"):
            stream = (await self._connection.js.stream_info(layout.deliveries)).state
        acknowledged = self._acknowledged(infos)
        pending = sum((info.num_pending or 0) + (info.num_ack_pending or 0) for info in infos)
        found = Counter(
            {
                DeliveryState.PENDING: pending,
                DeliveryState.QUARANTINED: quarantined,
                DeliveryState.HANDLED: stream.messages - pending - quarantined,
            }
        )
        async for message in self._connection.scan(layout.bucket, layout.key("mark", "*"), headers_only=True):
            number = int(message.subject.rpartition(".")[2])
            headers = message.headers or {}
            if number < stream.first_seq or not headers["Bankhook-Subject"]:  # the delivery is too old to be stored still
                continue
            found[self._state(headers["Bankhook-Subject"], number, acknowledged)] -= 1
            found[DeliveryState(headers["Bankhook-State"])] += 1
        return {state: max(0, found[state]) for state in DeliveryState}

    async def dead_letters(self) -> list[DeadLetters]:
        """Look at each quarantined delivery; in memory there are 100 of each rule."""
        found: dict[str, deque[tuple[int, str | None, str | None]]] = {}
        counted: Counter[str] = Counter()
        async for delivery in self.find(Query(states=(DeliveryState.QUARANTINED,)), newest_first=False, limit=None):
            rule = delivery.findings[0].rule
            counted[rule] += 1
            found.setdefault(rule, deque(maxlen=LISTED)).appendleft((delivery.number, delivery.member, delivery.key))
        return [
            DeadLetters(rule, count, numbers, _distinct(members), _distinct(keys))
            for rule, count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
            for numbers, members, keys in [zip(*found[rule], strict=True)]
        ]

    async def marked(self, state: DeliveryState) -> list[int]:
        """The deliveries that were stored as events, and have a mark with this state."""
        found: list[int] = []
        async for message in self._connection.scan(self._layout.bucket, self._layout.key("mark", "*"), headers_only=True):
            headers = message.headers or {}
            is_event = headers["Bankhook-Subject"].startswith(self._layout.events)
            if is_event and headers["Bankhook-State"] == state.value:
                found.append(int(message.subject.rpartition(".")[2]))
        return sorted(found)

    async def _numbers(
        self, query: Query, rejected: list[int], start: int = 1, until: int | None = None
    ) -> AsyncIterator[int]:
        """The numbers of what a query may ask for, read from headers alone."""
        stream, subject = self._layout.deliveries, await self._subject(query)
        start = max(start, query.after + 1)
        if query.before is not None:
            until = query.before - 1 if until is None else min(until, query.before - 1)
            if until < start:
                return
        more = deque(number for number in rejected if start <= number and (until is None or number <= until))
        async for message in self._connection.scan(stream, subject, start=start, until=until, headers_only=True):
            number = message.metadata.sequence.stream
            while more and more[0] < number:
                yield more.popleft()
            if may_be_asked_for(message.headers or {}, query):
                yield number
        for number in more:
            yield number

    async def _numbers_backward(self, query: Query, rejected: list[int]) -> AsyncIterator[int]:
        """The same from the newest to the oldest: a window of numbers after another, wider ones where little is found."""
        async with self._connection.bounded("read"):
            state = (await self._connection.js.stream_info(self._layout.deliveries)).state
        last, first, width = state.last_seq, max(state.first_seq, query.after + 1), WINDOW
        if query.before is not None:
            last = min(last, query.before - 1)
        while last >= first:
            start = max(first, last - width + 1)
            found = [number async for number in self._numbers(query, rejected, start, last)]
            for number in reversed(found):
                yield number
            last, width = start - 1, min(width * 2, WIDEST) if len(found) < BATCH else WINDOW

    async def _subject(self, query: Query) -> str:
        """The narrowest subject that has all that a query may ask for."""
        if _is_about_rejected(query):
            return self._layout.quarantine
        # What was examined again may have a member that could not be read before.
        if query.member is not None and not await self._has("examined"):
            return self._layout.subject(query.member, "*")
        return self._layout.all

    async def _has(self, kind: str) -> bool:
        return await self._connection.first(self._layout.bucket, self._layout.key(kind, "*")) is not None

    def _state(self, subject: str, number: int, acknowledged: dict[str, int]) -> DeliveryState:
        """The state of a delivery without a mark."""
        _, _, kind, partition, _ = subject.split(".")
        if kind == "quarantine":
            return DeliveryState.QUARANTINED
        return DeliveryState.HANDLED if number <= acknowledged.get(partition, 0) else DeliveryState.PENDING

    @staticmethod
    def _acknowledged(infos: Sequence[ConsumerInfo]) -> dict[str, int]:
        return {info.name: info.ack_floor.stream_seq for info in infos if info.ack_floor and not has_lost_position(info)}


def _is_about_rejected(query: Query) -> bool:
    return set(query.states) == {DeliveryState.QUARANTINED} or query.rule is not None


def _distinct(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text is not None))


async def _parts(numbers: AsyncIterator[int], size: int) -> AsyncIterator[list[int]]:
    part: list[int] = []
    async for number in numbers:
        part.append(number)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
