# SPDX-License-Identifier: MIT
"""Handlers that are called again beside others: what they keep for too long, and what is deleted meanwhile."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import text

from bankhook import AnyEvent, HandlerContext, Handlers
from bankhook.inbox import InboxError, examine
from bankhook.inbox._sql import reprocessing
from inbox.history import HANGS, Ledger, filled, payloads
from inbox.test_reprocessing import HISTORY, LATER, NOBODYS, recording


def test_what_is_purged_meanwhile_gives_no_other_outcome(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reprocessing, "PAGE", 10)
    called, handlers = list[int](), Handlers()
    bodies = payloads(60, members=1)

    async def run() -> None:
        async with filled(url, bodies) as inbox:
            await inbox.drain(Handlers())

            @handlers.fallback
            async def purge(event: AnyEvent, context: HandlerContext) -> None:
                assert context.delivery is not None
                called.append(context.delivery.number)
                if len(called) == 1:
                    await inbox.purge(before=LATER)

            with pytest.raises(InboxError, match="were deleted while"):
                await inbox.reprocess(handlers, name="again")
            assert 0 < len(called) <= 10
            await inbox.append([examine(body) for body in bodies[:2]])
            await inbox.drain(Handlers())
            assert (await inbox.reprocess(handlers, name="again")).skipped == 1

    asyncio.run(run())


@pytest.mark.parametrize("is_async", [False, True])
def test_handlers_that_keep_their_turn_for_too_long_lose_it_and_nobody_else_waits(url: str, is_async: bool) -> None:
    ledger, slow, begun, may_end = Ledger(url), Handlers(), threading.Event(), threading.Event()
    credit = text("INSERT INTO credits VALUES ('key', 1)")

    def keep(event: AnyEvent, context: HandlerContext) -> None:
        context.begin().execute(credit)
        begun.set()
        assert may_end.wait(HANGS)

    async def keep_async(event: AnyEvent, context: HandlerContext) -> None:
        await (await context.begin()).execute(credit)
        begun.set()
        await asyncio.to_thread(may_end.wait, HANGS)

    register = slow.fallback(name="keep")
    register(keep_async) if is_async else register(keep)

    async def run() -> None:
        async with filled(url, HISTORY[:3], turn=0.3) as inbox:
            await inbox.drain(Handlers())
            again = asyncio.create_task(inbox.reprocess(slow, name="slow"))
            await asyncio.to_thread(begun.wait, HANGS)
            await asyncio.wait_for(inbox.append([examine(NOBODYS)]), HANGS)
            await asyncio.sleep(1)  # longer than a turn
            may_end.set()
            with pytest.raises(TimeoutError, match="kept the transaction for too long"):
                await again
            assert ledger.rows() == []
            handlers, calls = recording()
            assert (await inbox.reprocess(handlers, name="slow")).called == len(calls) == 3

    asyncio.run(run())
