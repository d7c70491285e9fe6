# SPDX-License-Identifier: MIT
"""A handler that takes long keeps nobody from writing, unless it writes itself."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

import bankhook
from bankhook.inbox import DeliveryState, InboxError, examine
from bankhook.inbox._sql import store
from inbox.history import Ledger, filled

WRITE, WAIT = b'{"event":"write"}', b'{"event":"wait"}'


@pytest.mark.parametrize("was_quick", [False, True])
@pytest.mark.parametrize("is_async", [False, True])
def test_what_was_written_is_committed_while_a_handler_takes_long(
    url: str, is_async: bool, was_quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY_SECONDS", 2)  # after which an append gives up that waits for handlers

    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()
        loop, waiting = asyncio.get_running_loop(), asyncio.Event()
        end, ended = asyncio.Event(), threading.Event()
        first = int(was_quick)
        is_quick = [False] + [True] * first  # the last is that of the first call

        @handlers.on(bankhook.UnknownEvent, event="write")
        def write(event: bankhook.UnknownEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            row = {"number": context.delivery.number}
            context.begin().execute(text("INSERT INTO credits VALUES ('key', :number)"), row)

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
                async with asyncio.timeout(60):
                    while (await inbox.counts())[DeliveryState.HANDLED] < first + 2:
                        await asyncio.sleep(0.01)
                assert [number for _, number in ledger.rows()] == [first + 1, first + 2]
            finally:
                end.set()
                ended.set()
            assert await asyncio.wait_for(draining, 60) == first + 4
        assert [number for _, number in ledger.rows()] == [first + 1, first + 2, first + 4]

    asyncio.run(run())


def test_a_handler_that_took_long_writes_in_the_next_transaction(url: str) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()

        @handlers.fallback
        async def write(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            number = context.delivery.number
            if number == 3:
                async with asyncio.timeout(60):
                    while len(ledger.rows()) < 2:
                        await asyncio.sleep(0.01)
            row = {"number": number}
            await (await context.begin()).execute(text("INSERT INTO credits VALUES ('key', :number)"), row)
            if number == 3 and is_broken:
                raise RuntimeError

        for is_broken in (True, False):
            async with filled(url, [WRITE] * 4 if is_broken else [], attempts=1) as inbox:
                assert is_broken or await inbox.retry([3]) == 1
                assert await asyncio.wait_for(inbox.drain(handlers), 120) == (4 if is_broken else 1)
        assert [number for _, number in ledger.rows()] == [1, 2, 3, 4]

    asyncio.run(run())


def test_what_cannot_be_committed_meanwhile_is_handled_again(url: str) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()
        calls = list[int]()

        @handlers.fallback
        async def write(received: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)
            if calls == [1, 2]:
                async with asyncio.timeout(60):
                    while not failed.is_set():
                        await asyncio.sleep(0.01)
                return
            row = {"number": context.delivery.number}
            await (await context.begin()).execute(text("INSERT INTO credits VALUES ('key', :number)"), row)

        failed = threading.Event()

        def fail(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if calls in ([1], [1, 2]) and statement.startswith("UPDATE bankhook_inbox"):
                failed.set()
                raise InboxError("the disk is full")

        async with filled(url, [WRITE] * 2) as inbox:
            event.listen(Engine, "before_cursor_execute", fail)
            try:
                with pytest.raises(InboxError, match="the disk is full"):
                    await inbox.drain(handlers)
            finally:
                event.remove(Engine, "before_cursor_execute", fail)
            assert ledger.rows() == []
            assert await inbox.drain(handlers) == 2
        assert calls in ([1, 2, 1, 2], [1, 1, 2])  # whether the first call already took so long that it was to be committed
        assert [number for _, number in ledger.rows()] == [1, 2]

    asyncio.run(run())
