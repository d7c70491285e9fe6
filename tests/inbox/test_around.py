# SPDX-License-Identifier: MIT
"""What is around handlers, when an inbox calls them: its failure is theirs, and what they wrote is rolled back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

import pytest

import bankhook
from bankhook.inbox import Query
from inbox.history import SOON, Ledger, filled, found, payloads

HISTORY = payloads(6, members=1)
within = ContextVar("within", default=0)


@pytest.mark.parametrize("fails", ["before", "after", "asks before", "asks after", "never"])
@pytest.mark.parametrize("is_async", [False, True])
def test_what_is_around_a_handler_fails_as_it_does(url: str, is_async: bool, fails: str) -> None:
    """One that fails once costs an attempt, unless it raises `Retry`; the handler sees what was set."""

    async def run() -> None:
        handlers, ledger, seen, left = bankhook.Handlers(), Ledger(url), list[tuple[int, int]](), [1]

        def fail(when: str) -> None:
            if fails.endswith(when) and within.get() == 2 and left:
                left.clear()
                raise bankhook.Retry(SOON) if fails.startswith("asks") else LookupError

        @contextmanager
        def manager(context: bankhook.HandlerContext) -> Generator[None]:
            assert context.delivery is not None
            before = within.set(context.delivery.number)
            fail("before")
            yield
            fail("after")
            within.reset(before)

        @asynccontextmanager
        async def manager_async(context: bankhook.HandlerContext) -> AsyncGenerator[None]:
            with manager(context):
                await asyncio.sleep(0)
                yield

        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            ledger.credit(context.replace(key="key"))
            seen.append((within.get(), context.delivery.number if context.delivery else 0))

        async def credit_async(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            await ledger.credit_async(context.replace(key="key"))
            seen.append((within.get(), context.delivery.number if context.delivery else 0))

        included = bankhook.Handlers()
        included.fallback(name="credit")(credit_async if is_async else credit)
        handlers.include(included)
        handlers.around(manager_async if is_async else manager)
        async with filled(url, HISTORY) as inbox:
            assert await inbox.drain(handlers) == 6
            attempts = [one.attempts for one in await found(inbox, Query(states=("handled",)))]
        assert attempts == [0, int(fails in ("before", "after")), 0, 0, 0, 0]
        assert seen == sorted([*((number, number) for number in range(1, 7)), *[(2, 2)] * fails.endswith("after")])
        assert [number for _, number in ledger.rows()] == [1, 2, 3, 4, 5, 6]

    asyncio.run(run())


def test_an_async_one_around_a_handler_in_a_thread_is_a_failure_that_says_so(url: str) -> None:
    async def run() -> None:
        handlers = bankhook.Handlers()

        @handlers.around
        @asynccontextmanager
        async def manager(context: bankhook.HandlerContext) -> AsyncGenerator[None]:
            yield

        @handlers.fallback
        def keep(event: bankhook.AnyEvent) -> None:
            raise AssertionError

        async with filled(url, HISTORY[:1], attempts=1) as inbox:
            assert await inbox.drain(handlers) == 1
            (parked,) = await found(inbox, Query(states=("parked",)))
        assert "does not support the context manager protocol" in (parked.error or "")

    asyncio.run(run())
