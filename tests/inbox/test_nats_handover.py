# SPDX-License-Identifier: MIT
"""What a worker on NATS gives up is for the next one at once, not when the server gives up waiting, which is never here."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, InboxError, StoredDelivery, examine
from inbox.history import HANGS, filled, payloads
from inbox.nats_server import NatsServer
from inbox.slow_connection import SlowConnection

pytestmark = pytest.mark.nats

HISTORY = payloads(40, members=20)
NEVER = {"ack_wait": 100_000}


async def take(inbox: Inbox, count: int) -> list[StoredDelivery]:
    """Ask an iterator for some deliveries, and close it: the last one is not handled then."""
    iterator = inbox.deliveries()
    taken = [await anext(iterator) for _ in range(count)]
    await iterator.aclose()  # type: ignore[attr-defined]
    return taken


async def until_handled(inbox: Inbox, count: int) -> None:
    """Wait until the server knows it: workers do not wait for it to confirm what they acknowledge."""
    while (await inbox.counts())[DeliveryState.HANDLED] < count:
        await asyncio.sleep(0.02)


def test_a_delivery_of_the_iterator_is_handled_when_the_next_is_asked_for(nats: NatsServer) -> None:
    async def run() -> None:
        url = nats.url(**NEVER)
        async with asyncio.timeout(HANGS), filled(url, HISTORY[:6]) as inbox, bankhook.inbox.open(url) as other:
            first = await take(inbox, 3)
            assert len({one.number for one in first}) == 3
            await until_handled(inbox, 2)
            assert (await inbox.counts())[DeliveryState.HANDLED] == 2
            second = await take(other, 4)
            assert {one.number for one in [*first, *second]} == {1, 2, 3, 4, 5, 6}
            await until_handled(other, 5)
            assert (await other.counts())[DeliveryState.HANDLED] == 5

    asyncio.run(run())


def test_iterators_that_are_closed_one_after_another_give_everything_back(nats: NatsServer) -> None:
    async def run() -> None:
        url, numbers = nats.url(**NEVER), list[int]()
        async with asyncio.timeout(HANGS), filled(url, HISTORY) as inbox, bankhook.inbox.open(url) as other:
            for handled in range(20):
                numbers += [one.number for one in await take((inbox, other)[handled % 2], 2)]
                await until_handled(inbox, handled + 1)
            assert await other.drain(bankhook.Handlers()) == len(HISTORY) - 20
        assert len(numbers) == 40

    asyncio.run(run())


def test_what_is_given_back_is_there_for_others_when_the_iterator_is_closed(nats: NatsServer) -> None:
    async def run() -> None:
        url = nats.url(**NEVER)
        async with asyncio.timeout(HANGS), filled(url, HISTORY[:1]) as inbox, SlowConnection(nats.port) as slow:
            async with bankhook.inbox.open(url.replace(str(nats.port), str(slow.port))) as other:
                iterator = other.deliveries()
                await anext(iterator)
                slow.delay = 1.0
                closing = asyncio.create_task(iterator.aclose())  # type: ignore[attr-defined]
                await asyncio.sleep(0.1)
                await inbox.append([examine(body) for body in HISTORY[1:]])  # goes to whoever is about to close
                await closing
                await take(inbox, 1)  # server 2.9 drops what comes back when whoever asked for it has gone
                await asyncio.sleep(2 * slow.delay)
            assert await inbox.drain(bankhook.Handlers()) == len(HISTORY)

    asyncio.run(run())


def test_workers_that_are_cancelled_one_after_another_give_everything_back(nats: NatsServer) -> None:
    async def run() -> None:
        url, called, handlers = nats.url(**NEVER), asyncio.Queue[int](), bankhook.Handlers()

        @handlers.fallback
        async def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            called.put_nowait(context.delivery.number)
            await asyncio.sleep(0)

        async with asyncio.timeout(HANGS), filled(url, HISTORY) as inbox, bankhook.inbox.open(url) as other:
            for replaced in range(10):
                worker = asyncio.create_task((inbox, other)[replaced % 2].run(handlers))
                await called.get()
                worker.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await worker
            await inbox.drain(handlers)
            await until_handled(inbox, len(HISTORY))

    asyncio.run(run())


def test_a_loop_that_is_left_hands_over_when_the_inbox_is_closed(nats: NatsServer) -> None:
    async def run() -> None:
        url, numbers = nats.url(**NEVER), list[int]()
        async with asyncio.timeout(HANGS):
            async with filled(url, HISTORY) as inbox:
                async for delivery in inbox.deliveries():
                    numbers.append(delivery.number)
                    break
            async with bankhook.inbox.open(url) as other:
                assert await other.drain(bankhook.Handlers()) == len(HISTORY)
        assert len(numbers) == 1

    asyncio.run(run())


def test_an_iteration_whose_inbox_was_closed_ends_with_an_error(nats: NatsServer) -> None:
    async def run() -> None:
        async with asyncio.timeout(HANGS):
            async with filled(nats.url(**NEVER), HISTORY) as inbox:
                iterator = inbox.deliveries()
                await anext(iterator)
            with pytest.raises(InboxError, match="closed during the iteration"):
                await anext(iterator)

    asyncio.run(run())
