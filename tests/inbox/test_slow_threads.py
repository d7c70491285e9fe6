# SPDX-License-Identifier: MIT
"""A slow thread, and what others do meanwhile: the batch that reads, those that call handlers, a handler that is cancelled."""

from __future__ import annotations

import asyncio
import datetime
import gc
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import text

import bankhook
from bankhook.inbox import Delivery, examine
from bankhook.inbox._sql import batch, engine
from bankhook.inbox._sql.engine import Engine
from inbox.history import HANGS, Ledger, filled

CREDIT = text("INSERT INTO credits VALUES ('key', :number)")
BODIES = [b'{"event":"%c"}' % letter for letter in b"abcdef"]


def test_drain_goes_on_if_all_that_was_read_is_stored_just_then(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that reads nothing, because handlers are called, may find that they have ended, and that all is stored."""
    handlers, look = bankhook.Handlers(), Engine._next

    def look_slowly(of: Engine, most: int) -> Sequence[Delivery]:
        found = look(of, most)
        while not most and (of._lanes.busy or not of._batch.results.is_empty):
            time.sleep(0.01)
        return found

    @handlers.fallback
    def write(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        context.begin().execute(text("SELECT 1"))
        time.sleep(0.1)

    monkeypatch.setattr(batch, "BATCH_SECONDS", 0.0)  # a delivery is stored by the thread that called its handlers
    monkeypatch.setattr(engine, "BATCH", 4)
    monkeypatch.setattr(Engine, "_next", look_slowly)

    async def run() -> None:
        async with filled(url, 4 * BODIES) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers), HANGS) == len(4 * BODIES)

    asyncio.run(run())


def test_what_was_read_while_a_transaction_broke_waits_for_the_delivery_that_broke_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In SQLite, where others are in it. The thread that reads is slow: when it begins, the unit for which it reads is over."""
    handlers, look, calls, slept = bankhook.Handlers(), Engine._next, list[tuple[int, int]](), set[bool]()
    begun = threading.Event()

    def look_late(of: Engine, most: int) -> Sequence[Delivery]:
        if most and begun.is_set() and of._lanes.busy and not slept:  # before it is begun, who looks may keep it from that
            slept.add(True)
            while of._batch.problem is None or of._lanes.busy:
                time.sleep(0.001)
        return look(of, most)

    @handlers.fallback
    def break_first(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        calls.append((context.delivery.number, context.delivery.attempts))
        if calls == [(1, 0)]:
            savepoint = context.begin().get_nested_transaction()
            assert savepoint is not None
            begun.set()
            time.sleep(0.3)
            savepoint.rollback()
            raise ValueError

    async def run() -> None:
        sandbox = bankhook.Sandbox(seed=1, members=1)
        bodies = [sandbox.send_initial_transaction(sandbox.member(0)).to_json() for _ in range(3)]
        async with filled(tmp_path / "inbox.db", bodies, backoff=datetime.timedelta(seconds=0.2)) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers, concurrency=2), HANGS) == 3
        assert calls == [(1, 0), (1, 1), (2, 0), (3, 0)]

    monkeypatch.setattr(engine, "BATCH", 1)
    monkeypatch.setattr(Engine, "_next", look_late)
    asyncio.run(run())


def test_a_handler_that_is_cancelled_while_it_waits_for_the_transaction_leaves_no_error_unasked(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Asyncio reports what nobody has asked a future for when that is deleted."""
    handlers = bankhook.Handlers()

    @handlers.fallback
    async def write(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        await context.begin()
        await asyncio.sleep(HANGS)

    async def run() -> None:
        async with filled(url, BODIES) as inbox:
            running = asyncio.create_task(inbox.run(handlers, concurrency=4))
            await asyncio.sleep(0.5)
            running.cancel()
            await asyncio.wait([running])
        gc.collect()

    asyncio.run(run())
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_members_that_give_the_transaction_to_each_other_hold_up_no_other_one(url: str) -> None:
    async def run() -> None:
        handlers, calls = bankhook.Handlers(), list[int]()
        loop, begun, reached = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            number = context.delivery.number
            context.begin().execute(CREDIT, {"number": number})
            calls.append(number)
            loop.call_soon_threadsafe((reached if number > len(bodies) else begun).set)
            time.sleep(0.12)  # longer than anybody waits at a time

        sandbox = bankhook.Sandbox(seed=1, members=2)
        bodies = [sandbox.send_initial_transaction(sandbox.member(number % 2)).raw for number in range(24)]
        Ledger(url)
        async with filled(url, bodies) as inbox, asyncio.timeout(HANGS):
            stop = asyncio.Event()
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=len(bodies)))  # all are read at once
            await begun.wait()
            await inbox.append([examine(b'{"event":"other"}')])
            before = len(calls)
            await reached.wait()
            stop.set()
            await running
        assert calls.index(len(bodies) + 1) < before + 16

    asyncio.run(run())
