# SPDX-License-Identifier: MIT
"""Whatever was acknowledged is stored: through kills, a deleted file, and two receivers on one store."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from inbox.history import HANGS, ROUNDS
from inbox.postgresql import PostgreSQL
from receiver.listening import Listening, listening, stored

pytestmark = pytest.mark.soak


class Load:
    """Clients that post different payloads until the server is gone, and which of them were acknowledged.

    Whatever fails, the server has to end before the threads of the clients are joined.
    """

    def __init__(self) -> None:
        self.acknowledged: list[bytes] = []
        self.unavailable = 0
        self._numbers = itertools.count()
        self._came = threading.Condition()

    def post(self, server: Listening, *allowed: int) -> None:
        """Post as one client, until the connection breaks; a delivery with another answer than 204 is given up."""
        connection = http.client.HTTPConnection(*server.address, timeout=240)
        try:
            while True:
                body = b'{"number":%d}' % next(self._numbers)
                connection.request("POST", "/webhook", body)
                answer = connection.getresponse()
                answer.read()
                assert answer.status in (204, *allowed)
                with self._came:
                    if answer.status == 204:
                        self.acknowledged.append(body)
                    else:
                        self.unavailable += 1
                    self._came.notify_all()
                if answer.status != 204:
                    time.sleep(0.05)  # the store needs the processor to start again
        except (OSError, http.client.HTTPException):
            return
        finally:
            connection.close()

    def wait(self, more: int) -> None:
        """Wait until this many more were acknowledged."""
        with self._came:
            wanted = len(self.acknowledged) + more
            assert self._came.wait_for(lambda: len(self.acknowledged) >= wanted, HANGS), (
                f"{len(self.acknowledged)} of {wanted} were acknowledged in {HANGS} s"
            )


@contextlib.contextmanager
def inbox_in(store: str, folder: Path) -> Generator[str]:
    """The URL of a new inbox, in a server of its own if the store has one."""
    if store == "sqlite":
        yield str(folder / "inbox.db")
    else:
        with PostgreSQL() as server:
            yield server.url()


def check(load: Load, inbox: Path | str) -> None:
    """Check that each acknowledged delivery is stored, and that none is stored twice."""
    bodies = [one.body for one in stored(inbox)]
    assert set(load.acknowledged) - set(bodies) == set()
    assert len(bodies) == len(set(bodies))


@pytest.mark.slow
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_what_was_acknowledged_survives_kills_of_the_receiver_under_load(store: str, tmp_path: Path) -> None:
    load = Load()
    with inbox_in(store, tmp_path) as inbox:
        for round_ in range(max(2, ROUNDS)):
            with ThreadPoolExecutor(8) as clients, listening(inbox, "--quiet") as server:
                done = [clients.submit(load.post, server) for _ in range(8)]
                load.wait(40 + 37 * round_ % 101)
                server.process.kill()
                for one in done:
                    one.result()
        check(load, inbox)
    assert len(load.acknowledged) >= 40 * max(2, ROUNDS)


@pytest.mark.slow
def test_a_receiver_survives_kills_of_its_store_under_load() -> None:
    load = Load()
    with PostgreSQL() as database:
        inbox = database.url()
        with ThreadPoolExecutor(8) as clients, listening(inbox, "--quiet") as server:
            done = [clients.submit(load.post, server, 503) for _ in range(8)]
            for _ in range(max(2, ROUNDS // 4)):  # tests/inbox kills servers more often
                load.wait(40)
                database.kill()
                database.start()
            load.wait(40)
            assert server.stop() == 0
            for one in done:
                one.result()
        check(load, inbox)
    assert load.unavailable > 0


@pytest.mark.parametrize("store", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_two_receivers_share_a_store(store: str, tmp_path: Path) -> None:
    load = Load()
    with inbox_in(store, tmp_path) as inbox:
        with (
            ThreadPoolExecutor(8) as clients,
            listening(inbox, "--quiet") as first,
            listening(inbox, "--quiet") as second,
        ):
            done = [clients.submit(load.post, server) for server in (first, second) * 4]
            load.wait(400)
            assert first.stop() == 0
            assert second.stop() == 0
            for one in done:
                one.result()
        check(load, inbox)


def test_a_deleted_file_is_a_503_until_the_receiver_is_restarted(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox.db"

    def ask(server: Listening, method: str, path: str) -> int:
        with contextlib.closing(http.client.HTTPConnection(*server.address, timeout=240)) as connection:
            connection.request(method, path, b"{}" if method == "POST" else None)
            return connection.getresponse().status

    with listening(inbox, "--quiet") as server:
        assert ask(server, "POST", "/webhook") == 204
        inbox.unlink()
        assert [ask(server, "POST", "/webhook") for _ in range(3)] == [503] * 3
        assert ask(server, "GET", "/healthz") == 503
        assert not inbox.exists()
    with listening(inbox, "--quiet") as server:
        assert [ask(server, "POST", "/webhook"), ask(server, "GET", "/healthz")] == [204, 200]
        assert server.stop() == 0
    assert len(stored(inbox)) == 1
