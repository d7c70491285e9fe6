# SPDX-License-Identifier: MIT
"""While PostgreSQL does not answer, deliveries go into a spool; afterwards all of them are in the table: once, in order."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import psycopg
import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, InboxError, examine
from bankhook.inbox._sql import spooled
from bankhook.receiver import Receiver, anyone
from inbox import test_another_store
from inbox.history import HANGS, ROUNDS, Progress, filled, found, payloads
from inbox.postgresql import PostgreSQL
from receiver.asked import asking

TESTS = Path(__file__).parents[1]
BODIES = payloads(100)
MADE, NOT_MADE = "SELECT pg_advisory_unlock(7)", "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE NOT granted"
HELD_UP = """
    CREATE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER held_up AFTER INSERT ON bankhook_deliveries DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION hold_up()
"""


async def stored(inbox: Inbox, count: int) -> list[bytes]:
    """The bodies that are in the table, once there are so many."""
    progress = Progress("deliveries are in the table")
    while True:
        try:
            bodies = [one.body for one in await found(inbox)]
        except InboxError:
            bodies = []
        if len(bodies) >= count:
            return bodies
        progress.check(len(bodies))
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("test", [pytest.param(one, id=one.__name__) for one in test_another_store.COMMON])
def test_a_spool_that_is_not_needed_changes_nothing(
    test: object, postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(test)
    monkeypatch.setattr(bankhook.inbox, "open", partial(bankhook.inbox.open, spool=tmp_path / "spool.db"))
    test(postgresql.url())


def test_only_what_is_beside_postgresql_is_a_spool(tmp_path: Path) -> None:
    for url, spool in (str(tmp_path / "inbox.db"), "spool.db"), ("postgresql://a/b", "postgresql://c/d"):
        with pytest.raises(ValueError, match="spool: expected the path of a file, beside an inbox on PostgreSQL"):
            bankhook.inbox.open(url, spool=spool)


def test_a_receiver_starts_and_is_healthy_without_the_server_and_says_what_needs_it(tmp_path: Path) -> None:
    with PostgreSQL() as server:
        url = server.url()
        server.kill()
        inbox = bankhook.inbox.open(url, spool=tmp_path / "spool.db")

        async def run() -> None:
            async with asking(Receiver(inbox, verify=anyone)) as client:
                for body in BODIES:
                    assert (await client.post("/webhook", content=body)).status_code == 204
                health = await client.get("/readyz")
                assert (health.status_code, health.json()) == (200, {"store": True})
                metrics = (await client.get("/metrics")).text
                assert f"bankhook_spooled {len(BODIES)}.0" in metrics
                assert 'bankhook_inbox{event="",state="pending"} NaN' in metrics
            async with bankhook.inbox.open(url, spool=tmp_path / "spool.db") as again:
                with pytest.raises(InboxError):
                    await again.counts()
                with pytest.raises(InboxError):
                    await again.drain(bankhook.Handlers())
                assert await again.append([examine(b"{}")]) == [-len(BODIES) - 1]
                server.start()  # not in a thread: the server would end with it
                assert await stored(again, len(BODIES) + 1) == [*BODIES, b"{}"]
                progress = Progress("the table is used again")
                while (await again.append([examine(b"{}")]))[0] < 0:
                    progress.check()
                    await asyncio.sleep(0.05)
                assert await again.drain(bankhook.Handlers()) == len(BODIES)

        asyncio.run(run())


def test_a_spool_that_was_filled_beside_another_inbox_is_refused(postgresql: PostgreSQL, tmp_path: Path) -> None:
    async def run() -> None:
        url, other, spool = postgresql.url(), postgresql.url(), tmp_path / "spool.db"
        async with bankhook.inbox.open(url, spool=spool):
            pass
        async with bankhook.inbox.open(other, spool=spool):  # nothing is in it
            pass
        async with filled(str(spool), [b"{}"]):
            pass
        with pytest.raises(InboxError, match="the spool has deliveries of another inbox"):
            async with bankhook.inbox.open(url, spool=spool):
                pass
        async with filled(url, []) as inbox:
            assert await found(inbox) == []
        async with bankhook.inbox.open(other, spool=spool) as inbox:
            assert await stored(inbox, 1) == [b"{}"]

    asyncio.run(run())


def test_a_spool_of_another_inbox_is_refused_also_if_the_server_was_away_when_it_was_opened(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away() -> None:
        raise InboxError("the server is away")

    async def run() -> None:
        url, spool = postgresql.url(), tmp_path / "spool.db"
        async with bankhook.inbox.open(url, spool=spool):
            pass
        async with filled(str(spool), [b"{}"]):
            pass
        other = bankhook.inbox.open(postgresql.url(), spool=spool)
        assert isinstance(other, spooled.SpooledInbox)
        with monkeypatch.context() as patched:
            patched.setattr(other.store, "open", away)
            await other.__aenter__()
        try:
            progress = Progress("the spool is refused")
            with pytest.raises(InboxError, match="the spool has deliveries of another inbox"):
                while True:
                    await other.check()
                    progress.check()
                    await asyncio.sleep(0.01)
            with pytest.raises(InboxError, match="the spool has deliveries of another inbox"):
                await other.append([examine(BODIES[0])])
        finally:
            await other.__aexit__()
        async with bankhook.inbox.open(url, spool=spool) as inbox:
            assert await stored(inbox, 1) == [b"{}"]

    asyncio.run(run())
    first, second = (message for message in caplog.messages if "; deliveries are" in message)
    assert first == "the server is away; deliveries are stored in the spool meanwhile"
    assert second.endswith("or use another file; deliveries are refused")


def test_a_spool_beside_two_inboxes_belongs_to_that_whose_deliveries_it_has(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise InboxError("the server is away")

    async def run() -> None:
        url, other_url, spool = postgresql.url(), postgresql.url(), tmp_path / "spool.db"
        async with bankhook.inbox.open(url, spool=spool) as inbox, bankhook.inbox.open(other_url, spool=spool) as other:
            assert isinstance(other, spooled.SpooledInbox)
            with monkeypatch.context() as patched:
                patched.setattr(inbox, "_append_there", away)
                patched.setattr(inbox, "_move_some", away)
                assert await inbox.append([examine(BODIES[0])]) == [-1]
                with pytest.raises(InboxError, match="the spool has deliveries of another inbox"):
                    await asyncio.to_thread(other._move_some)
                with pytest.raises(InboxError, match="the spool has deliveries of another inbox"):
                    other._keep((), [examine(BODIES[1])])
            assert await stored(inbox, 1) == BODIES[:1]
            assert await found(other) == []

    asyncio.run(run())


def test_nothing_that_an_inbox_has_begun_goes_on_after_it_was_closed(postgresql: PostgreSQL, tmp_path: Path) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(postgresql.url(), spool=tmp_path / "spool.db") as inbox:
            await inbox.append([examine(BODIES[0])])
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_health_is_red_once_the_spool_is_gone(postgresql: PostgreSQL, tmp_path: Path) -> None:
    async def run() -> None:
        inbox = bankhook.inbox.open(postgresql.url(), spool=tmp_path / "spool.db")
        async with asking(Receiver(inbox, verify=anyone)) as client:
            assert (await client.get("/readyz")).json() == {"store": True}
            (tmp_path / "spool.db").unlink()
            assert (await client.get("/readyz")).json() == {"store": False}

    asyncio.run(run())


@pytest.mark.slow
def test_nothing_is_refused_lost_doubled_or_out_of_order_while_the_server_is_killed_again_and_again(tmp_path: Path) -> None:
    async def run(server: PostgreSQL) -> None:
        url, sent, numbers = server.url(), dict[int, list[bytes]](), list[int]()

        async def send(sender: int) -> None:
            sent[sender] = []
            while True:
                body = b'{"event":"x","sender":%d,"number":%d}' % (sender, len(sent[sender]))
                numbers.extend(await inbox.append([examine(body)]))
                sent[sender].append(body)

        async def until(wanted: bool) -> None:
            """Wait for deliveries that are stored in the table, or in the spool."""
            numbers.clear()
            progress = Progress("deliveries are acknowledged")
            while sum((number > 0) == wanted for number in numbers) < 20:
                progress.check(len(numbers))
                await asyncio.sleep(0.01)

        async with bankhook.inbox.open(url, spool=tmp_path / "spool.db") as inbox:
            senders = [asyncio.create_task(send(number)) for number in range(3)]
            for _ in range(max(2, ROUNDS)):
                await until(True)
                server.kill()
                await until(False)
                server.start()
            await until(True)
            for task in senders:
                task.cancel()
            await asyncio.wait(senders)
            bodies = await stored(inbox, sum(map(len, sent.values())))
        assert set(Counter(bodies).values()) == {1}
        for sender, mine in sent.items():
            there = [one for one in bodies if one.startswith(b'{"event":"x","sender":%d,' % sender)]
            assert there[: len(mine)] == mine
            assert len(there) <= len(mine) + 1  # the last one had no answer

    with PostgreSQL() as server:
        asyncio.run(run(server))


@pytest.mark.parametrize("end", [MADE, NOT_MADE])
def test_a_commit_without_an_answer_stores_nothing_twice(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    async def run() -> None:
        url = postgresql.url()
        async with bankhook.inbox.open(url, spool=tmp_path / "spool.db") as inbox:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(HELD_UP)
                connection.execute("SELECT pg_advisory_lock(7)")
                monkeypatch.setattr(spooled, "ANSWER_SECONDS", 0.5)
                assert await inbox.append([examine(body) for body in BODIES[:2]]) == [-1, -2]
                assert await inbox.append([examine(BODIES[2])]) == [-3]
                connection.execute(end.encode())
                connection.execute("SELECT pg_advisory_unlock_all()")
            assert await stored(inbox, 3) == BODIES[:3]

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(ROUNDS))
def test_a_mover_that_is_killed_at_any_place_moves_each_delivery_once(
    postgresql: PostgreSQL, tmp_path: Path, round_: int
) -> None:
    url, spool, places, kills = postgresql.url(), str(tmp_path / "spool.db"), random.Random(1 + round_), 0

    async def fill() -> None:
        async with filled(spool, BODIES * 2):
            pass

    async def read() -> list[bytes]:
        async with filled(url, []) as inbox:
            assert (await inbox.counts())[DeliveryState.PENDING] == 2 * len(BODIES)
            return [one.body for one in await found(inbox)]

    asyncio.run(fill())
    while True:
        command = [sys.executable, "-m", "inbox.moving", url, spool, str(places.randrange(100, 8000 * (1 + kills)))]
        done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False, timeout=HANGS)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        kills += 1
    assert kills > 0
    assert asyncio.run(read()) == BODIES * 2
