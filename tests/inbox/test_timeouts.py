# SPDX-License-Identifier: MIT
"""A handler that takes longer than `timeout` has failed: an async one is cancelled, a sync one is left alone until it returns."""

from __future__ import annotations

import asyncio
import datetime
import threading
import time
from typing import Any

import pytest
from sqlalchemy import text

import bankhook
from bankhook.inbox import Delivery, DeliveryState, Inbox, InboxError, examine
from inbox.history import HANGS, Ledger, filled, found

sandbox = bankhook.Sandbox(seed=1, members=1)
MEMBER = [sandbox.send_initial_transaction(sandbox.member(0)).raw for _ in range(2)]
OTHER = b'{"event":"other"}'
LONG = 60.0  # far beyond any timeout here
SECONDS = 0.5


async def until(inbox: Inbox, state: DeliveryState, count: int) -> list[Delivery]:
    """Wait until so many deliveries are in a state, and return all."""
    async with asyncio.timeout(HANGS):
        while (await inbox.counts())[state] < count:
            await asyncio.sleep(0.02)
    return await found(inbox)


ENDS = "cancelled", "swallows it and returns", "raises another error", "begun"


@pytest.mark.parametrize(
    ("end", "seconds"), [*((end, SECONDS) for end in ENDS), (ENDS[0], datetime.timedelta(seconds=SECONDS))]
)
def test_an_async_handler_is_cancelled_and_an_attempt_has_failed(url: str, end: str, seconds: Any) -> None:
    async def run() -> None:
        ledger, handlers, stop, calls = Ledger(url), bankhook.Handlers(), asyncio.Event(), list[int]()

        @handlers.fallback
        async def hang(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)
            if context.delivery.number == 2:
                return
            if end == "begun":
                await ledger.credit_async(context.replace(key="key"))
            try:
                await asyncio.sleep(LONG)
            except asyncio.CancelledError:
                if end == "raises another error":
                    raise ValueError from None
                if end != "swallows it and returns":
                    raise

        async with filled(url, [MEMBER[0], OTHER], attempts=2) as inbox:
            running = asyncio.create_task(inbox.run(handlers, stop=stop, timeout=seconds))
            await until(inbox, DeliveryState.PARKED, 1)
            parked, _ = await until(inbox, DeliveryState.HANDLED, 1)
            assert (parked.number, parked.attempts) == (1, 2)
            assert (parked.error or "").startswith("TimeoutError\n")
            stop.set()
            await asyncio.wait_for(running, HANGS)
            assert [calls.count(1), calls.count(2) >= 1, ledger.rows()] == [2, True, []]

    asyncio.run(run())


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_sync_handler_that_is_late_has_failed_at_once_and_its_member_waits_until_it_returns(
    url: str, has_begun: bool
) -> None:
    async def run() -> None:
        ledger, handlers, stop = Ledger(url), bankhook.Handlers(), asyncio.Event()
        calls, refused, returns = list[int](), list[str](), threading.Event()

        @handlers.fallback
        def hang(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)
            if context.delivery.number != 1:
                return
            if has_begun:
                ledger.credit(context.replace(key="key"))
            assert returns.wait(HANGS)
            try:
                ledger.credit(context.replace(key="late"))
            except Exception as error:
                refused.append(type(error).__name__)

        async with filled(url, MEMBER, attempts=1) as inbox:
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=2, timeout=SECONDS))
            parked, waits = await until(inbox, DeliveryState.PARKED, 1)
            assert (parked.number, parked.attempts, waits.state) == (1, 1, DeliveryState.PENDING)
            assert (parked.error or "").startswith("TimeoutError\n")
            await inbox.append([examine(OTHER)])
            await until(inbox, DeliveryState.HANDLED, 1)  # the other thread goes on
            assert calls == [1, 3]
            returns.set()
            await until(inbox, DeliveryState.HANDLED, 2)
            stop.set()
            await asyncio.wait_for(running, HANGS)
            assert [one.attempts async for one in inbox.find()] == [1, 0, 0]
        assert (calls, len(refused), ledger.rows()) == ([1, 3, 2], 1, [])

    asyncio.run(run())


def test_a_sync_handler_that_is_late_is_called_again_after_it_has_returned(url: str) -> None:
    async def run() -> None:
        handlers, stop, now, most = bankhook.Handlers(), asyncio.Event(), list[int](), list[int]()

        @handlers.fallback
        def hang(event: bankhook.AnyEvent) -> None:
            now.append(1)
            most.append(len(now))
            time.sleep(4 * SECONDS)
            now.pop()

        async with filled(url, MEMBER[:1], attempts=3) as inbox:
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=4, timeout=SECONDS))
            (parked,) = await until(inbox, DeliveryState.PARKED, 1)
            stop.set()
            await asyncio.wait_for(running, HANGS)
        assert (parked.attempts, most) == (3, [1, 1, 1])

    asyncio.run(run())


@pytest.mark.parametrize("is_async", [False, True])
def test_waiting_for_the_turn_to_write_takes_none_of_the_time(url: str, is_async: bool) -> None:
    async def run() -> None:
        handlers = bankhook.Handlers()

        @handlers.fallback
        def work(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            context.begin().execute(text("SELECT 1"))
            time.sleep(SECONDS)

        async def work_async(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            await (await context.begin()).execute(text("SELECT 1"))
            await asyncio.sleep(SECONDS)

        if is_async:
            handlers = bankhook.Handlers()
            handlers.fallback(name="work")(work_async)
        async with filled(url, [OTHER] * 8) as inbox:
            stop = asyncio.Event()
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=8, timeout=3 * SECONDS))
            handled = await until(inbox, DeliveryState.HANDLED, 8)
            stop.set()
            await asyncio.wait_for(running, HANGS)
        assert {one.attempts for one in handled} == {0}

    asyncio.run(run())


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 10**400, datetime.timedelta(), True, "1", [1]])
def test_a_timeout_that_is_not_a_positive_time_is_refused(url: str, timeout: Any) -> None:
    async def run() -> None:
        async with filled(url, []) as inbox:
            with pytest.raises((TypeError, ValueError), match="timeout: expected"):
                await inbox.run(bankhook.Handlers(), timeout=timeout)

    asyncio.run(run())


def test_nothing_is_begun_after_the_time(url: str) -> None:
    async def run() -> None:
        ledger, handlers, stop, begun = Ledger(url), bankhook.Handlers(), asyncio.Event(), list[bool]()

        @handlers.fallback
        def hang(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            time.sleep(4 * SECONDS)
            with pytest.raises(InboxError, match="have ended"):
                ledger.credit(context.replace(key="key"))
            begun.append(False)

        async with filled(url, [OTHER], attempts=1) as inbox:
            running = asyncio.create_task(inbox.run(handlers, stop=stop, timeout=SECONDS))
            await until(inbox, DeliveryState.PARKED, 1)
            stop.set()
            await asyncio.wait_for(running, HANGS)
        assert (begun, ledger.rows()) == ([False], [])

    asyncio.run(run())
