# SPDX-License-Identifier: MIT
"""`/readyz` is red while nothing can be stored or handled, `/healthz` only if a new process helps; a look costs little."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, examine
from bankhook.receiver import Receiver, _counts, anyone
from inbox.postgresql import PostgreSQL
from receiver.asked import CREATED, asking, eventually, is_green, is_red, running
from receiver.listening import Listening, listening, stored
from receiver.memory import MemoryInbox

SOON = 60.0  # 10 seconds are promised, of a machine that is not as busy
LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
input()
"""


def health(server: Listening, path: str) -> tuple[int, dict[str, bool]]:
    with contextlib.closing(http.client.HTTPConnection(*server.address, timeout=SOON)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def becomes(server: Listening, is_ready: bool) -> None:
    """Ask until it is so; nothing else is sent, and a new process would not help."""
    end = time.monotonic() + SOON
    wanted = (200, {"store": True}) if is_ready else (503, {"store": False})
    while health(server, "/readyz") != wanted:
        assert time.monotonic() < end
        assert health(server, "/healthz") == (200, {"store": True})
        time.sleep(0.2)


@contextlib.contextmanager
def locked(path: Path, is_stopped: bool) -> Generator[None]:
    """While another process holds the lock of those who write; perhaps it is stopped."""
    with subprocess.Popen(
        [sys.executable, "-c", LOCK, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        if is_stopped:
            process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_receiver_is_not_ready_while_another_process_holds_the_lock_of_sqlite(tmp_path: Path, is_stopped: bool) -> None:
    path = tmp_path / "inbox.db"
    with listening(path, "--quiet") as server:
        becomes(server, True)
        with locked(path, is_stopped):
            becomes(server, False)
        becomes(server, True)
        assert server.stop() == 0
    assert stored(path) == []


def test_a_receiver_is_not_ready_while_postgresql_does_not_write(tmp_path: Path) -> None:
    with PostgreSQL() as server:
        url = server.url()
        with listening(url, "--quiet") as receiver:
            becomes(receiver, True)
            with psycopg.connect(url, autocommit=True) as connection:
                for value in "on", "off":
                    connection.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
                    connection.execute("SELECT pg_reload_conf()")
                    becomes(receiver, value == "off")
            with server.stopped():
                becomes(receiver, False)
            becomes(receiver, True)
            server.kill()
            becomes(receiver, False)
            server.start(as_standby=True)
            for _ in range(20):  # it answers, from what is there
                assert health(receiver, "/readyz")[0] == 503
                time.sleep(0.2)
            with psycopg.connect(url, autocommit=True) as connection:
                assert connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
                connection.execute("SELECT pg_promote()")
            becomes(receiver, True)
        assert stored(url) == []


def test_a_receiver_with_a_spool_is_ready_without_postgresql_and_not_without_both(tmp_path: Path) -> None:
    spool = tmp_path / "spool.db"
    with PostgreSQL() as server, listening(server.url(), "--quiet", "--spool", str(spool)) as receiver:
        becomes(receiver, True)
        with locked(spool, False):  # what is sent goes into the table
            for _ in range(40):
                assert health(receiver, "/readyz")[0] == 200
                time.sleep(0.2)
        server.kill()
        for _ in range(40):
            assert health(receiver, "/readyz")[0] == 200
            time.sleep(0.2)
        with locked(spool, False):
            becomes(receiver, False)
        becomes(receiver, True)


def test_a_receiver_with_a_spool_and_handlers_is_ready_if_postgresql_is_away_at_its_start(tmp_path: Path) -> None:
    handlers, called = bankhook.Handlers(), asyncio.Event()

    @handlers.fallback
    async def call(event: bankhook.AnyEvent) -> None:
        called.set()

    with PostgreSQL() as server:
        url = server.url()

        @running
        async def look() -> None:
            inbox = bankhook.inbox.open(url, spool=tmp_path / "spool.db")
            async with asking(Receiver(inbox, verify=anyone, handlers=handlers)) as client:
                for _ in range(20):  # handlers were tried by then
                    assert (await client.get("/readyz")).json() == {"store": True, "handlers": True}
                    await asyncio.sleep(0.2)
                assert (await client.post("/webhook", content=CREATED)).status_code == 204
                server.start()
                async with asyncio.timeout(SOON):
                    await called.wait()

        server.kill()
        look()


@running
async def test_a_store_that_has_a_delivery_for_too_long_is_not_ready_until_it_answers() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone)) as client:
        inbox.gate.clear()
        started = time.monotonic()
        sent = asyncio.create_task(client.post("/webhook", content=CREATED))
        await eventually(lambda: inbox.attempts == 1)
        first = await client.get("/readyz")
        assert first.status_code == 200 or time.monotonic() - started > 5
        await eventually(lambda: is_red(client))
        assert (await client.get("/healthz")).status_code == 200
        inbox.gate.set()
        assert (await sent).status_code == 204
        assert (await client.get("/readyz")).status_code == 200


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_new_process_helps_once_a_file_of_the_inbox_is_another_one(
    tmp_path: Path, suffix: str, is_replaced: bool
) -> None:
    @running
    async def look() -> None:
        async with asking(Receiver(bankhook.inbox.open(tmp_path / "inbox.db"), verify=anyone)) as client:
            await client.post("/webhook", content=CREATED)
            for path in "/healthz", "/readyz":
                assert (await client.get(path)).json() == {"store": True}
            file = tmp_path / f"inbox.db{suffix}"
            file.rename(tmp_path / "moved")
            if is_replaced:
                file.write_bytes((tmp_path / "moved").read_bytes())
            for path in "/healthz", "/readyz":
                await eventually(lambda path=path: is_red(client, path))  # type: ignore[misc]

    look()


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("how", ["sync", "async", "begun", "begun async"])
def test_a_handler_that_hangs_is_seen_whatever_waits_for_a_retry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, concurrency: int
) -> None:
    monkeypatch.setattr(_counts, "STUCK_SECONDS", 1.0)
    handlers, ends = bankhook.Handlers(), threading.Event()

    @handlers.on(bankhook.UnknownEvent, event="fails")
    def fail(event: bankhook.AnyEvent) -> None:
        raise ValueError

    def hang(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        if how == "begun":
            context.begin().execute(text("SELECT 1"))
        ends.wait(120)

    async def hang_async(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        if how == "begun async":
            await (await context.begin()).execute(text("SELECT 1"))
        while not ends.is_set():
            await asyncio.sleep(0.05)

    handlers.on(bankhook.UnknownEvent, event="hangs")(hang_async if "async" in how else hang)

    @running
    async def look() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db", backoff=datetime.timedelta(hours=1))
        receiver = Receiver(inbox, verify=anyone, handlers=handlers, concurrency=concurrency)
        async with asking(receiver) as client:
            await inbox.append([examine(b'{"event":"fails"}')] * 12)

            async def all_wait() -> bool:
                return [one.attempts async for one in inbox.find()] == [1] * 12

            await eventually(all_wait)
            for path in "/healthz", "/readyz":
                assert (await client.get(path)).json() == {"store": True, "handlers": True}
            await inbox.append([examine(b'{"event":"hangs"}')])
            for path in "/healthz", "/readyz":
                await eventually(lambda path=path: is_red(client, path))  # type: ignore[misc]
                assert (await client.get(path)).json() == {"store": True, "handlers": False}
            ends.set()
            for path in "/healthz", "/readyz":
                await eventually(lambda path=path: is_green(client, path))  # type: ignore[misc]

    look()


@pytest.mark.parametrize("is_async", [False, True])
def test_a_timeout_of_run_is_the_bound_for_health_too(tmp_path: Path, is_async: bool) -> None:
    handlers, ends = bankhook.Handlers(), threading.Event()

    def hang(event: bankhook.AnyEvent) -> None:
        ends.wait(120)

    async def keep_on(event: bankhook.AnyEvent) -> None:
        while not ends.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(0.05)

    handlers.fallback(name="hang")(keep_on if is_async else hang)

    @running
    async def look() -> None:
        inbox, stop = bankhook.inbox.open(tmp_path / "inbox.db", attempts=1), asyncio.Event()
        async with asking(Receiver(inbox, verify=anyone)) as client:
            run = asyncio.create_task(inbox.run(handlers, stop=stop, timeout=0.5))
            await client.post("/webhook", content=b'{"event":"new"}')
            for path in "/healthz", "/readyz":
                await eventually(lambda path=path: is_red(client, path))  # type: ignore[misc]
                assert (await client.get(path)).json() == {"store": True, "handlers": False}

            async def is_parked() -> bool:
                return (await inbox.counts())[DeliveryState.PARKED] == 1

            await eventually(is_parked)
            ends.set()
            await eventually(lambda: is_green(client))
            stop.set()
            await run

    look()


@pytest.mark.parametrize("error", [RuntimeError("secret"), asyncio.CancelledError("secret")])
def test_what_ends_the_handling_is_in_the_log_by_its_class_alone(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    @running
    async def look() -> None:
        inbox = MemoryInbox()
        async with asking(Receiver(inbox, verify=anyone, handlers=bankhook.Handlers())) as client:
            inbox.error = error  # type: ignore[assignment]
            for path in "/healthz", "/readyz":
                await eventually(lambda path=path: is_red(client, path))  # type: ignore[misc]

    look()
    assert f"because {type(error).__name__} ended that" in "".join(caplog.messages)
    assert "secret" not in caplog.text
