# SPDX-License-Identifier: MIT
"""What several processes do to an inbox on NATS at the same time, and what one leaves that ends half way."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, Query, examine
from inbox.history import HANGS, filled, found, payloads
from inbox.nats_server import NatsServer

pytestmark = pytest.mark.nats

HISTORY = payloads(40, members=1)
PARKED = Query(states=(DeliveryState.PARKED,))
FOR_EVER = datetime.timedelta(days=1)


def failing(*numbers: int) -> bankhook.Handlers:
    """Handlers that fail for these deliveries."""
    handlers = bankhook.Handlers()

    @handlers.fallback
    async def fail(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        if context.delivery.number in numbers:
            raise RuntimeError("it fails")

    return handlers


async def until(inbox: Inbox, state: DeliveryState, count: int) -> None:
    """Wait until this many deliveries are in a state."""
    while (await inbox.counts())[state] != count:
        await asyncio.sleep(0.02)


def test_a_worker_that_is_to_stop_leaves_what_waits_to_others(nats: NatsServer) -> None:
    async def run() -> None:
        stop, called, handlers = asyncio.Event(), list[int](), bankhook.Handlers()

        @handlers.fallback
        async def fail_at_first(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            called.append(context.delivery.number)
            if len(called) == 1:
                raise RuntimeError("the first attempt of the first delivery fails")
            if len(called) == 5:
                stop.set()
                await asyncio.sleep(0.1)  # in which the worker learns of it

        backoff = datetime.timedelta(seconds=2)  # in which all that follow are put off
        async with asyncio.timeout(HANGS), filled(nats.url(), HISTORY, backoff=backoff) as inbox:
            await inbox.run(handlers, stop=stop)
            assert len(called) <= 6
            assert await inbox.drain(handlers) >= len(HISTORY) - 6
            assert (await inbox.counts())[DeliveryState.HANDLED] == len(HISTORY)

    asyncio.run(run())


def test_a_retry_is_at_once_although_another_delivery_of_the_member_waits_for_long(nats: NatsServer) -> None:
    async def run() -> None:
        url, stop = nats.url(), asyncio.Event()
        async with asyncio.timeout(HANGS), filled(url, HISTORY[:1], attempts=1) as inbox:
            await inbox.drain(failing(1))
            async with bankhook.inbox.open(url, backoff=FOR_EVER) as other:
                await other.append([examine(HISTORY[1])])
                worker = asyncio.create_task(other.run(failing(2), stop=stop))
                while (await found(other))[1].attempts == 0:
                    await asyncio.sleep(0.02)
                assert await other.retry([1]) == 1
                await until(other, DeliveryState.HANDLED, 1)
                stop.set()
                await worker
            assert [one.state for one in await found(inbox)] == [DeliveryState.HANDLED, DeliveryState.PENDING]

    asyncio.run(run())


def test_deliveries_of_a_member_that_are_retried_are_handled_one_after_another_by_two_workers(nats: NatsServer) -> None:
    async def run() -> None:
        url, stop, called = nats.url(), asyncio.Event(), list[int]()
        handlers = bankhook.Handlers()

        @handlers.fallback
        async def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            called.append(context.delivery.number)
            await asyncio.sleep(0.01)
            called.append(context.delivery.number)

        every = range(1, len(HISTORY) + 1)
        async with asyncio.timeout(HANGS), filled(url, HISTORY, attempts=1) as inbox, bankhook.inbox.open(url) as other:
            await inbox.drain(failing(*every))
            workers = [asyncio.create_task(one.run(handlers, stop=stop)) for one in (inbox, other)]
            assert await inbox.retry(PARKED) == len(HISTORY)
            await until(inbox, DeliveryState.HANDLED, len(HISTORY))
            stop.set()
            await asyncio.gather(*workers)
        assert called == [number for number in every for _ in range(2)]

    asyncio.run(run())


def test_a_retry_of_many_that_was_killed_half_way_is_asked_for_again(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        from bankhook.inbox._nats import retrying

        async def killed(*arguments: Any) -> None:
            raise KeyboardInterrupt

        async with asyncio.timeout(HANGS), filled(nats.url(), HISTORY[:2], attempts=1) as inbox:
            await inbox.drain(failing(1, 2))
            with monkeypatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
                patch.setattr(retrying, "_wait", killed)
                await inbox.retry(PARKED)
            await inbox.retry(PARKED)
            await inbox.drain(bankhook.Handlers())
            assert (await inbox.counts())[DeliveryState.HANDLED] == 2

    asyncio.run(run())


def test_a_transaction_is_not_left_open_by_a_worker_that_was_too_slow(nats: NatsServer) -> None:
    async def run() -> None:
        from bankhook.inbox._nats.state import owner_of

        sandbox = bankhook.Sandbox(seed=1, members=1)
        created = sandbox.send_initial_transaction(sandbox.member(0))
        validated = sandbox.validate(created.initial_transaction.id)
        async with asyncio.timeout(HANGS), filled(nats.url(), [created.raw], attempts=1) as inbox:
            await inbox.drain(failing(1))
            await inbox.append([examine(validated.raw)])
            first, second = await found(inbox)
            begun, goes_on = asyncio.Event(), asyncio.Event()

            async def slow(*arguments: Any) -> None:
                begun.set()
                await goes_on.wait()

            async def overtaken(*arguments: Any) -> None:
                goes_on.set()
                await of_the_second

            subject = await inbox._reading.subject_of(2)  # type: ignore[attr-defined]
            handling = inbox._worker(bankhook.Tracker(), slow)._handling  # type: ignore[attr-defined]
            of_the_second = asyncio.create_task(handling.in_turn(subject, second, set(), again=False))
            await begun.wait()
            assert await inbox.retry([1]) == 1
            owner = owner_of(first)
            handling = inbox._worker(bankhook.Tracker(), overtaken)._handling  # type: ignore[attr-defined]
            generation = (await inbox._state.member(owner)).generation  # type: ignore[attr-defined]
            await handling.waiting(owner, generation, set(), lambda: None)
            snapshot = await inbox.state_of(first.member or "")
            (tracked,) = bankhook.Tracker.restore(snapshot or b"").transactions()
            assert tracked.initial_transaction.status == "validated"
            assert await inbox.open_since(datetime.timedelta(days=-1)) == []

    asyncio.run(run())
