# SPDX-License-Identifier: MIT
"""Engines, batch by batch: two at once, in SQLite after the file of the lock was deleted, and one while a person retries."""

from __future__ import annotations

import asyncio
import datetime
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack

import pytest
from sqlalchemy import Connection

import bankhook
from bankhook.inbox import DeliveryState, examine
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.engine import Engine
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.urls import database_url
from inbox.history import HANGS, Progress, filled, payloads

HISTORY = payloads(4, members=1)


@pytest.fixture
def engine(url: str) -> Generator[Callable[..., Engine]]:
    """Makes engines of an inbox."""
    with ExitStack() as stack:
        database = Store(database_url(url), create=True)
        stack.callback(database.close)

        def make(handlers: bankhook.Handlers, concurrency: int = 1) -> Engine:
            connected = stack.enter_context(ExitStack())

            def connect() -> Connection:
                connected.close()
                return connected.enter_context(database.connect())

            once, stop = Retries(1, *[datetime.timedelta(0)] * 2), threading.Event()
            made = Engine(
                database,
                connect,
                lambda _: None,
                stop,
                handlers=handlers,
                retries=once,
                concurrency=concurrency,
                turn=HANGS,
            )
            stack.callback(made.close)
            return made

        yield make


def test_an_engine_goes_on_from_what_another_one_stored(url: str, engine: Callable[..., Engine]) -> None:
    async def run() -> None:
        async with filled(url, HISTORY[:1]) as inbox:
            old = engine(bankhook.Handlers())
            assert old.handle_next() == (1, 1)
            new = engine(bankhook.Handlers())
            await inbox.append([examine(HISTORY[1])])
            assert new.handle_next() == (1, 1)
            await inbox.append([examine(HISTORY[2])])
            assert old.handle_next() == (1, 1)
            await inbox.append([examine(HISTORY[3])])
            assert engine(bankhook.Handlers()).handle_next() == (1, 1)
            state = await inbox.state_of(examine(HISTORY[0]).member or "")
        tracker = bankhook.Tracker()
        for body in HISTORY:
            tracker.apply(bankhook.parse(body))
        assert state is not None
        assert bankhook.Tracker.restore(state) == tracker

    asyncio.run(run())


@pytest.mark.parametrize(("concurrency", "others"), [(1, [b'{"event":"x"}']), (2, [])])
def test_what_is_retried_comes_before_later_deliveries_that_were_read_already(
    url: str, engine: Callable[..., Engine], concurrency: int, others: list[bytes]
) -> None:
    """Also while there is room for others, who cannot be claimed, since a handler keeps the connection."""

    async def run() -> None:
        handlers, calls, began, end = bankhook.Handlers(), list[int](), threading.Event(), threading.Event()

        @handlers.fallback
        def handle(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)
            if calls == [1]:
                raise RuntimeError
            if calls == [1, 2]:
                if "postgresql" in url:  # in SQLite nobody retries meanwhile
                    context.begin()
                began.set()
                assert end.wait(HANGS)

        async with filled(url, HISTORY[:1]) as inbox:
            one = engine(handlers, concurrency=concurrency)
            assert one.handle_next() == (1, 1)
            await inbox.append([examine(body) for body in (*others, *HISTORY[1:])])
            try:
                one.handle_next()
                assert began.wait(HANGS)
                assert await inbox.retry([1]) == 1
                one.handle_next()
            finally:
                end.set()
            progress = Progress("deliveries are handled")
            while (await inbox.counts())[DeliveryState.PENDING]:
                progress.check(one.handle_next())
        assert calls == [1, 2, 1, *range(3, 5 + len(others))]

    asyncio.run(run())


def test_what_a_handler_breaks_after_a_batch_is_its_own_attempt(url: str, engine: Callable[..., Engine]) -> None:
    handlers, begun, may_break, seen = bankhook.Handlers(), threading.Event(), threading.Event(), list[int]()

    @handlers.fallback
    def end_transaction(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        seen.append(context.delivery.number)
        if context.delivery.number == 1:
            connection = context.begin()
            begun.set()
            assert may_break.wait(HANGS)
            connection.exec_driver_sql("ROLLBACK")

    async def run() -> None:
        async with filled(url, HISTORY[:2]) as inbox:
            one = engine(handlers)
            one.handle_next()
            assert await asyncio.to_thread(begun.wait, HANGS)  # on a slow machine the batch ends before the handler begins
            may_break.set()
            progress = Progress("the handler ends")
            while one._workers:
                progress.check()
                await asyncio.sleep(0.01)
            while await asyncio.to_thread(one.handle_next) != (0, 0):
                pass
            assert seen == [1, 2]
            assert [(delivery.state, delivery.attempts) async for delivery in inbox.find()] == [
                (DeliveryState.PARKED, 1),
                (DeliveryState.HANDLED, 0),
            ]

    asyncio.run(run())
