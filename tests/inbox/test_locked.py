# SPDX-License-Identifier: MIT
"""A database to which another process writes is no fault of a handler: it is called again, and that is no attempt."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

import bankhook
from bankhook.inbox import DeliveryState
from bankhook.inbox._sql import store
from bankhook.inbox._sql.unit import Transaction
from bankhook.inbox._sql.urls import database_url
from inbox.history import Ledger, filled, found, payloads


@pytest.mark.parametrize("is_swallowed", [False, True])
def test_a_locked_database_counts_no_attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_swallowed: bool) -> None:
    async def run() -> None:
        url = str(tmp_path / "inbox.db")
        ledger, handlers, calls = Ledger(url), bankhook.Handlers(), asyncio.Queue[int]()
        loop = asyncio.get_running_loop()

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            loop.call_soon_threadsafe(calls.put_nowait, context.delivery.number)
            with contextlib.suppress(Exception) if is_swallowed else contextlib.nullcontext():
                context.begin().execute(text("INSERT INTO credits VALUES ('key', 1)"))

        async with filled(url, payloads(1), attempts=1) as inbox:
            with contextlib.closing(sqlite3.connect(url, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                running = asyncio.create_task(inbox.run(handlers))
                for _ in range(3):
                    assert await asyncio.wait_for(calls.get(), 60) == 1
                (waiting,) = await found(inbox)
                assert (waiting.state, waiting.attempts, waiting.error) == (DeliveryState.PENDING, 0, None)
            async with asyncio.timeout(60):
                while (await inbox.counts())[DeliveryState.HANDLED] == 0:
                    await asyncio.sleep(0.05)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            (handled,) = await found(inbox)
            assert (handled.attempts, handled.error) == (0, None)
        assert [number for _, number in ledger.rows()] == [1]

    monkeypatch.setattr(store, "BUSY_SECONDS", 0.02)
    asyncio.run(run())


def test_who_could_not_begin_keeps_nobody_else_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.02)
    path = tmp_path / "inbox.db"
    mine = store.Store(database_url(path), create=True)
    mine.open()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other, mine.connect() as connection:
        transaction = Transaction(mine, connection)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(OperationalError, match="locked"):
            transaction.connection()
        other.execute("ROLLBACK")
        with mine.write("cannot write"):
            pass
        assert transaction.connection().in_transaction()
        transaction.close()
    mine.close()
