# SPDX-License-Identifier: MIT
"""Tables have versions, and connections do not depend on a server's defaults."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, create_mock_engine, text

import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError
from bankhook.inbox._sql import schema
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import metadata
from bankhook.inbox._sql.urls import database_url
from inbox.history import handling
from inbox.postgresql import PostgreSQL


async def make(url: str, *, create: bool = True) -> None:
    async with bankhook.inbox.open(url, create=create):
        pass


def test_tables_that_change_have_another_version() -> None:
    """If this fails, give them one, then change the digest."""
    made = list[str]()

    def make(statement: Any) -> None:
        made.append("".join(str(statement.compile(dialect=engine.dialect)).split()))

    engine = create_mock_engine("sqlite://", lambda statement, *_: make(statement))
    metadata.create_all(engine, checkfirst=False)
    assert (schema.VERSION, hashlib.sha256(str(sorted(made)).encode()).hexdigest()[:16]) == (3, "f3e6eadb7b16baf4")


@pytest.mark.parametrize(("version", "which"), [(schema.VERSION - 1, "an older"), (schema.VERSION + 1, "a newer")])
def test_tables_of_another_version_are_an_error_and_stay(url: str, version: int, which: str) -> None:
    asyncio.run(make(url))
    engine = create_engine(database_url(url))
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE bankhook_inbox SET version = {version}"))
    for create in (True, False):
        with pytest.raises(InboxError, match=f"has version {version} of its tables.* {which} version of bankhook"):
            asyncio.run(make(url, create=create))
    with engine.begin() as connection:
        assert connection.scalar(text("SELECT version FROM bankhook_inbox")) == version
    engine.dispose()


@pytest.mark.parametrize(("default", "used"), [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")])
def test_commits_in_postgresql_wait_for_the_disk_whatever_is_the_default(
    postgresql: PostgreSQL, default: str, used: str
) -> None:
    options = f"%20-csynchronous_commit%3D{default}%20-cdefault_transaction_isolation%3Dserializable"
    database = Store(database_url(postgresql.url() + options), create=True)
    database.open()
    with database.write("cannot look") as connection:
        assert connection.scalar(text("SHOW synchronous_commit")) == used
        assert connection.scalar(text("SHOW transaction_isolation")) == "read committed"
    database.close()


def test_a_symbolic_link_names_the_same_inbox(tmp_path: Path) -> None:
    async def run() -> None:
        link = tmp_path / "link.db"
        link.symlink_to(tmp_path / "inbox.db")
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox, bankhook.inbox.open(link) as other:
            await inbox.append([bankhook.inbox.examine(b'{"event":"x"}')])
            async with handling(inbox):
                with pytest.raises(InboxError, match="another inbox of this process"):
                    await other.drain(bankhook.Handlers())

    asyncio.run(run())


def test_an_inbox_that_has_to_exist_is_not_made(url: str) -> None:
    async def look() -> dict[DeliveryState, int]:
        async with bankhook.inbox.open(url, create=False) as inbox:
            return await inbox.counts()

    for _ in range(2):
        with pytest.raises(InboxError, match=r"no such file|has no inbox"):
            asyncio.run(look())
    asyncio.run(make(url))
    assert asyncio.run(look())[DeliveryState.PENDING] == 0
