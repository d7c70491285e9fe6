# SPDX-License-Identifier: MIT
"""A stored row that cannot be read, as another version or a person may leave it: it is parked, and all else goes on."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery, DeliveryState, Query, examine
from bankhook.inbox._sql.moving import move_all
from bankhook.inbox._sql.urls import database_url
from inbox.history import found, payloads
from inbox.postgresql import PostgreSQL

BODIES = [b'{"event":"damaged"}', b'{"event":"other"}', *payloads(20)]
NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
FINDING = (
    '[{{"rule":"rule_of_tomorrow","evidence":"{}","section":"2.1","severity":"error","steps":[],"path":"$","offset":null,'
    '"line":null,"column":null,"expected":"","found":""}}]'
)
ON_BOTH = [
    ("headers", """'["content-type"]'"""),
    ("headers", """'["ab"]'"""),
    ("headers", """'{"ab": 1}'"""),
    ("headers", """'[["a", null]]'"""),
    ("headers", """'[["a", "b", "c"]]'"""),
    ("headers", """'5'"""),
    ("headers", """'not JSON'"""),
    ("headers", "'" + "[" * 50_000 + "'"),
    ("findings", """'[{"rule": "x"}]'"""),
    ("findings", f"'{FINDING.format('guessed')}'"),
    ("findings", "'null'"),
]
ON_SQLITE = [
    ("headers", "x'ff'"),
    ("headers", "CAST(x'ff' AS TEXT)"),
    ("body", """'{"event":"damaged"}'"""),
    ("body", "5"),
    ("received", "'yesterday'"),
    ("received", "5"),
    ("attempts", "'often'"),
]
ON_POSTGRESQL = [("received", "'infinity'"), ("received", "'0044-03-15 BC'")]


def damage(url: str, number: int, column: str, value: str) -> None:
    """Write this into a row."""
    table = "bankhook_states" if column == "attempts" else "bankhook_deliveries"
    engine = create_engine(database_url(url))
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {table} SET {column} = {value} WHERE number = {number}".replace(":", r"\:")))
    engine.dispose()


async def filled_and_damaged(url: str, column: str, value: str) -> None:
    async with bankhook.inbox.open(url) as inbox:
        await inbox.append([examine(body, received=NOON, headers=[("a", "b")]) for body in BODIES])
    damage(url, 1, column, value)


async def looked_at(inbox: bankhook.inbox.Inbox) -> list[Delivery]:
    """All deliveries, and all else that is asked of an inbox is answered."""
    await inbox.dead_letters()
    await inbox.cases()
    await inbox.open_since(datetime.timedelta())
    deliveries = await found(inbox)
    assert [one.number for one in deliveries] == [*range(1, len(BODIES) + 1)]
    assert [one.number async for one in inbox.find(newest_first=True)] == [*range(len(BODIES), 0, -1)]
    assert sum((await inbox.counts()).values()) == len(BODIES)
    return deliveries


@pytest.mark.parametrize(("column", "value"), [*ON_BOTH, *ON_SQLITE, *ON_POSTGRESQL])
def test_a_row_that_cannot_be_read_is_parked_and_everybody_else_is_handled(url: str, column: str, value: str) -> None:
    is_postgresql = url.startswith("postgresql")
    if (column, value) in (ON_SQLITE if is_postgresql else ON_POSTGRESQL):
        pytest.skip("the other store has no such value")
    handled: list[str] = []
    handlers = bankhook.Handlers()
    handlers.fallback(name="note")(lambda event: handled.append(event.event))

    async def run() -> None:
        await filled_and_damaged(url, column, value)
        async with bankhook.inbox.open(url) as inbox:
            await looked_at(inbox)
            await inbox.drain(handlers)
            first, *others = await looked_at(inbox)
            assert {one.state for one in others} == {DeliveryState.HANDLED}
            assert first.state is DeliveryState.PARKED
            assert str(first.error).splitlines()[0] == "UnreadableRow" and column in str(first.error)
            assert (first.headers, first.event) == (() if column == "headers" else (("a", "b"),), "damaged")
            assert (await inbox.counts())[DeliveryState.PARKED] == 1
            assert [one.number for one in await found(inbox, Query(states=["parked"]))] == [1]
            assert "damaged" not in handled
            assert await inbox.retry([1]) == 1  # with what could be read of it
            await inbox.drain(handlers)
            first, *_ = await looked_at(inbox)
            assert first.state is (DeliveryState.QUARANTINED if first.body == b"" else DeliveryState.HANDLED)
            assert handled.count("damaged") == (first.state is DeliveryState.HANDLED)
            await inbox.dismiss([1])
            await inbox.purge(before=NOON + datetime.timedelta(days=1))
            assert 1 not in [one.number for one in await found(inbox)]

    asyncio.run(asyncio.wait_for(run(), 120))


@pytest.mark.parametrize("state", ["'waiting'", "''", "NULL"])
def test_no_delivery_has_a_state_that_nobody_looks_at(url: str, state: str) -> None:
    asyncio.run(filled_and_damaged(url, "headers", "'5'"))
    engine = create_engine(database_url(url))
    with engine.connect() as connection, pytest.raises(IntegrityError):
        connection.execute(text(f"UPDATE bankhook_states SET state = {state}"))
    engine.dispose()


@pytest.mark.parametrize(("column", "value"), [("headers", """'["content-type"]'"""), ("received", "'yesterday'")])
def test_what_cannot_be_read_is_dismissed_forgotten_or_purged(url: str, column: str, value: str) -> None:
    if column == "received" and url.startswith("postgresql"):
        value = "'infinity'"

    async def run() -> None:
        await filled_and_damaged(url, column, value)
        for number in (2, 5):
            damage(url, number, column, value)
        async with bankhook.inbox.open(url) as inbox:
            member = (await found(inbox))[4].member
            assert member is not None
            await inbox.drain(bankhook.Handlers())
            assert await inbox.dismiss([1]) == 1
            assert (await inbox.counts())[DeliveryState.DISMISSED] == 1
            assert await inbox.forget(member) > 0
            assert await inbox.retry(Query(states=["parked"])) == 1
            await inbox.purge(before=datetime.datetime.now(datetime.UTC))
            left = [one.number for one in await found(inbox)]
            assert 5 not in left and 2 in left

    asyncio.run(run())


def test_what_was_handled_and_cannot_be_read_any_more_stops_nobody(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(body, received=NOON) for body in BODIES])
            await inbox.drain(bankhook.Handlers())
        for number, (column, value) in enumerate([("headers", "'{'"), ("findings", "'{'"), ("headers", "'5'")], 3):
            damage(url, number, column, value)
        async with bankhook.inbox.open(url) as inbox:
            deliveries = await looked_at(inbox)
            assert deliveries[2].state is DeliveryState.HANDLED
            for one in deliveries[2:]:
                assert one.member is not None and await inbox.state_of(one.member)
            await inbox.append([examine(body) for body in payloads(30)[20:]])
            assert await inbox.drain(bankhook.Handlers()) == 10
            assert await inbox.purge(before=NOON + datetime.timedelta(days=1)) > 0

    asyncio.run(run())


def test_a_state_of_a_member_that_cannot_be_read_parks_the_deliveries_of_that_member(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url, attempts=1) as inbox:
            await inbox.append([examine(body) for body in BODIES])
            await inbox.drain(bankhook.Handlers())
            engine, (*_, last) = create_engine(database_url(url)), await found(inbox)
            with engine.begin() as connection:
                broken = "''" if url.startswith("postgresql") else "'text'"
                connection.execute(
                    text(f"UPDATE bankhook_members SET snapshot = {broken} WHERE member = :m"), {"m": last.member}
                )
            engine.dispose()
        async with bankhook.inbox.open(url, attempts=1) as inbox:
            await inbox.append([examine(BODIES[-1]), examine(BODIES[0])])
            assert await inbox.drain(bankhook.Handlers()) == 2
            parked, other = (await found(inbox))[-2:]
            assert (parked.state, other.state) == (DeliveryState.PARKED, DeliveryState.HANDLED)

    asyncio.run(run())


def test_what_cannot_be_read_is_moved_and_copied_with_everything_else(
    url: str, postgresql: PostgreSQL, tmp_path: Path
) -> None:
    source = f"{tmp_path}/source.db"

    async def run(is_handled: bool) -> None:
        target = postgresql.url() if url.startswith("postgresql") else f"{tmp_path}/target{is_handled}.db"
        async with bankhook.inbox.open(source) as inbox:
            await inbox.append([examine(body, received=NOON) for body in BODIES])
            if is_handled:
                await inbox.drain(bankhook.Handlers())
        for number, (column, value) in enumerate([("headers", "'{'"), ("received", "'yesterday'"), ("body", "'text'")], 3):
            damage(source, number, column, value)
        async with bankhook.inbox.open(source) as inbox, bankhook.inbox.open(target) as other:
            await asyncio.to_thread(move_all, inbox, other)
            deliveries = await found(other)
            assert [one.event for one in deliveries[-len(BODIES) :]] == [examine(body).event for body in BODIES]
            states = {one.state.value for one in deliveries[-len(BODIES) :]}
            assert states == ({"handled"} if is_handled else {"pending", "parked"})
            await other.drain(bankhook.Handlers())

    asyncio.run(run(False))
    asyncio.run(run(True))
