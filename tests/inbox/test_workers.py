# SPDX-License-Identifier: MIT
"""Several processes handle an inbox on PostgreSQL: members in order, and effects once, whoever is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, text

import bankhook
from bankhook.inbox import DeliveryState
from bankhook.inbox._sql.urls import database_url
from inbox.history import HANGS, ROUNDS, filled, payloads
from inbox.postgresql import PostgreSQL
from inbox.working import TABLE

COUNT = 300
HISTORY = payloads(COUNT, members=40, faults=bankhook.sandbox.Faults(duplicate=0.1, reorder=0.1))
TESTS = Path(__file__).parents[1]
EACH_ROUND = pytest.mark.parametrize("round_", range(ROUNDS))


async def fill(url: str, bodies: list[bytes] = HISTORY) -> None:
    async with filled(url, bodies):
        engine = create_engine(database_url(url))
        with engine.begin() as connection:
            connection.execute(TABLE)
        engine.dispose()


@contextmanager
def worker(url: str, name: str, folder: Path, *fault: int) -> Generator[subprocess.Popen[str]]:
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "inbox.working", url, name, str(folder), *map(str, fault)]
    with subprocess.Popen(command, cwd=TESTS, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def ends(process: subprocess.Popen[str]) -> None:
    _, errors = process.communicate(timeout=HANGS)
    assert process.returncode == 0, errors


def stops(process: subprocess.Popen[str]) -> None:
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert process.poll() is None


async def all_is_handled_once_and_in_order(url: str, bodies: list[bytes] = HISTORY) -> dict[str, int]:
    """With how many deliveries each worker handled."""
    engine = create_engine(database_url(url))
    with engine.begin() as connection:
        rows = connection.execute(text("SELECT worker, member, delivery FROM done ORDER BY place")).all()
    engine.dispose()
    of_members, of_workers = defaultdict[str, list[int]](list), defaultdict[str, int](int)
    for name, member, delivery in rows:
        of_members[member].append(delivery)
        of_workers[name] += 1
    assert sorted(number for numbers in of_members.values() for number in numbers) == [*range(1, len(bodies) + 1)]
    assert all(numbers == sorted(numbers) for numbers in of_members.values())
    expected = bankhook.Tracker()
    for body in bodies:
        expected.apply(bankhook.parse(body))
    merged = bankhook.Tracker()
    async with filled(url, []) as inbox:
        assert (await inbox.counts())[DeliveryState.HANDLED] == len(bodies)
        for member in of_members:
            snapshot = await inbox.state_of(member)
            assert snapshot is not None
            merged.merge(bankhook.Tracker.restore(snapshot))
    assert merged == expected
    return of_workers


def test_two_workers_share_the_work(postgresql: PostgreSQL, tmp_path: Path) -> None:
    url = postgresql.url()
    asyncio.run(fill(url))
    with worker(url, "a", tmp_path) as first, worker(url, "b", tmp_path) as second:
        ends(first)
        ends(second)
    assert {*asyncio.run(all_is_handled_once_and_in_order(url))} == {"a", "b"}


@EACH_ROUND
def test_two_workers_do_not_handle_a_member_at_a_time(postgresql: PostgreSQL, tmp_path: Path, round_: int) -> None:
    url, bodies = postgresql.url(), payloads(100, seed=round_, members=1)
    asyncio.run(fill(url, bodies))
    for name in ("a", "b"):
        (tmp_path / name).touch()  # neither waits for a call of the other, who may have nothing to do
    with worker(url, "a", tmp_path) as first, worker(url, "b", tmp_path) as second:
        ends(first)
        ends(second)
    asyncio.run(all_is_handled_once_and_in_order(url, bodies))


@pytest.mark.parametrize("is_async", [False, True])
def test_a_slow_handler_keeps_no_other_member_from_another_worker(postgresql: PostgreSQL, is_async: bool) -> None:
    async def run() -> None:
        url, begun, ended = postgresql.url(), asyncio.Event(), asyncio.Event()
        loop, slow, quick, calls = asyncio.get_running_loop(), bankhook.Handlers(), bankhook.Handlers(), list[int]()

        async def wait_async(event: bankhook.AnyEvent) -> None:
            begun.set()
            await ended.wait()

        def wait(event: bankhook.AnyEvent) -> None:
            asyncio.run_coroutine_threadsafe(wait_async(event), loop).result()

        slow.fallback(wait_async if is_async else wait)

        @quick.fallback
        def note(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)

        async with filled(url, [b'{"event":"x"}'] * 40) as inbox, filled(url, []) as other:
            stop = asyncio.Event()
            running = [asyncio.create_task(inbox.run(slow, stop=stop))]
            await asyncio.wait_for(begun.wait(), HANGS)
            running.append(asyncio.create_task(other.run(quick, stop=stop)))
            try:
                async with asyncio.timeout(HANGS):
                    while (await inbox.counts())[DeliveryState.HANDLED] < 39:
                        await asyncio.sleep(0.01)
            finally:
                ended.set()
                stop.set()
                await asyncio.wait(running)
        assert sorted(calls) == [*range(2, 41)]

    asyncio.run(run())


def test_a_worker_claims_those_only_whose_handlers_are_called(postgresql: PostgreSQL) -> None:
    async def run() -> None:
        url, begun, ended, handlers = postgresql.url(), asyncio.Event(), asyncio.Event(), bankhook.Handlers()

        @handlers.fallback
        async def wait(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            if context.delivery.number == 40:
                begun.set()
                await ended.wait()

        def claims() -> int:
            with psycopg.connect(url, autocommit=True) as connection:
                found = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
                assert found is not None
                return int(found[0])

        async def there_are(count: int) -> None:
            async with asyncio.timeout(HANGS):
                while await asyncio.to_thread(claims) != count:
                    await asyncio.sleep(0.01)

        async with filled(url, [b'{"event":"x"}'] * 40) as inbox, filled(url, []) as other:
            stop = asyncio.Event()
            running = [asyncio.create_task(one.run(handlers, stop=stop, concurrency=2)) for one in (inbox, other)]
            await asyncio.wait_for(begun.wait(), HANGS)
            await there_are(1)
            ended.set()
            await there_are(0)
            stop.set()
            await asyncio.wait(running)

    asyncio.run(run())


@EACH_ROUND
def test_another_worker_takes_over_from_one_that_is_killed(postgresql: PostgreSQL, tmp_path: Path, round_: int) -> None:
    url = postgresql.url()
    asyncio.run(fill(url))
    with worker(url, "a", tmp_path, signal.SIGKILL, 5 + round_ % 10) as first, worker(url, "b", tmp_path) as second:
        assert first.wait(HANGS) == -signal.SIGKILL
        ends(second)
    assert "b" in asyncio.run(all_is_handled_once_and_in_order(url))


@EACH_ROUND
def test_a_worker_that_is_stopped_holds_up_its_own_members_until_it_goes_on(
    postgresql: PostgreSQL, tmp_path: Path, round_: int
) -> None:
    url = postgresql.url()
    asyncio.run(fill(url))
    with worker(url, "a", tmp_path, signal.SIGSTOP, 5 + round_ % 10) as first, worker(url, "b", tmp_path) as second:
        stops(first)
        asyncio.run(others_go_on(url))
        first.send_signal(signal.SIGCONT)
        ends(second)
        ends(first)
    asyncio.run(all_is_handled_once_and_in_order(url))


@pytest.mark.slow
@EACH_ROUND
def test_a_stopped_worker_whose_connection_is_lost_commits_nothing_afterwards(
    postgresql: PostgreSQL, tmp_path: Path, round_: int
) -> None:
    url = postgresql.url()
    asyncio.run(fill(url))
    with worker(f"{url}&application_name=stopped", "a", tmp_path, signal.SIGSTOP, 5 + round_ % 10) as first:
        with worker(url, "b", tmp_path) as second:
            stops(first)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stopped'"
                )
            ends(second)
        first.send_signal(signal.SIGCONT)
        ends(first)
    asyncio.run(all_is_handled_once_and_in_order(url))


async def others_go_on(url: str) -> None:
    """Wait until one worker has handled everything but what the stopped one has claimed."""
    async with filled(url, []) as inbox, asyncio.timeout(HANGS):
        handled, same = -1, 0
        while same < 5 or handled < COUNT // 4:
            count = (await inbox.counts())[DeliveryState.HANDLED]
            handled, same = (count, same + 1) if count == handled else (count, 0)
            await asyncio.sleep(0.1)
        assert (await inbox.counts())[DeliveryState.PENDING] > 0
