# SPDX-License-Identifier: MIT
"""The main job: deliveries through nginx into an application, beside all that its operators do to its inbox, and kills."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery, DeliveryState
from cli.command import COMMAND
from inbox.history import Ledger, Progress
from inbox.test_files import TESTS, is_whole
from installed import need_packages
from receiver.listening import free_port, listening, stored
from receiver.proxied import answers, nginx, until
from receiver.sending import send_all

COUNT, ALONE, CONNECTIONS = 20_000, 2_000, 16
KILLS = (4_000, 9_000, 15_000)
PATHS = ("/bank/webhook", "/bank/webhook", "/bank/webhook", "/webhook")  # the last one is that of `bankhook listen`
AWAY = (502, 503, 504)  # as nginx and receivers say it


class Application:
    """The application of `receiver.deployed` under uvicorn, which may be killed and starts again at the same port."""

    def __init__(self, inbox: Path, port: int) -> None:
        self._command = [sys.executable, "-m", "uvicorn", "receiver.deployed:app", "--port", str(port)]
        self._command += ["--http", "bankhook.receiver:http_protocol", "--log-level", "warning"]
        self._environment = {**os.environ, "INBOX": str(inbox)}
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, cwd=TESTS, env=self._environment)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Operators:
    """What people do to an inbox that is in use, again and again, in a thread."""

    def __init__(self, inbox: Path, port: int, folder: Path) -> None:
        self.backups, self.looks, self.lists = list[Path](), Counter[int | None](), Counter[int]()
        self._inbox, self._port, self._folder, self._stop = inbox, port, folder, threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Operators:
        self._folder.mkdir()
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop.set()
        self._thread.join()

    def wait(self, rounds: int) -> None:
        """Wait until this much was done."""
        progress = Progress("an inbox is looked into, and backed up")
        while len(self.backups) < rounds:
            progress.check()
            time.sleep(0.1)

    def _work(self) -> None:
        while not self._stop.wait(2):
            self.looks[answers(self._port, "/cases")] += 1
            listed = subprocess.run([COMMAND, "inbox", "cases", self._inbox], capture_output=True)
            self.lists[listed.returncode] += 1
            copy = self._folder / f"{len(self.backups)}.db"
            with closing(sqlite3.connect(self._inbox, timeout=60)) as database, closing(sqlite3.connect(copy)) as target:
                if len(self.backups) % 2:
                    database.backup(target)
                else:
                    database.execute("VACUUM INTO ?", [str(copy)])
            self.backups.append(copy)


def deliver(inbox: Path, bodies: list[bytes], folder: Path) -> tuple[list[bytes], Operators]:
    """Send all, and wait until it is handled; return what was sent again, and what was done meanwhile."""
    port, application_port, listener_port = free_port(), free_port(), free_port()
    application = Application(inbox, application_port)
    try:
        until(application_port, "/bank/healthz", application.process)
        with (
            nginx(folder / "nginx", port=port, application=application_port, listener=listener_port),
            Operators(inbox, port, folder / "backups") as operators,
        ):

            def send(bodies: list[bytes], before: int, *paths: str) -> list[bytes]:
                def answered(count: int) -> None:
                    if before + count in KILLS:
                        application.kill()
                        application.start()

                sending = send_all(port, bodies, connections=CONNECTIONS, answered=answered, paths=paths, unavailable=AWAY)
                return asyncio.run(sending)

            # First the application is alone: whoever else closes the inbox is the last one but for it.
            again = send(bodies[:ALONE], 0, PATHS[0])
            operators.wait(2)
            with listening(inbox, "--quiet", "--trusted-proxy", "127.0.0.1", "--port", str(listener_port)) as listener:
                again += send(bodies[ALONE:], ALONE, *PATHS)
                asyncio.run(all_is_handled(inbox))
                assert answers(application_port, "/bank/healthz") == 200
                assert listener.stop() == 0
        application.process.terminate()
        application.process.wait(60)
    finally:
        application.kill()
    return again, operators


async def all_is_handled(inbox: Path) -> None:
    async with bankhook.inbox.open(inbox, create=False) as opened:
        progress = Progress("all that was delivered is handled")
        while pending := (await opened.counts())[DeliveryState.PENDING]:
            progress.check(pending)
            await asyncio.sleep(0.2)


def checked(bodies: Iterator[bytes], folder: Path) -> str:
    """What `bankhook check` prints of them."""
    folder.mkdir()
    (folder / "bodies.ndjson").write_bytes(b"".join(body + b"\n" for body in bodies))
    done = subprocess.run([COMMAND, "check", "--limit", "0", "bodies.ndjson"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    return done.stdout


def in_order_of(sent: list[bytes], there: list[Delivery]) -> Iterator[bytes]:
    left = Counter(one.body for one in there)
    for body in sent:
        if left[body] > 0:
            left[body] -= 1
            yield body


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(900)
def test_20_000_deliveries_through_nginx_are_stored_as_acknowledged_and_each_effect_happens_once(tmp_path: Path) -> None:
    need_packages("uvicorn", "fastapi")
    inbox = tmp_path / "inbox.db"
    sent = [one.payload for one in bankhook.Sandbox(seed=7, members=300, faults=0.02).deliveries(COUNT)]
    again, operators = deliver(inbox, sent, tmp_path)
    there = stored(inbox)

    # Whatever had no answer is sent again, and may have been stored before.
    surplus = Counter(one.body for one in there) - Counter(sent)
    assert not Counter(sent) - Counter(one.body for one in there)
    assert surplus <= Counter(again)
    assert again

    handled = [one.number for one in there if one.state is DeliveryState.HANDLED]
    assert {one.state for one in there} == {DeliveryState.HANDLED, DeliveryState.QUARANTINED}
    effects = Ledger(str(inbox)).rows()
    assert [number for key, number in effects if key == "noted"] == handled
    assert set(Counter(key for key, _ in effects if key != "noted").values()) == {1}

    assert checked(in_order_of(sent, there), tmp_path / "stored") == checked(iter(sent), tmp_path / "sent")

    assert is_whole(inbox)
    assert operators.looks[200] > 0
    assert operators.lists.keys() <= {0, 1, 2}
    assert len(operators.backups) > 3
    for copy in operators.backups:
        assert is_whole(copy)
        restored = stored(copy)
        assert [(one.number, one.body) for one in restored] == [(one.number, one.body) for one in there[: len(restored)]]
        done = sum(one.state is DeliveryState.HANDLED for one in restored)
        assert sum(key == "noted" for key, _ in Ledger(str(copy)).rows()) == done
