# SPDX-License-Identifier: MIT
"""Deliveries of a member are handled in order, members beside each other: a slow handler holds up its member only."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import text

import bankhook
from bankhook.inbox import DeliveryState, Inbox, Query, examine
from inbox.history import HANGS, Ledger, filled, found, payloads

CREDIT = text("INSERT INTO credits VALUES ('key', :number)")


def number_of(context: bankhook.HandlerContext) -> int:
    assert context.delivery is not None
    return context.delivery.number


def of_members(count: int) -> list[bytes]:
    """A delivery of each of so many members."""
    sandbox = bankhook.Sandbox(seed=1, members=count)
    return [sandbox.send_initial_transaction(sandbox.member(number)).raw for number in range(count)]


def named(*names: str) -> list[bytes]:
    return [b'{"event":"%s"}' % name.encode() for name in names]


def test_sync_handlers_of_40_members_run_32_at_a_time(url: str) -> None:
    async def run() -> None:
        handlers, together = bankhook.Handlers(), threading.Barrier(32)
        numbers = list[int]()

        @handlers.fallback
        def wait(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            if number_of(context) <= 32:
                together.wait(HANGS)
            numbers.append(number_of(context))

        async with filled(url, of_members(40), attempts=1) as inbox:
            assert await inbox.drain(handlers, concurrency=32) == 40
            assert (await inbox.counts())[DeliveryState.HANDLED] == 40
        assert sorted(numbers) == [*range(1, 41)]

    asyncio.run(run())


def test_async_handlers_of_40_members_run_32_at_a_time(url: str) -> None:
    async def run() -> None:
        handlers, together = bankhook.Handlers(), asyncio.Barrier(32)
        most = now = 0

        @handlers.fallback
        async def wait(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            nonlocal most, now
            now += 1
            most = max(most, now)
            if number_of(context) <= 32:
                async with asyncio.timeout(HANGS):
                    await together.wait()
            now -= 1

        async with filled(url, of_members(40), attempts=1) as inbox:
            assert await inbox.drain(handlers, concurrency=32) == 40
            assert (await inbox.counts())[DeliveryState.HANDLED] == 40
        assert most == 32

    asyncio.run(run())


def test_deliveries_of_a_member_are_handled_in_order_whatever_fails_or_writes(url: str) -> None:
    async def run() -> None:
        bodies, handlers = payloads(400, members=20), bankhook.Handlers()
        ledger, busy, failed = Ledger(url), set[str | None](), set[int]()

        def credit(context: bankhook.HandlerContext) -> None:
            if (number := number_of(context)) % 3 == 0:
                context.begin().execute(CREDIT, {"number": number})
            if number % 7 == 0 and number not in failed:
                failed.add(number)
                raise RuntimeError

        @handlers.fallback
        def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            member = context.delivery.member
            assert member not in busy
            busy.add(member)
            try:
                order.setdefault(member, []).append(context.delivery.number)
                credit(context)
            finally:
                busy.remove(member)

        order = dict[str | None, list[int]]()
        async with filled(url, bodies, attempts=2) as inbox:
            assert await inbox.drain(handlers, concurrency=8) == 400
            assert (await inbox.counts())[DeliveryState.HANDLED] == 400
            merged = bankhook.Tracker()
            for member in order:
                snapshot = await inbox.state_of(member or "")
                assert snapshot is not None
                merged.merge(bankhook.Tracker.restore(snapshot))
        expected = bankhook.Tracker()
        for body in bodies:
            expected.apply(bankhook.parse(body))
        assert merged == expected
        assert all(numbers == sorted(numbers) for numbers in order.values())
        assert len(failed) == 400 // 7
        assert [number for _, number in ledger.rows()] == [*range(3, 401, 3)]

    asyncio.run(run())


@pytest.mark.parametrize("is_async", [False, True])
def test_a_handler_that_hangs_holds_up_its_member_only(url: str, is_async: bool) -> None:
    async def run() -> None:
        handlers, ledger = bankhook.Handlers(), Ledger(url)
        end, ended = asyncio.Event(), threading.Event()

        async def hang_async(event: bankhook.AnyEvent) -> None:
            await end.wait()

        def hang(event: bankhook.AnyEvent) -> None:
            assert ended.wait(HANGS)

        handlers.on(bankhook.UnknownEvent, event="hang")(hang_async if is_async else hang)

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            context.begin().execute(CREDIT, {"number": number_of(context)})

        async with filled(url, []) as inbox:
            members = {"hang": "held", "after": "held"}
            names = ["hang", "after", *(f"other {number}" for number in range(50))]
            bodies = zip(names, named(*names), strict=True)
            await inbox.append([examine(body).replace(member=members.get(name, name)) for name, body in bodies])
            stop = asyncio.Event()
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=2))
            try:
                async with asyncio.timeout(HANGS):
                    while (await inbox.counts())[DeliveryState.HANDLED] < 50:
                        await asyncio.sleep(0.01)
                pending = await found(inbox, Query(states=(DeliveryState.PENDING,)))
                assert [one.number for one in pending] == [1, 2]
                assert await inbox.append([examine(named("last")[0])]) == range(53, 54)
                async with asyncio.timeout(HANGS):
                    while (await inbox.counts())[DeliveryState.HANDLED] < 51:
                        await asyncio.sleep(0.01)
            finally:
                end.set()
                ended.set()
            async with asyncio.timeout(HANGS):
                while (await inbox.counts())[DeliveryState.PENDING]:
                    await asyncio.sleep(0.01)
            stop.set()
            await running
        assert [number for _, number in ledger.rows()] == [*range(2, 54)]

    asyncio.run(run())


@pytest.mark.parametrize("is_async", [False, True])
def test_handlers_that_keep_the_transaction_lose_it_and_are_tried_again(url: str, is_async: bool) -> None:
    async def run() -> None:
        handlers, ledger = bankhook.Handlers(), Ledger(url)
        others, keeping, lost = threading.Event(), asyncio.Event(), list[Exception]()
        loop, lost_at = asyncio.get_running_loop(), time.monotonic() + 3

        def keep(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            connection = context.begin()
            connection.execute(CREDIT, {"number": 1})
            loop.call_soon_threadsafe(keeping.set)
            assert others.wait(HANGS)
            time.sleep(max(0, lost_at - time.monotonic()))  # on PostgreSQL, others do not wait
            try:
                connection.execute(CREDIT, {"number": 1})
            except Exception as error:
                lost.append(error)

        async def keep_async(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            connection = await context.begin()
            await connection.execute(CREDIT, {"number": 1})
            keeping.set()
            async with asyncio.timeout(HANGS):
                while not others.is_set() or time.monotonic() < lost_at:
                    await asyncio.sleep(0.01)
            try:
                await connection.execute(CREDIT, {"number": 1})
            except Exception as error:
                lost.append(error)

        handlers.on(bankhook.UnknownEvent, event="keep")(keep_async if is_async else keep)

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            context.begin().execute(CREDIT, {"number": number_of(context)})
            if number_of(context) == 4:
                others.set()

        async with filled(url, named("keep"), attempts=100, turn=1) as inbox:
            running = asyncio.create_task(inbox.run(handlers, concurrency=2))
            await asyncio.wait_for(keeping.wait(), HANGS)
            await inbox.append([examine(body) for body in named("b", "c", "d")])  # in SQLite it waits, too
            async with asyncio.timeout(HANGS):
                while (await inbox.counts())[DeliveryState.PENDING]:
                    await asyncio.sleep(0.01)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert (await found(inbox))[0].attempts >= 1
        assert lost
        assert [number for _, number in ledger.rows()] == [1, 1, 2, 3, 4]

    asyncio.run(run())
    gc.collect()  # Python 3.13 would warn here of a connection that is not closed


def test_context_variables_reach_handlers_and_do_not_come_back(url: str) -> None:
    variable = contextvars.ContextVar("variable", default="not set")

    async def run() -> None:
        handlers, seen = bankhook.Handlers(), list[str]()

        @handlers.on(bankhook.UnknownEvent, event="sync")
        def see(event: bankhook.AnyEvent) -> None:
            seen.append(variable.get())
            variable.set("changed")

        @handlers.fallback
        async def see_async(event: bankhook.AnyEvent) -> None:
            seen.append(variable.get())
            variable.set("changed")

        variable.set("set")
        async with filled(url, named("sync", "async", "sync", "async")) as inbox:
            assert await inbox.drain(handlers) == 4
        assert seen == ["set"] * 4

    asyncio.run(run())


@pytest.mark.parametrize(("concurrency", "error"), [(0, ValueError), (1.5, TypeError), (True, TypeError)])
def test_concurrency_is_a_positive_number(url: str, concurrency: int, error: type[Exception]) -> None:
    async def run(call: Callable[[Inbox], Coroutine[Any, Any, object]]) -> None:
        async with filled(url, []) as inbox:
            with pytest.raises(error, match="concurrency: expected"):
                await call(inbox)

    asyncio.run(run(lambda inbox: inbox.drain(bankhook.Handlers(), concurrency=concurrency)))
    asyncio.run(run(lambda inbox: inbox.run(bankhook.Handlers(), concurrency=concurrency)))


def test_a_run_that_is_stopped_waits_for_the_handlers_that_it_called(url: str) -> None:
    async def run() -> None:
        handlers, stop, called = bankhook.Handlers(), asyncio.Event(), list[int]()
        together = asyncio.Barrier(3)

        @handlers.fallback
        async def wait(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            called.append(number_of(context))
            if len(called) <= 2:
                await together.wait()
            await stop.wait()

        async with filled(url, named(*"abcdef")) as inbox:
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=2))
            async with asyncio.timeout(HANGS):
                await together.wait()
                stop.set()
                await running
            assert called[:2] == [1, 2]
            assert (await inbox.counts())[DeliveryState.HANDLED] == len(called)

    asyncio.run(run())
