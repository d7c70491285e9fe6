# SPDX-License-Identifier: MIT
"""The C++ service of the guide is built as a user builds it, and loses nothing when it is killed."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

import bankhook
from installed import need_programs

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "service"
pytestmark = [pytest.mark.compiler, pytest.mark.slow]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need_programs("ninja")
    build = tmp_path_factory.mktemp("build")
    configure = ["cmake", "-S", str(EXAMPLE), "-B", str(build), "-GNinja", f"-Dbankhook_DIR={bankhook.get_cmake_dir()}"]
    for command in (configure, ["cmake", "--build", str(build)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return build / "service"


@contextmanager
def service(program: Path, database: Path) -> Generator[tuple[subprocess.Popen[str], str], None, None]:
    """The running service and its URL; whoever did not end it finds it killed."""
    with subprocess.Popen([program, database, "0"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().split()[1]
        finally:
            process.kill()


def rows(database: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query).fetchall()


def wait_for(database: Path, deliveries: int) -> None:
    """Until this many deliveries were processed."""
    while rows(database, "select number from state") != [(deliveries,)]:
        time.sleep(0.01)


@pytest.mark.soak
def test_what_was_acknowledged_survives_a_kill_and_is_credited_once(program: Path, tmp_path: Path) -> None:
    database = tmp_path / "service.db"
    history = bankhook.Sandbox(seed=4, members=5, faults={"duplicate": 0.1, "truncate": 0.05, "reorder": 0.05})
    payloads = [delivery.payload for delivery in history.deliveries(120)]
    with service(program, database) as (process, url), httpx.Client() as client:
        assert [client.post(url, content=payload).status_code for payload in payloads[:60]] == [204] * 60
        process.kill()
    assert [payload for (payload,) in rows(database, "select payload from inbox order by number")] == payloads[:60]

    with service(program, database) as (process, url), httpx.Client() as client:
        assert [client.post(url, content=payload).status_code for payload in payloads[60:]] == [204] * 60
        wait_for(database, 120)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0

    witness, expected = bankhook.Tracker(), dict[str, str]()
    for payload in payloads:
        try:
            event = bankhook.parse(payload)
        except bankhook.ParseError:
            continue
        if witness.apply(event).became("validated") and isinstance(event, bankhook.InitialTransactionUpdate):
            expected[event.initial_transaction.id] = str(event.initial_transaction.amount)
    assert expected
    assert {
        str(purchase): str(amount) for purchase, amount in rows(database, "select purchase, amount from credits")
    } == expected
    ((snapshot,),) = rows(database, "select snapshot from state")
    assert isinstance(snapshot, bytes)
    assert bankhook.Tracker.restore(snapshot) == witness


def test_what_is_too_large_or_goes_elsewhere_is_not_stored(program: Path, tmp_path: Path) -> None:
    database = tmp_path / "service.db"
    with service(program, database) as (_, url), httpx.Client() as client:
        assert client.post(url, content=b" " * (1 << 20 | 1)).status_code == 413
        assert client.post(url + "s", content=b"{}").status_code == 404
        assert client.get(url).status_code == 404
        assert client.post(url, content=b"\x00 not JSON").status_code == 204
    assert rows(database, "select payload from inbox") == [(b"\x00 not JSON",)]


def test_a_delivery_that_cannot_be_stored_is_not_acknowledged(program: Path, tmp_path: Path) -> None:
    database = tmp_path / "service.db"
    with service(program, database) as (_, url), httpx.Client() as client:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("create trigger full before insert on inbox begin select raise(abort, 'full'); end")
            connection.commit()
        assert client.post(url, content=b"{}").status_code == 503
