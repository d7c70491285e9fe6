# SPDX-License-Identifier: MIT
"""A server that is killed has each acknowledged delivery exactly once when it is back, and no handler is to blame."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import suppress

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery, DeliveryState, Inbox, InboxError, examine
from inbox.history import HANGS, ROUNDS, Ledger, Progress, filled, found
from inbox.postgresql import PostgreSQL
from inbox.test_workers import COUNT, all_is_handled_once_and_in_order, fill
from inbox.working import DONE

CLIENTS = 6
AFTERWARDS = 100  # deliveries that are acknowledged after each restart, before the next kill


class Load:
    """Clients that append deliveries, no two alike, and remember which were acknowledged."""

    def __init__(self, inbox: Inbox, seed: int) -> None:
        self.acknowledged: list[bytes] = []
        self.failures = 0
        self._inbox = inbox
        self._random = random.Random(seed)
        self._number = 0
        self._moved = asyncio.Event()

    async def client(self) -> None:
        """Append without end; what failed is given up, as a sender would that gets a 503 and does not try again."""
        while True:
            batch = [self._next() for _ in range(self._random.randrange(1, 20))]
            try:
                await self._inbox.append(batch)
            except InboxError:
                self.failures += 1
                await asyncio.sleep(0.01)
            else:
                self.acknowledged += [one.body for one in batch]
            self._moved.set()

    async def until_acknowledged(self, count: int) -> None:
        """Wait until so many more were acknowledged."""
        wanted, progress = len(self.acknowledged) + count, Progress("deliveries are acknowledged")
        while len(self.acknowledged) < wanted:
            progress.check(len(self.acknowledged))
            self._moved.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), HANGS)

    def _next(self) -> Delivery:
        self._number += 1
        body = b'{"event":"load","number":%d,"filler":"%s"}' % (self._number, b"x" * self._random.randrange(2000))
        return examine(body).replace(member=f"member {self._number % 50}")


@pytest.mark.soak
@pytest.mark.slow
def test_what_was_acknowledged_before_a_kill_is_there_exactly_once() -> None:
    async def run(server: PostgreSQL) -> None:
        url = server.url()
        async with bankhook.inbox.open(url) as inbox:
            load = Load(inbox, seed=1)
            clients = [asyncio.create_task(load.client()) for _ in range(CLIENTS)]
            for round_ in range(max(2, ROUNDS)):
                await load.until_acknowledged(random.Random(round_).randrange(1, 300))
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                await load.until_acknowledged(AFTERWARDS)
            for client in clients:
                client.cancel()
            for client in clients:
                with suppress(asyncio.CancelledError):
                    await client
        async with bankhook.inbox.open(url) as inbox:
            stored = Counter([delivery.body async for delivery in inbox.find()])
            assert {body: stored[body] for body in load.acknowledged if stored[body] != 1} == {}
            assert len(load.acknowledged) >= max(2, ROUNDS) * AFTERWARDS
            assert max(stored.values()) == 1  # a client does not try again, so nothing is there twice

    with PostgreSQL() as server:
        asyncio.run(run(server))


def test_a_server_that_is_away_while_a_handler_writes_counts_no_attempt() -> None:
    async def run(server: PostgreSQL) -> None:
        url = server.url()
        ledger, handlers, calls = Ledger(url), bankhook.Handlers(), list[int]()
        killed = asyncio.Event()

        @handlers.fallback
        async def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)
            await ledger.credit_async(context.replace(key="key"))
            if calls == [1, 2]:
                await asyncio.to_thread(server.kill)
                killed.set()
            await ledger.credit_async(context.replace(key="key"))

        async with filled(url, [b'{"event":"a"}', b'{"event":"b"}'], attempts=1, turn=HANGS) as inbox:
            running = asyncio.create_task(inbox.run(handlers))
            await asyncio.wait_for(killed.wait(), HANGS)
            await asyncio.to_thread(server.start)
            progress = Progress("deliveries are handled")
            while (await inbox.counts())[DeliveryState.PENDING]:
                progress.check()
                await asyncio.sleep(0.05)
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            assert [one.attempts for one in await found(inbox)] == [0, 0]
        assert [number for _, number in ledger.rows()] == [1, 1, 2, 2]

    with PostgreSQL() as server:
        asyncio.run(run(server))


def test_a_server_that_is_away_while_32_handlers_are_called_counts_no_attempt() -> None:
    async def run(server: PostgreSQL) -> None:
        url, handlers, meeting, killed = server.url(), bankhook.Handlers(), asyncio.Barrier(32), asyncio.Event()
        ledger = Ledger(url)

        @handlers.fallback
        async def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            context = context.replace(key="key")
            if not killed.is_set():
                await asyncio.wait_for(meeting.wait(), HANGS)
            await ledger.credit_async(context)
            if not killed.is_set():
                await asyncio.to_thread(server.kill)
                killed.set()
            await ledger.credit_async(context)

        async with filled(url, [b'{"event":"a"}'] * 32, attempts=1, turn=HANGS) as inbox:
            running = asyncio.create_task(inbox.run(handlers, concurrency=32))
            await asyncio.wait_for(killed.wait(), HANGS)
            server.start()  # not in a thread: the server would end with it, before the next round
            progress = Progress("deliveries are handled")
            while (await inbox.counts())[DeliveryState.PENDING]:
                progress.check()
                await asyncio.sleep(0.05)
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            assert {one.attempts for one in await found(inbox)} == {0}
        assert [number for _, number in ledger.rows()] == sorted([*range(1, 33)] * 2)

    with PostgreSQL() as server:
        for _ in range(ROUNDS):
            asyncio.run(run(server))


def test_two_workers_go_on_after_the_server_was_killed_while_both_wrote() -> None:
    """Also if they are ended, and others begin, before all is handled: nothing is lost, twice, or out of order."""

    async def run(server: PostgreSQL) -> None:
        url, meeting, killed = server.url(), asyncio.Barrier(3), asyncio.Event()
        await fill(url)
        waited = set[str]()

        def handlers(name: str) -> bankhook.Handlers:
            made = bankhook.Handlers()

            @made.fallback
            async def note(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
                assert context.delivery is not None
                connection = await context.begin()
                done = {"worker": name, "member": context.delivery.member, "delivery": context.delivery.number}
                await connection.execute(DONE, done)
                if name not in waited:
                    waited.add(name)
                    async with asyncio.timeout(HANGS):
                        await meeting.wait()
                        await killed.wait()

            return made

        async def handle(stop: asyncio.Event) -> None:
            async with filled(url, [], attempts=1, turn=HANGS) as one, filled(url, [], attempts=1, turn=HANGS) as other:
                await asyncio.gather(
                    one.run(handlers("one"), stop=stop, concurrency=4),
                    other.run(handlers("other"), stop=stop, concurrency=4),
                )

        async def until(count: int) -> None:
            async with filled(url, []) as inbox:
                progress = Progress("deliveries are handled")
                while (handled := (await inbox.counts())[DeliveryState.HANDLED]) < count:
                    progress.check(handled)
                    await asyncio.sleep(0.01)

        for count in (COUNT // 2, COUNT):
            waited.clear()
            killed.clear()
            stop = asyncio.Event()
            running = asyncio.create_task(handle(stop))
            async with asyncio.timeout(HANGS):
                await meeting.wait()
            await asyncio.to_thread(server.kill)
            killed.set()
            server.start()  # not in a thread: the server would end with it
            await until(count)
            stop.set()
            await running
        assert {*await all_is_handled_once_and_in_order(url)} == {"one", "other"}

    with PostgreSQL() as server:
        asyncio.run(run(server))
