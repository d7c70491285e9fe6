# SPDX-License-Identifier: MIT
"""Handled deliveries are found by their members and keys, wherever their entries are, and also if all ids have the same hash."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, select

import bankhook
import bankhook.inbox
from bankhook.inbox import Query, examine
from bankhook.inbox._sql import finding, tables, types
from bankhook.inbox._sql.urls import database_url
from inbox.history import found, payloads

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
BODIES = payloads(160, members=6, faults=bankhook.sandbox.Faults(duplicate=0.1, reorder=0.1))
"""And the transactions of one member again as those of another."""
STOLEN = [body.replace(examine(BODIES[0]).member.encode(), b"thief") for body in BODIES if b"nitialTransaction" in body]  # type: ignore[union-attr]


class Same:
    """A hash that all have."""

    def digest(self) -> bytes:
        return b"\x80" + bytes(7)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries are put in order when they are few, some with each commit."""
    monkeypatch.setattr(finding, "LEAST", 150)
    monkeypatch.setattr(finding, "PART", 10**9)
    monkeypatch.setattr(finding, "AT_ONCE", 80)


@pytest.fixture
def colliding(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    types.hash_of.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(hashlib, "blake2b", lambda *_, **__: Same())
        yield
    types.hash_of.cache_clear()


def in_order(url: str) -> bool:
    """Whether entries are."""
    engine = create_engine(database_url(url))
    with engine.connect() as connection:
        are_some = connection.scalar(select(tables.found.c.number).limit(1)) is not None
    engine.dispose()
    return are_some


async def reported(url: str | Path) -> list[Any]:
    """All that an inbox tells by members and keys of what was handled in parts."""
    new = [examine(body, received=NOON + datetime.timedelta(minutes=n)) for n, body in enumerate([*BODIES, *STOLEN])]
    answers = list[Any]()

    async def ask() -> None:
        members, keys = ({getattr(one, name) for one in new} - {None} for name in ("member", "key"))
        for member in sorted(members):
            answers.append([one.number for one in await found(inbox, Query(member=member))])
            answers.append(await inbox.state_of(member))
        for key in sorted(keys)[::8]:
            answers.append([one.number async for one in inbox.find(Query(key=key), newest_first=True)])
        answers.append(await inbox.cases())
        answers.append(await inbox.open_since(datetime.timedelta()))

    async with bankhook.inbox.open(url) as inbox:
        for start in range(0, len(new), 40):
            await inbox.append(new[start : start + 40])
            await inbox.drain(bankhook.Handlers(), concurrency=2)
        await ask()
        answers.append(await inbox.purge(before=NOON + datetime.timedelta(minutes=60)))
        await ask()
        for member in ("thief", new[1].member):
            answers.append(await inbox.forget(member or ""))
            await ask()
        await inbox.append(new[:40])
        await inbox.drain(bankhook.Handlers())
        await ask()
    return answers


@pytest.mark.parametrize("hashes", ["", "colliding"])
def test_what_is_found_does_not_depend_on_hashes_or_on_where_entries_are(
    url: str, tmp_path: Path, hashes: str, request: pytest.FixtureRequest
) -> None:
    expected = asyncio.run(reported(tmp_path / "expected.db"))
    for fixture in ("few", hashes):
        if fixture:
            request.getfixturevalue(fixture)
    assert asyncio.run(reported(url)) == expected
    assert (in_order(str(tmp_path / "expected.db")), in_order(url)) == (False, True)
