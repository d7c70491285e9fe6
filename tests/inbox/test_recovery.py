# SPDX-License-Identifier: MIT
"""A database that ends while handlers run is an error that passes: handling goes on when it is back, and effects happen once."""

from __future__ import annotations

import asyncio

import pytest

import bankhook
from bankhook.inbox import DeliveryState, Inbox, InboxError, examine
from inbox.history import Ledger, Progress, filled, payloads
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
