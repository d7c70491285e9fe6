# SPDX-License-Identifier: MIT
"""Whatever a handler raises or returns, handling goes on: what ends a process elsewhere is a failure, but for the user's ^C."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Query
from inbox.history import Ledger, filled, found, payloads

HISTORY = payloads(12)
PARKED = Query(states=(DeliveryState.PARKED,))


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), asyncio.CancelledError()])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_handler_that_would_end_the_process_is_parked_and_others_go_on(
    url: str, error: BaseException, is_async: bool
) -> None:
    calls = list[int]()

    def leave(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        calls.append(context.delivery.number)
        if context.delivery.number == 2:
            raise error

    async def leave_later(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        await asyncio.sleep(0)
        leave(event, context)

    async def run() -> None:
        handlers = bankhook.Handlers()
        handlers.fallback(name="leave")(leave_later if is_async else leave)
        async with filled(url, HISTORY, attempts=2) as inbox:
            assert await inbox.drain(handlers) == len(HISTORY)
            (parked,) = await found(inbox, PARKED)
        assert parked.number == 2
        assert type(error).__name__ in (parked.error or "")
        assert sorted(calls) == sorted([2, *range(1, len(HISTORY) + 1)])

    asyncio.run(run())


@pytest.mark.parametrize("is_async", [False, True])
def test_an_interrupt_by_the_user_ends_the_program_and_counts_no_attempt(url: str, is_async: bool) -> None:
    handlers = bankhook.Handlers()

    def interrupted(event: bankhook.AnyEvent) -> None:
        raise KeyboardInterrupt

    async def interrupted_later(event: bankhook.AnyEvent) -> None:
        await asyncio.sleep(0)
        interrupted(event)

    handlers.fallback(name="see")(interrupted_later if is_async else interrupted)

    async def run() -> None:
        async with filled(url, HISTORY[:1]) as inbox:
            await inbox.drain(handlers)

    async def look() -> None:
        async with filled(url, []) as inbox:
            (delivery,) = await found(inbox)
        assert (delivery.state, delivery.attempts) == (DeliveryState.PENDING, 0)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run())
    asyncio.run(look())


def wait_for_cancelled() -> None:
    future = Future[None]()
    future.cancel()
    future.result()


async def wait_for_cancelled_pool() -> None:
    pool = ThreadPoolExecutor(1)
    future = pool.submit(time.sleep, 0.1)
    waiting = pool.submit(time.sleep, 0)
    pool.shutdown(wait=False, cancel_futures=True)
    await asyncio.to_thread(future.result)
    waiting.result()


async def cancel_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(0)


async def fail_in_group() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(wait_for_cancelled_pool())


async def fail_in_task() -> None:
    await asyncio.create_task(wait_for_cancelled_pool())


@pytest.mark.parametrize(
    "leave",
    [wait_for_cancelled, wait_for_cancelled_pool, cancel_itself, fail_in_group, fail_in_task],
    ids=lambda one: one.__name__,
)
def test_a_cancellation_of_what_a_handler_waits_for_is_a_failure_of_its_delivery(
    url: str, leave: Callable[[], Coroutine[Any, Any, None] | None]
) -> None:
    handlers, ledger = bankhook.Handlers(), Ledger(url)

    @handlers.fallback(name="leave")
    async def leave_later(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        await ledger.credit_async(context.replace(key="key"))
        if context.delivery.number == 2 and (result := leave()) is not None:
            await result

    async def run() -> None:
        async with filled(url, HISTORY, attempts=1) as inbox:
            assert await inbox.drain(handlers) == len(HISTORY)
            (parked,) = await found(inbox, PARKED)
        assert parked.number == 2
        assert [number for _, number in ledger.rows()] == [1, *range(3, len(HISTORY) + 1)]

    asyncio.run(run())


def test_what_a_plain_function_returns_is_awaited_if_it_can_be(url: str) -> None:
    seen = list[str]()

    async def see(event: bankhook.AnyEvent) -> None:
        await asyncio.sleep(0)
        seen.append(event.event)

    def wrapped(event: bankhook.AnyEvent) -> Coroutine[Any, Any, None]:  # as a decorator may make
        return see(event)

    async def run() -> None:
        handlers = bankhook.Handlers()
        handlers.fallback(name="see")(wrapped)
        async with filled(url, HISTORY) as inbox:
            assert await inbox.drain(handlers) == len(HISTORY)

    asyncio.run(run())
    assert len(seen) == len(HISTORY)


class LiesOfItsClass(Exception):
    @property
    def __class__(self) -> type:
        raise ValueError

    @__class__.setter
    def __class__(self, value: type) -> None:
        raise ValueError


class HasNoAttributes(Exception):
    def __getattribute__(self, name: str) -> object:
        raise SystemExit


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("raised", [LiesOfItsClass, HasNoAttributes])
def test_an_error_whose_attributes_raise_is_a_failed_attempt(url: str, raised: type[Exception], is_async: bool) -> None:
    handlers = bankhook.Handlers()

    def fail(event: bankhook.AnyEvent) -> None:
        raise raised

    async def fail_async(event: bankhook.AnyEvent) -> None:
        raise raised

    handlers.fallback(name="fails")(fail_async if is_async else fail)

    async def use() -> None:
        async with bankhook.inbox.open(url, attempts=1) as inbox:
            await inbox.append([bankhook.inbox.examine(b'{"event":"one"}')])
            await inbox.drain(handlers)
            assert (await inbox.counts())[DeliveryState.PARKED] == 1

    asyncio.run(asyncio.wait_for(use(), 60))
