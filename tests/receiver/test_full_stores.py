# SPDX-License-Identifier: MIT
"""A store that is full answers 503, never a false 2xx; when there is room again, deliveries are stored again."""

from __future__ import annotations

import contextlib
import http.client
import os
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from cli.command import run
from inbox.postgresql import PostgreSQL
from receiver.listening import Listening, listening, stored

SIZE = 60_000


class Client:
    """Posts bodies that nothing makes smaller, and knows which of them were acknowledged."""

    def __init__(self, server: Listening) -> None:
        self._connection = http.client.HTTPConnection(*server.address, timeout=240)
        self.acknowledged: list[bytes] = []

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        self._connection.request(method, path, body)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def post(self) -> int:
        body = os.urandom(SIZE // 2).hex().encode()
        status, _ = self.ask("POST", "/webhook", body)
        if status == 204:
            self.acknowledged.append(body)
        return status

    def fill(self) -> None:
        """Post until the store is full, and some more."""
        statuses = [204]
        while statuses[-1] == 204:
            statuses.append(self.post())
            assert len(statuses) < 10_000, "the store is not full yet"
        statuses += [self.post() for _ in range(3)]
        assert set(statuses) <= {204, 503}
        assert len(self.acknowledged) > 5

    def wait(self) -> None:
        """Post until it is stored again, and some more."""
        end = time.monotonic() + 60
        while self.post() != 204:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert [self.post() for _ in range(20)] == [204] * 20

    def check(self, inbox: Path | str) -> None:
        """Check that each acknowledged delivery is stored, and that none is stored twice."""
        bodies = [one.body for one in stored(inbox)]
        assert set(self.acknowledged) - set(bodies) == set()
        assert len(bodies) == len(set(bodies))


@contextlib.contextmanager
def small_disk(size: str) -> Generator[Path]:
    """A file system of this size, open to the user of a server; `grow` makes it larger."""
    folder = Path(tempfile.mkdtemp(prefix="bankhook-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        folder.rmdir()
        pytest.skip(f"cannot mount a small file system here: {done.stderr.strip()}")
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def grow(folder: Path) -> None:
    remount(folder, "size=512m")


def remount(folder: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(folder)], check=True)


def test_a_full_disk_of_sqlite() -> None:
    with small_disk("4m") as folder:
        with listening(folder / "inbox.db", "--quiet") as server, Client(server) as client:
            client.fill()
            for _ in range(30):  # also where a delivery was never tried since
                assert client.ask("GET", "/readyz") == (503, b'{"store":false}')
                assert client.ask("GET", "/healthz") == (200, b'{"store":true}')
                time.sleep(0.5)
            grow(folder)
            end = time.monotonic() + 60
            while client.ask("GET", "/readyz")[0] != 200:
                assert time.monotonic() < end
                time.sleep(0.2)
            assert [client.post() for _ in range(20)] == [204] * 20
            assert server.stop() == 0
        client.check(folder / "inbox.db")


def test_a_disk_that_is_read_only_since_a_crash_is_an_error_at_the_start() -> None:
    with small_disk("4m") as folder:
        inbox = folder / "inbox.db"
        with listening(inbox, "--quiet") as server, Client(server) as client:
            assert client.post() == 204
        assert inbox.with_name("inbox.db-wal").exists()
        remount(folder, "ro")
        done = run("listen", "--port", "0", "--inbox", str(inbox))
        assert (done.status, "cannot open the inbox" in done.err) == (2, True)
        remount(folder, "rw")
        client.check(inbox)


@pytest.mark.slow
def test_a_full_disk_of_postgresql() -> None:
    """The server gives up when it cannot write its log, and is started again when it can."""
    with small_disk("110m") as folder, PostgreSQL(folder) as database:
        inbox = database.url()
        with listening(inbox, "--quiet") as server, Client(server) as client:
            client.fill()
            grow(folder)
            database.kill()
            database.start()
            client.wait()
            assert server.stop() == 0
        client.check(inbox)
