# SPDX-License-Identifier: MIT
"""The inbox on NATS JetStream: what it stores and answers; `work.py` has how deliveries are handled."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import TYPE_CHECKING, Self

from nats.js.api import PubAck
from nats.js.errors import APIError

from bankhook._core import Tracker
from bankhook.inbox._arguments import check_arrivals, check_kind, check_limit
from bankhook.inbox._nats.connection import Connection, Message
from bankhook.inbox._nats.handling import Call, Handling, calling
from bankhook.inbox._nats.iterating import Iteration
from bankhook.inbox._nats.layout import Layout, hashed
from bankhook.inbox._nats.messages import ARRIVAL, header
from bankhook.inbox._nats.reading import Reading
from bankhook.inbox._nats.retrying import retry
from bankhook.inbox._nats.state import State
from bankhook.inbox._nats.work import Worker
from bankhook.inbox._protocol import InboxError, TooLarge
from bankhook.inbox._records import Arrival, Case, DeadLetters, DeliveryState, Overdue, Query, StoredDelivery
from bankhook.inbox._retries import Retries
from bankhook.inbox._thread import HandlerThread

if TYPE_CHECKING:
    from bankhook.handlers import Handlers

__all__ = ["NatsInbox"]

REMEMBERED = 10_000  # deliveries whose storing failed, so that a second attempt does not store them twice
STORE_FAILED = 10077  # the server's error code for a stream or a disk that is full; other errors of 503 pass
ENVELOPE = 1_000  # bytes that NATS itself puts into the headers of a message, at most


class NatsInbox:
    """Deliveries in a stream of NATS JetStream; `bankhook.inbox.open` makes it."""

    def __init__(
        self, connection: Connection, layout: Layout, *, attempts: int, backoff: datetime.timedelta, create: bool
    ) -> None:
        self._connection = connection
        self._layout = layout
        self._create = create
        self._retries = Retries(attempts, backoff)
        self._reading = Reading(connection, layout)
        self._state = State(connection, layout)
        self._failed: OrderedDict[int, tuple[Arrival, str]] = OrderedDict()
        self._iterations: set[Iteration] = set()
        self._is_open = False

    async def __aenter__(self) -> Self:
        """Connect; make what the inbox has on the server, if it is the first time and that was asked for."""
        await self._connection.open()
        try:
            async with self._connection.bounded("make the streams" if self._create else "read"):
                await (self._layout.make if self._create else self._layout.find)(self._connection.js)
        except BaseException:
            await self._connection.close()
            raise
        self._is_open = True
        return self

    async def __aexit__(self, *exception: object) -> None:
        """End iterations that still go on, whose deliveries are then for others, and close the connection."""
        self._is_open = False
        try:
            await asyncio.gather(*(iteration.end() for iteration in self._iterations))
        finally:
            await self._connection.close()

    async def append(self, arrivals: Sequence[Arrival], /) -> Sequence[int]:
        """Publish deliveries and return their numbers once the server has stored all of them.

        While the server is away it waits and tries again, until nothing has been stored for the timeout. A delivery that
        is tried again within two minutes, here or by a second call with the same `Arrival`, is stored once.
        """
        self._check_open()
        check_arrivals(arrivals)
        messages = [self._message(arrival) for arrival in arrivals]
        try:
            async with self._connection.bounded("store deliveries") as more_time:
                numbers = await self._publish([arrival.member for arrival in arrivals], messages, more_time)
        except BaseException:
            for arrival, message in zip(arrivals, messages, strict=True):
                self._failed[id(arrival)] = arrival, message.headers["Nats-Msg-Id"]
            while len(self._failed) > REMEMBERED:
                self._failed.popitem(last=False)
            raise
        if self._failed:
            for arrival in arrivals:
                self._failed.pop(id(arrival), None)
        return numbers

    async def _publish(
        self, members: Sequence[str | None], messages: Sequence[Message], more_time: Callable[[], None]
    ) -> list[int]:
        """Publish messages until all are stored, and return their numbers; call `more_time` whenever one is.

        A message of a member is published when the one before it is stored: otherwise what the server refuses, or what is
        lost with a connection, would come after what follows it.
        """
        numbers: list[int] = []
        while len(numbers) < len(messages):
            part = messages[len(numbers) : _repeated(members, len(numbers))]
            stored: list[int | None] = [None] * len(part)
            while missing := [index for index, number in enumerate(stored) if number is None]:
                await self._connection.wait()
                answers = await self._connection.publish([part[index] for index in missing])
                for index, answer in zip(missing, answers, strict=True):
                    if isinstance(answer, PubAck):
                        stored[index] = answer.seq
                        more_time()
                    elif isinstance(answer, APIError) and (answer.code != 503 or answer.err_code == STORE_FAILED):
                        raise answer
                if None in stored:
                    await asyncio.sleep(0.05)  # the connection ended, or the stream is not loaded yet
            numbers += [number for number in stored if number is not None]
        return numbers

    def _message(self, arrival: Arrival) -> Message:
        """The message of an arrival: InboxError if the server does not take one of this size."""
        if not isinstance(arrival.body, bytes):
            raise InboxError(f"NATS: a delivery needs a body of bytes, found {type(arrival.body).__name__}")
        subject = self._layout.subject(arrival.member, "quarantine" if arrival.findings else "event")
        _, name = self._failed.get(id(arrival), (arrival, ""))
        headers = {"Nats-Msg-Id": name or uuid.uuid4().hex, ARRIVAL: header(arrival)}
        size, limit = len(arrival.body) + len(headers[ARRIVAL]) + ENVELOPE, self._connection.client.max_payload
        if size > limit:
            raise TooLarge(
                f"NATS: a delivery takes {size} bytes with its headers, and the server takes {limit}: raise its max_payload"
            )
        return Message(subject, arrival.body, headers)

    def find(
        self, query: Query | None = None, /, *, newest_first: bool = False, limit: int | None = None
    ) -> AsyncIterator[StoredDelivery]:
        """Iterate over stored deliveries."""
        self._check_open()
        check_limit(limit)
        return self._reading.find(query or Query(), newest_first=newest_first, limit=limit)

    def _bodies(self) -> AsyncIterator[tuple[int, bytes]]:
        """Iterate over the number and the body of each delivery, in any event loop: for `bankhook.tables`."""
        self._check_open()
        return self._reading.bodies()

    async def counts(self) -> dict[DeliveryState, int]:
        """Return how many deliveries are in each state."""
        self._check_open()
        return await self._reading.counts()

    async def dead_letters(self) -> Sequence[DeadLetters]:
        """Return the quarantined deliveries by rule, the most frequent first."""
        self._check_open()
        return await self._reading.dead_letters()

    async def state_of(self, member: str, /) -> bytes | None:
        """Return the snapshot of the tracker of a member."""
        self._check_open()
        return (await self._state.member(hashed(member))).snapshot

    async def cases(
        self, *, kind: str | None = None, member: str | None = None, after: int = 0, limit: int | None = None
    ) -> Sequence[Case]:
        """Return the cases that are not settled, the oldest first."""
        self._check_open()
        check_kind(kind)
        check_limit(limit)
        return await self._state.cases(kind, member, after=after, limit=limit)

    async def settle(self, numbers: Collection[int], /) -> int:
        """Mark cases as settled, and return how many were open."""
        self._check_open()
        return sum([await self._state.settle(number) for number in sorted(set(numbers)) if number > 0])

    async def open_since(
        self, age: datetime.timedelta, /, *, after: Overdue | None = None, limit: int | None = None
    ) -> Sequence[Overdue]:
        """Return the transactions that have been open for longer than this."""
        self._check_open()
        check_limit(limit)
        return await self._state.overdue(datetime.datetime.now(datetime.UTC) - age, after=after, limit=limit)

    async def retry(self, numbers: Collection[int] | Query, /) -> int:
        """Make deliveries pending again: they wait with those of their member that failed, and are the first in their order."""
        self._check_open()
        return await retry(self._reading, self._state, numbers)

    async def deliveries(self) -> AsyncIterator[StoredDelivery]:
        """Iterate over deliveries that are pending, those of a member in order; other processes may do so, too."""
        self._check_open()
        iteration = Iteration(lambda call: self._worker(Tracker(), call))
        self._iterations.add(iteration)
        try:
            async with contextlib.aclosing(iteration.deliveries()) as deliveries:
                async for delivery in deliveries:
                    yield delivery
        finally:
            self._iterations.discard(iteration)

    async def run(self, handlers: Handlers, /, *, stop: asyncio.Event | None = None) -> None:
        """Call the handlers for what is pending, and for what comes; other processes may do so, too, and share the work."""
        self._check_open()
        await self._reading.progress()  # InboxError at the start; once it has started, it goes on when it can
        with HandlerThread() as thread:
            worker = self._worker(handlers.tracker, calling(handlers, self._state, thread), for_ever=True)
            await worker.run((stop or asyncio.Event()).wait)

    async def drain(self, handlers: Handlers, /) -> int:
        """Call the handlers for what is pending now, retries included, and return how many deliveries were handled or parked."""
        self._check_open()
        last = await self._reading.last()

        async def drained() -> None:
            finished = -1
            while True:
                if finished != worker.finished:  # there is more, so the server need not be asked
                    finished = worker.finished
                elif not await self._reading.is_pending(last):
                    return
                await asyncio.sleep(0.02)

        with HandlerThread() as thread:
            worker = self._worker(handlers.tracker, calling(handlers, self._state, thread))
            await worker.run(drained)
        return worker.finished

    def _worker(self, options: Tracker, call: Call, *, for_ever: bool = False) -> Worker:
        handling = Handling(self._connection, self._reading, self._state, self._retries, options, call)
        return Worker(self._connection, self._layout, handling, for_ever=for_ever)

    def _check_open(self) -> None:
        if not self._is_open:
            raise InboxError("the inbox is not open: use `async with`")


def _repeated(members: Sequence[str | None], start: int) -> int:
    """Where a member comes for the second time after this start, or else the end."""
    seen = set[str]()
    for index in range(start, len(members)):
        if (member := members[index]) is not None:
            if member in seen:
                return index
            seen.add(member)
    return len(members)
