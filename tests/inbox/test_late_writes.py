# SPDX-License-Identifier: MIT
"""Handlers that leave a task: what it asks of the inbox after their end comes too late, and does no harm."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError, examine
from inbox.history import Ledger, filled, found

BODIES = [b'{"event":"one"}', b'{"event":"two"}', b'{"event":"three"}']


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_task_that_outlives_its_handler_gets_an_error_and_others_can_write(url: str, has_begun: bool) -> None:
    handlers, failed, tasks = bankhook.Handlers(), list[str](), set[asyncio.Task[None]]()
    ended = asyncio.Event()

    async def write_late(context: bankhook.HandlerContext) -> None:
        await ended.wait()
        try:
            await (await context.begin()).execute(text("select 1"))
        except InboxError as error:
            failed.append(str(error))

    @handlers.fallback(name="leaves a task")
    async def leave(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        if has_begun:
            await (await context.begin()).execute(text("select 1"))
        tasks.add(asyncio.create_task(write_late(context)))

    async def use() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(BODIES[0])])
            assert await inbox.drain(handlers) == 1
            ended.set()
            await asyncio.gather(*tasks)
            ended.clear()
            await inbox.append([examine(body) for body in BODIES[1:]])
            assert await inbox.drain(handlers) == 2
            ended.set()
            await asyncio.gather(*tasks)
            assert (await inbox.counts())[DeliveryState.HANDLED] == 3

    asyncio.run(asyncio.wait_for(use(), 60))
    assert len(failed) == 3
    assert all("have ended" in one for one in failed)


def test_a_task_that_asks_late_does_not_stop_the_event_loop_while_another_handler_writes(tmp_path: Path) -> None:
    """In SQLite: in PostgreSQL neither waits for the other."""
    handlers, failed, tasks, began = bankhook.Handlers(), list[str](), set[asyncio.Task[None]](), asyncio.Event()

    async def ask(context: bankhook.HandlerContext) -> None:
        for _ in range(2):  # the first waits for its turn, and the second asks when the handler has ended
            try:
                await asyncio.wait_for(context.begin(), 0.5)
            except (InboxError, TimeoutError) as error:
                failed.append(str(error))

    @handlers.fallback
    async def write(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        if event.event == "one":
            await context.begin()
            began.set()
            await asyncio.sleep(2)  # less than a handler may keep the transaction
        else:
            await began.wait()
            tasks.add(asyncio.create_task(ask(context)))
            await asyncio.sleep(0.1)

    async def use() -> None:
        async with filled(tmp_path / "inbox.db", BODIES[:2]) as inbox:
            await inbox.drain(handlers, concurrency=2)
            await asyncio.gather(*tasks)
            assert [one.attempts for one in await found(inbox)] == [0, 0]

    asyncio.run(asyncio.wait_for(use(), 60))
    assert "have ended" in failed[1]


def test_what_a_cancelled_handler_writes_before_it_ends_is_rolled_back(url: str) -> None:
    async def run() -> None:
        ledger, handlers, waiting = Ledger(url), bankhook.Handlers(), asyncio.Event()

        @handlers.fallback
        async def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            try:
                await context.begin()
                if not waiting.is_set():
                    waiting.set()
                    await asyncio.Event().wait()
            finally:
                for _ in range(20):  # as in a step that takes a while
                    await asyncio.sleep(0)
                await ledger.credit_async(context.replace(key="key"))

        async with filled(url, [b'{"event":"x"}', b'{"event":"y"}']) as inbox:
            running = asyncio.create_task(inbox.run(handlers))
            await asyncio.wait_for(waiting.wait(), 60)
            running.cancel()
            await asyncio.wait([running])
            assert ledger.rows() == []
            assert await inbox.drain(handlers) == 2
        assert [number for _, number in ledger.rows()] == [1, 2]

    asyncio.run(run())


def test_a_connection_that_is_kept_begins_nothing_afterwards(url: str) -> None:
    async def run() -> None:
        handlers, kept = bankhook.Handlers(), list[Connection]()

        @handlers.fallback
        def keep(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            kept.append(context.begin())

        async with filled(url, [b'{"event":"x"}']) as inbox, filled(url, []) as other:
            running = asyncio.create_task(inbox.run(handlers))
            async with asyncio.timeout(60):
                while not (await inbox.counts())[DeliveryState.HANDLED]:
                    await asyncio.sleep(0.01)
                for name in ("execute", "begin", "begin_nested"):
                    with pytest.raises(InboxError, match="have ended"):
                        await asyncio.to_thread(getattr(kept[0], name), *[text("SELECT 1")] * (name == "execute"))
                await other.append([examine(b'{"event":"y"}')])
                while (await inbox.counts())[DeliveryState.HANDLED] < 2:
                    await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.wait([running])

    asyncio.run(run())


@pytest.mark.parametrize("is_async", [False, True])
def test_what_a_handler_left_running_writes_nothing_while_the_handlers_of_another_delivery_do(
    url: str, is_async: bool
) -> None:
    ledger, handlers, late = Ledger(url), bankhook.Handlers(), list[InboxError]()
    turn, left = threading.Event(), list[threading.Thread | asyncio.Task[None]]()
    statement = text("INSERT INTO credits VALUES ('late', 0)")

    @handlers.on(bankhook.UnknownEvent, event="one")
    def leave(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        connection = context.begin()

        def write() -> None:
            turn.wait(60)
            with pytest.raises(InboxError) as raised:
                connection.execute(statement)
            late.append(raised.value)

        thread = threading.Thread(target=write)
        left.append(thread)
        thread.start()

    async def leave_task(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        connection = await context.begin()

        async def write() -> None:
            await asyncio.to_thread(turn.wait, 60)
            with pytest.raises(InboxError) as raised:
                await connection.execute(statement)
            late.append(raised.value)

        left.append(asyncio.create_task(write()))

    async def run() -> None:
        async with filled(url, BODIES[:2]) as inbox:
            assert await inbox.drain(handlers) == 2
        assert "have ended" in str(late[0])
        assert [key for key, _ in ledger.rows()] == ["key"]

    if is_async:
        handlers = bankhook.Handlers()
        handlers.on(bankhook.UnknownEvent, event="one")(leave_task)

    @handlers.on(bankhook.UnknownEvent, event="two")
    def meanwhile(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        ledger.credit(context.replace(key="key"))
        turn.set()
        while not late:
            time.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), 60))
