# SPDX-License-Identifier: MIT
"""What it costs to find the next deliveries does not grow with those that are pending: SQLite's own steps are counted."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, update

from bankhook.inbox import examine
from bankhook.inbox._sql.pending import Pending
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import states
from bankhook.inbox._sql.urls import database_url
from inbox.history import filled, payloads

NOW = datetime.datetime.now(datetime.UTC)
HOUR = datetime.timedelta(hours=1)
HISTORY = payloads(200, members=10)
MEMBERS = [examine(body).member for body in HISTORY]


class Steps:
    """The instructions that SQLite needs for what a database is asked."""

    def __init__(self, database: Store) -> None:
        self.taken = 0
        event.listen(database.engine, "connect", self._watch)
        database.close()
        database.open()
        self.taken = 0

    def _watch(self, connection: Any, *_: object) -> None:
        connection.set_progress_handler(self._count, 1)

    def _count(self) -> int:
        self.taken += 1
        return 0


def steps(path: Path, repeated: int, *, until_now: bool) -> int:
    """What it takes to find what is next: what is new, and of a member whose retry is due."""

    async def fill() -> None:
        async with filled(path, HISTORY * repeated):
            pass

    asyncio.run(fill())
    database = Store(database_url(path), create=True)
    database.open()
    other = next(number for number, member in enumerate(MEMBERS, 1) if member != MEMBERS[0])
    with database.write("") as connection:
        for number, retry_at in ((1, NOW - HOUR), (other, NOW + HOUR)):
            connection.execute(update(states).where(states.c.number == number).values(retry_at=retry_at))
    steps = Steps(database)
    pending = Pending(database, lambda _: (), until_now=until_now)
    for _ in range(2):
        assert [one for one in pending.next(NOW) if not pending.is_blocked(one, NOW)]
    assert pending.earliest_retry() == NOW + HOUR
    assert pending.next(NOW + HOUR)[0].number == other
    database.close()
    return steps.taken


@pytest.mark.parametrize("until_now", [False, True])
def test_a_backlog_slows_nothing_down(tmp_path: Path, until_now: bool) -> None:
    few = steps(tmp_path / "few", 25, until_now=until_now)
    many = steps(tmp_path / "many", 100, until_now=until_now)
    assert many < 1.1 * few


def steps_of_a_blocked_member(path: Path, retried: int) -> int:
    """What it takes to look again and again while a member waits of which a person has retried so many deliveries."""

    async def fill() -> None:
        async with filled(path, [*payloads(retried, members=1), b'{"event":"last"}']):
            pass

    async def retry() -> None:
        async with filled(path, []) as inbox:
            assert await inbox.retry(range(1, retried + 1)) == retried

    asyncio.run(fill())
    database = Store(database_url(path), create=True)
    database.open()
    with database.write("") as connection:
        connection.execute(update(states).where(states.c.number <= retried).values(state="parked"))
    pending = Pending(database, lambda _: ())
    assert [one.number for one in pending.next(NOW)] == [retried + 1]
    asyncio.run(retry())
    now = NOW + HOUR
    first, *others = pending.next(now)
    pending.block(first, now + HOUR)
    assert all(pending.is_blocked(one, now) for one in others)
    assert len(others) == retried - 1
    steps = Steps(database)
    for _ in range(10):
        assert list(pending.next(now)) == []
    assert pending.earliest_retry() == now + HOUR
    database.close()
    return steps.taken


def test_what_one_member_has_to_be_retried_slows_nothing_down(tmp_path: Path) -> None:
    few, many = (steps_of_a_blocked_member(tmp_path / f"{retried}", retried) for retried in (50, 500))
    assert many < 1.1 * few


def test_nothing_overtakes_a_retry_that_becomes_due_while_its_member_is_busy(url: str) -> None:
    member, later = examine(payloads(1, members=1)[0]).member or "", NOW + HOUR

    async def fill() -> None:
        async with filled(url, payloads(3, members=1)):
            pass

    asyncio.run(fill())
    database = Store(database_url(url), create=True)
    database.open()
    pending = Pending(database, lambda _: ())
    first, second, third = pending.next(NOW)
    assert not pending.is_blocked(first, NOW)
    with database.write("") as connection:
        connection.execute(update(states).where(states.c.number == 1).values(retry_at=NOW))
    pending.block(first, NOW)
    assert list(pending.next(later, {member})) == []
    assert pending.is_blocked(second, later)
    assert [one.number for one in pending.next(later)] == [1, 2]
    assert pending.is_blocked(third, later) is False
    database.close()


def test_what_a_person_retries_does_not_wait_for_a_later_one_that_waits_itself(url: str) -> None:
    later = NOW + HOUR

    async def fill() -> None:
        async with filled(url, payloads(3, members=1)):
            pass

    async def retry() -> None:
        async with filled(url, []) as inbox:
            assert await inbox.retry([1]) == 1

    asyncio.run(fill())
    database = Store(database_url(url), create=True)
    database.open()
    pending = Pending(database, lambda _: ())
    first, second, third = pending.next(NOW)
    with database.write("") as connection:
        for number, values in ((1, {"state": "parked"}), (2, {"retry_at": later})):
            connection.execute(update(states).where(states.c.number == number).values(values))
    assert not pending.is_blocked(first, NOW)
    pending.block(second, later)
    assert pending.is_blocked(third, NOW)
    assert list(pending.next(NOW)) == []
    asyncio.run(retry())
    first, *others = pending.next(NOW)
    assert [first.number, *(one.number for one in others)] == [1, 2, 3]
    assert not pending.is_blocked(first.replace(retry_at=None), NOW)
    assert all(pending.is_blocked(one, NOW) for one in others)
    assert pending.earliest_retry() == later
    assert [one.number for one in pending.next(later)] == [2, 3]
    database.close()
