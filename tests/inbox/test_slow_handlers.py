# SPDX-License-Identifier: MIT
"""A handler that takes long keeps nobody from writing, unless it writes itself."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import text

import bankhook
from bankhook.inbox import DeliveryState, examine
from bankhook.inbox._sql import database
from inbox.history import Ledger, filled

WRITE, WAIT = b'{"event":"write"}', b'{"event":"wait"}'


@pytest.mark.parametrize("was_quick", [False, True])
@pytest.mark.parametrize("is_async", [False, True])
def test_what_was_written_is_committed_before_a_handler_that_may_take_long(
    url: str, is_async: bool, was_quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 2)  # after which an append gives up that waits for handlers

    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()
        loop, waiting = asyncio.get_running_loop(), asyncio.Event()
        end, ended = asyncio.Event(), threading.Event()
        first = int(was_quick)
        is_quick = [False] + [True] * first  # the last is that of the first call

        @handlers.on(bankhook.UnknownEvent, event="write")
        def write(event: bankhook.UnknownEvent, context: bankhook.HandlerContext) -> None:
            assert context.transaction is not None
            assert context.delivery is not None
            row = {"number": context.delivery.number}
            context.transaction.execute(text("INSERT INTO credits VALUES ('key', :number)"), row)

        def wait(event: bankhook.UnknownEvent) -> None:
            if is_quick.pop():
                return
            loop.call_soon_threadsafe(waiting.set)
            assert ended.wait(60)

        async def wait_async(event: bankhook.UnknownEvent) -> None:
            if is_quick.pop():
                return
            waiting.set()
            await end.wait()

        slow = handlers.on(bankhook.UnknownEvent, event="wait")
        slow(wait_async if is_async else wait)
        async with filled(url, [WAIT] * first + [WRITE, WRITE, WAIT, WRITE]) as inbox:
            draining = asyncio.create_task(inbox.drain(handlers))
            try:
                await asyncio.wait_for(waiting.wait(), 60)
                assert await inbox.append([examine(WRITE)]) == range(5 + first, 6 + first)
                assert (await inbox.counts())[DeliveryState.HANDLED] == first + 2
                assert [number for _, number in ledger.rows()] == [first + 1, first + 2]
            finally:
                end.set()
                ended.set()
            assert await asyncio.wait_for(draining, 60) == first + 4
        assert [number for _, number in ledger.rows()] == [first + 1, first + 2, first + 4]

    asyncio.run(run())
