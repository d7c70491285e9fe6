# SPDX-License-Identifier: MIT
"""After the steps of the page about erasure, no file has a byte of what names the member, and all others have theirs."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Query
from cli.command import run
from inbox.postgresql import PostgreSQL
from receiver.listening import listening

pytestmark = pytest.mark.slow

SANDBOX = bankhook.Sandbox(seed=5, members=6, faults=0.05)
BODIES = [one.payload for one in SANDBOX.deliveries(400)]
EVENTS = [bankhook.parse(body) for body in BODIES if not bankhook.inbox.examine(body).findings]
KNOWN = [event for event in EVENTS if not isinstance(event, bankhook.UnknownEvent)]
WHO = KNOWN[0].customer
NAMES = ("id", "externalId", "accountHash", "transactionId")
HANDLERS = bankhook.Handlers()


@HANDLERS.fallback
def fail_now_and_then(event: bankhook.AnyEvent) -> None:
    if len(event.raw) % 9 == 0:
        raise ValueError(event.raw)  # which is stored with the delivery


def ids_of(value: Any) -> Iterator[bytes]:
    """What names a person, or leads to one, in an event."""
    if isinstance(value, dict):
        yield from (one.encode() for name, one in value.items() if name in NAMES and isinstance(one, str))
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from ids_of(one)


THEIRS = {one for event in KNOWN if event.customer.id != WHO.id for one in ids_of(event.to_wire())}
OWN = {one for event in KNOWN if event.customer.id == WHO.id for one in ids_of(event.to_wire())} - THEIRS


def left(folder: Path, ids: set[bytes] = OWN) -> dict[str, int]:
    """How many of the ids are in each file, without those of a log that a server writes ahead."""
    files = [one for one in folder.rglob("*") if one.is_file() and "pg_wal" not in one.parts]
    counts = {one.name: sum(id in content for id in ids) for one in files for content in (one.read_bytes(),)}
    return {name: count for name, count in counts.items() if count}


async def handle(url: str) -> None:
    async with bankhook.inbox.open(url, attempts=1) as inbox:
        await inbox.drain(HANDLERS)


async def forget_and_purge(url: str) -> None:
    """The first two steps; what is tracked of others stays."""
    async with bankhook.inbox.open(url) as inbox:
        assert await inbox.forget(external_id=WHO.external_id) > 50
        await inbox.dismiss(Query(states=(DeliveryState.QUARANTINED,)))
        await inbox.purge(before=datetime.datetime.now(datetime.UTC))
        tracked = [await inbox.state_of(one.customer.id) for one in KNOWN if one.customer.id != WHO.id]
        assert None not in tracked


async def dismiss(url: str) -> None:
    async with bankhook.inbox.open(url) as inbox:
        await inbox.dismiss(Query(states=(DeliveryState.QUARANTINED,)))


def test_no_file_of_an_inbox_in_sqlite_names_the_member(tmp_path: Path) -> None:
    url = str(tmp_path / "inbox.db")
    with listening(url, "--quiet") as receiver:
        for body in BODIES:
            assert httpx.post(receiver.url, content=body).status_code == 204
        asyncio.run(handle(url))
        assert len(OWN) > 50 and left(tmp_path)
        listed = run("inbox", "deliveries", "--external-id", WHO.external_id, url)
        assert len(listed.out.splitlines()) == 20  # the newest
        assert run("inbox", "forget", "--external-id", WHO.external_id, url).status == 0
        asyncio.run(dismiss(url))
        assert run("inbox", "purge", "--days", "0", url).status == 0
        assert receiver.stop() == 0
    with contextlib.closing(sqlite3.connect(url)) as database:
        database.execute("vacuum")
    assert left(tmp_path) == {}
    assert left(tmp_path, THEIRS).keys() == {"inbox.db"}


def open_to_all(name: str) -> Path:
    folder = Path(name)
    folder.chmod(0o755)
    return folder


def test_no_file_of_an_inbox_in_postgresql_names_the_member_but_its_log() -> None:
    # The folder of a test is closed to the server, which is another user.
    with tempfile.TemporaryDirectory(prefix="bankhook-erased-") as name, PostgreSQL(folder := open_to_all(name)) as server:
        url = server.url()

        async def append() -> None:
            async with bankhook.inbox.open(url) as inbox:
                await inbox.append([bankhook.inbox.examine(body) for body in BODIES])

        asyncio.run(append())
        asyncio.run(handle(url))
        with server.connect() as database:
            database.execute("CHECKPOINT")
            assert left(folder)
            asyncio.run(forget_and_purge(url))
            tables = database.execute("SELECT schemaname || '.' || tablename FROM pg_tables WHERE tablename ~ '^bankhook_'")
            for (table,) in tables.fetchall():
                database.execute(f"VACUUM FULL {table}".encode())
            database.execute("CHECKPOINT")
        assert left(folder) == {}
        assert left(folder, THEIRS)
