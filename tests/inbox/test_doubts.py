# SPDX-License-Identifier: MIT
"""What a spool holds is moved once and not lost: whatever became of a commit without an answer, of a disk, of the server."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection, insert, select, text

import bankhook.inbox
from bankhook.inbox import InboxError, examine
from bankhook.inbox._sql import retrying, spooled
from bankhook.inbox._sql.appending import append
from bankhook.inbox._sql.lock import count_commit
from bankhook.inbox._sql.moving import copy, move
from bankhook.inbox._sql.rows import driver_of, last_number_for_all, lock_inbox
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import deliveries, unsure
from bankhook.inbox._sql.urls import database_url
from inbox.history import HANGS, payloads
from inbox.postgresql import PostgreSQL

ARRIVALS = [examine(body) for body in payloads(6)]
Open = Callable[[str | Path], Store]
NO_ROOM = "CREATE TRIGGER full BEFORE DELETE ON bankhook_deliveries BEGIN SELECT RAISE(ABORT, 'full'); END"


@pytest.fixture
def opened() -> Generator[Callable[[str | Path], Store]]:
    with ExitStack() as stack:

        def make(url: str | Path) -> Store:
            database = Store(database_url(url), create=True)
            database.open()
            stack.callback(database.close)
            return database

        yield make


def bodies(database: Store) -> Sequence[bytes]:
    with database.read("") as connection:
        return connection.scalars(select(deliveries.c.body).order_by(deliveries.c.number)).all()


@pytest.mark.parametrize("was_made", [True, False])
def test_the_table_says_whether_a_commit_was_made(opened: Open, tmp_path: Path, was_made: bool) -> None:
    """Numbers do not: after a crash, a copy of the table or a change of servers, other deliveries may have them."""
    spool, table = opened(tmp_path / "spool.db"), opened(tmp_path / "table.db")
    with table.write("") as connection:
        first = append(driver_of(connection), ARRIVALS[:3] if was_made else ARRIVALS[3:])[0]
    with spool.write("") as connection:
        append(driver_of(connection), ARRIVALS[:3])
        connection.execute(insert(unsure).values(first=1, last=3, there=first))
    assert move(spool, table) == (3, 3)
    expected = ARRIVALS[:3] if was_made else [*ARRIVALS[3:], *ARRIVALS[:3]]
    assert bodies(table) == [one.body for one in expected]
    assert bodies(spool) == []
    with spool.read("") as connection:
        assert connection.execute(select(unsure)).all() == []


def test_what_a_full_disk_cannot_delete_is_moved_once_and_holds_up_nothing(opened: Open, tmp_path: Path) -> None:
    spool, table = opened(tmp_path / "spool.db"), opened(tmp_path / "table.db")
    with closing(sqlite3.connect(tmp_path / "spool.db", isolation_level=None)) as disk:
        disk.execute(NO_ROOM)
        for arrivals in ARRIVALS[:2], ARRIVALS[2:]:
            with spool.write("") as connection:
                end = append(driver_of(connection), arrivals)[-1]
            assert move(spool, table) == (len(arrivals), end)
            assert move(spool, table) == (0, end)
        assert bodies(table) == bodies(spool) == [one.body for one in ARRIVALS]
        disk.execute("DROP TRIGGER full")
    assert move(spool, table) == (0, len(ARRIVALS))
    assert bodies(spool) == []


def test_the_server_ends_a_transaction_that_others_wait_for_if_the_process_is_stopped(
    opened: Open, postgresql: PostgreSQL
) -> None:
    def limit(connection: Connection) -> object:
        return connection.scalar(text("SHOW idle_in_transaction_session_timeout"))

    database = opened(postgresql.url())
    with database.write("") as connection:
        append(driver_of(connection), ARRIVALS)
        assert limit(connection) == "15s"
    with database.write("") as connection:
        assert limit(connection) == "0"
        count_commit(connection)
        assert limit(connection) == "15s"
    with database.write("") as connection:
        assert retrying.make(connection, [], False) == (0, {})
        assert limit(connection) == "15s"
    with database.write("") as connection:
        lock_inbox(connection)
        assert limit(connection) == "15s"


def test_a_copy_and_whoever_deletes_there_do_not_wait_for_each_other(
    opened: Open, postgresql: PostgreSQL, tmp_path: Path
) -> None:
    source, target = opened(tmp_path / "inbox.db"), opened(postgresql.url())
    with source.write("") as connection:
        count_commit(connection)
    with ThreadPoolExecutor() as threads:
        with target.write("") as connection:
            lock_inbox(connection)
            copying = threads.submit(copy, source, target)
            while not connection.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")):
                time.sleep(0.01)
            last_number_for_all(driver_of(connection))
        assert copying.result(60) == 0


def test_what_waits_for_the_server_holds_up_neither_deliveries_nor_the_end(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(threading.enumerate())

    async def run() -> None:
        url = postgresql.url()
        inbox = bankhook.inbox.open(url, spool=tmp_path / "spool.db")
        async with inbox:
            await inbox.append(ARRIVALS)
            monkeypatch.setattr(spooled, "ANSWER_SECONDS", 0.5)
            monkeypatch.setattr(spooled.SpooledInbox, "_closing_seconds", 0.5)
            with psycopg.connect(url) as connection:
                connection.execute("LOCK TABLE bankhook_cases, bankhook_deliveries")
                waiting = asyncio.create_task(inbox.settle([1])), asyncio.create_task(inbox.counts())
                assert await inbox.append(ARRIVALS) == [-1 - number for number in range(len(ARRIVALS))]
                with pytest.raises(InboxError, match="deliveries are in the spool"):
                    await inbox.forget("cus-1")
                await inbox.__aexit__()
                assert not any(task.done() for task in waiting)
            await asyncio.gather(*waiting)

    asyncio.run(run())
    for thread in set(threading.enumerate()) - before:
        if thread.name.startswith("bankhook-inbox"):  # what it waited for has been answered; it has a connection
            thread.join(HANGS)
    gc.collect()
