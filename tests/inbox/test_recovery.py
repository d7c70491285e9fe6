# SPDX-License-Identifier: MIT
"""A database that ends while handlers run is an error that passes: handling goes on when it is back, and effects happen once."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import text

import bankhook
from bankhook.inbox import CaseKind, DeliveryState, Inbox, InboxError, examine
from inbox.bought import CREATED, REJECTED, VALIDATED
from inbox.history import HANGS, Ledger, Progress, filled, payloads
from inbox.postgresql import PostgreSQL

HISTORY = payloads(200)


async def handled(inbox: Inbox) -> int:
    """How many deliveries are handled; 0 while the database is away."""
    try:
        return (await inbox.counts())[DeliveryState.HANDLED]
    except InboxError:
        return 0


@pytest.mark.slow
def test_handling_goes_on_after_the_database_was_killed(postgresql: PostgreSQL) -> None:
    async def run() -> None:
        url = postgresql.url()
        ledger, handlers, waiting, go_on = Ledger(url), bankhook.Handlers(), asyncio.Event(), asyncio.Event()

        @handlers.on_validated
        async def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            await ledger.credit_async(context)
            waiting.set()
            await go_on.wait()

        async with filled(url, HISTORY, attempts=50) as inbox:
            running = asyncio.create_task(inbox.run(handlers))
            await asyncio.wait_for(waiting.wait(), 60)
            postgresql.kill()
            go_on.set()
            with pytest.raises(InboxError):
                await inbox.append([examine(HISTORY[0])])
            postgresql.start()  # not in a thread: the server would end with it
            await inbox.append([examine(HISTORY[0])])
            progress = Progress("all deliveries are handled")
            while (count := await handled(inbox)) < len(HISTORY) + 1:
                assert not running.done()
                progress.check(count)
                await asyncio.sleep(0.05)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
        keys = [key for key, _ in ledger.rows()]
        assert len(keys) == len(set(keys)) > 10

    asyncio.run(run())


LOSE_CLAIMS = text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")


def test_what_another_process_handles_while_a_connection_is_lost_is_in_the_state_that_comes_next(
    postgresql: PostgreSQL,
) -> None:
    """Also of a member whose handler runs all the time: its claim ended with the connection."""

    async def run() -> None:
        url, end, began = postgresql.url(), threading.Event(), threading.Event()
        lost, stop, calls = asyncio.Event(), asyncio.Event(), list[int]()
        handlers, loop = bankhook.Handlers(), asyncio.get_running_loop()

        @handlers.fallback
        def handle(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)
            if context.delivery.number == 2:
                began.set()
                assert end.wait(HANGS)
            if context.delivery.number == 3 and not lost.is_set():
                assert began.wait(HANGS)
                connection = context.begin()
                try:
                    connection.execute(LOSE_CLAIMS)
                finally:
                    loop.call_soon_threadsafe(lost.set)

        async def until(count: int) -> None:
            progress = Progress("deliveries are handled")
            while (handled_now := await handled(inbox)) < count:
                progress.check(handled_now)
                await asyncio.sleep(0.01)

        async with filled(url, [CREATED.raw]) as inbox, filled(url, []) as other:
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=2))
            try:
                await until(1)
                await inbox.append([examine(VALIDATED.raw), examine(b'{"event":"x"}')])
                async with asyncio.timeout(HANGS):
                    await lost.wait()
                    await other.drain(bankhook.Handlers())
                await inbox.append([examine(b'{"event":"y"}')])
                await until(4)  # after which it is known that another process has committed
            finally:
                end.set()
            await inbox.append([examine(REJECTED.to_json())])
            await until(5)
            assert 5 in calls
            assert [one.kind for one in await inbox.cases()] == [CaseKind.LEFT_VALIDATED]
            stop.set()
            await running

    asyncio.run(run())


def test_what_was_handled_with_a_claim_that_is_lost_is_not_committed_but_handled_again(postgresql: PostgreSQL) -> None:
    async def run() -> None:
        url, handlers, stop, calls = postgresql.url(), bankhook.Handlers(), asyncio.Event(), list[int]()
        ledger = Ledger(url)

        @handlers.fallback
        def handle(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            ledger.credit(context.replace(key="key"))
            calls.append(1)
            if len(calls) == 1:
                context.begin().execute(LOSE_CLAIMS)

        async with filled(url, [CREATED.raw], attempts=1) as inbox:
            running = asyncio.create_task(inbox.run(handlers, stop=stop))
            progress = Progress("deliveries are handled")
            while await handled(inbox) < 1:
                progress.check()
                await asyncio.sleep(0.01)
            stop.set()
            await running
        assert (len(calls), len(ledger.rows())) == (2, 1)

    asyncio.run(run())
