# SPDX-License-Identifier: MIT
"""The same application under each server that people deploy: the same answers, and what was acknowledged is stored."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from docs.snippets import ROOT, files
from inbox.history import Progress
from inbox.test_files import TESTS
from installed import need_packages
from receiver.asked import CREATED
from receiver.listening import free_port, head, stored
from receiver.proxied import until
from receiver.test_strangers import CHUNKED, SECRET, secret

SECONDS = 240
COMMAND = "uvicorn --http bankhook.receiver:http_protocol"
UVICORN = "uvicorn receiver.served:app --port {port}"
SERVERS = {
    "uvicorn": f"{UVICORN} --http httptools",
    "uvicorn with h11": f"{UVICORN} --http h11",
    "uvicorn with http_protocol": f"{UVICORN} --http bankhook.receiver:http_protocol",
    "gunicorn": "gunicorn receiver.served:app -k uvicorn_worker.UvicornWorker -b 127.0.0.1:{port}",
    "hypercorn": "hypercorn receiver.served:app -b 127.0.0.1:{port}",
    "granian": "granian receiver.served:app --interface asgi --port {port}",
}
GUNICORN = "gunicorn -w 2 --threads 4 -b 127.0.0.1:{port}"
WSGI = {
    "Flask": f"{GUNICORN} flask_application:app",
    "Flask, loaded before the fork": f"{GUNICORN} --preload flask_application:app",
    "Django, loaded before the fork": f"{GUNICORN} --preload django_wsgi:application",
}
DJANGO = """
from django.conf import settings
from django.core.wsgi import get_wsgi_application
import storing

settings.configure(ROOT_URLCONF="django_urls", ALLOWED_HOSTS=["*"], SECRET_KEY="any")
storing.store(b"before the fork")
application = get_wsgi_application()
"""
PACKAGES = {"gunicorn": "uvicorn_worker", "uvicorn with h11": "h11"} | {name: name.split(",")[0].lower() for name in WSGI}


class Served:
    """A server in a process of its own."""

    def __init__(self, name: str, folder: Path, settings: dict[str, str]) -> None:
        self.inbox, self.port, self._log = folder / "inbox.db", free_port(), folder / "log"
        module, *options = (SERVERS | WSGI)[name].format(port=self.port).split()
        need_packages(module, PACKAGES.get(name, module))
        environment = {**os.environ, "INBOX": str(self.inbox), **settings}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, *options],
                cwd=folder if name in WSGI else TESTS,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def status(self, request: bytes) -> int:
        """The status with which it answers bytes."""
        with socket.create_connection(("127.0.0.1", self.port), SECONDS) as client, client.makefile("rb") as answer:
            client.sendall(request)
            return int(answer.readline().split()[1])


@contextlib.contextmanager
def serving(name: str, folder: Path, **settings: str) -> Generator[Served]:
    served = Served(name, folder, settings)
    try:
        path, status = ("/webhook", 405) if name in WSGI else ("/healthz", 200)
        until(served.port, path, served.process, status)
        yield served
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(served.process.pid, signal.SIGKILL)
        served.process.wait()


def chunked(body: bytes, trailer: bytes = b"") -> bytes:
    return b"%x\r\n%s\r\n0\r\n%s\r\n" % (len(body), body, trailer)


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVERS)
def test_each_server_gives_the_same_answers(name: str, tmp_path: Path) -> None:
    large, packed = b"x" * 10_001, gzip.compress(CREATED)
    with serving(name, tmp_path) as server:
        assert {what: server.status(request) for what, request in {
            "right": secret(head(len(CREATED))) + CREATED,
            "blanks": head(len(CREATED), "x-secret: \tagreed \t") + CREATED,
            "chunked": secret(CHUNKED) + chunked(CREATED),
            "wrong": head(len(CREATED), "x-secret: wrong") + CREATED,
            "none": head(len(CREATED)) + CREATED,
            "twice": secret(head(len(CREATED), "x-secret: agreed")) + CREATED,
            "in a trailer": CHUNKED + chunked(CREATED, b"x-secret: agreed\r\n"),
            "too large": secret(head(len(large))) + large,
            "too large, chunked": secret(CHUNKED) + chunked(large),
            "two lengths": secret(head(2, "transfer-encoding: chunked")) + chunked(b"{}"),
            "packed": secret(head(len(packed), "content-encoding: gzip")) + packed,
        }.items()} == {
            "right": 204, "blanks": 204, "chunked": 204, "wrong": 401, "none": 401, "twice": 401, "in a trailer": 401,
            "too large": 413, "too large, chunked": 413, "packed": 415,
            "two lengths": 204 if name == "granian" else 400,  # which drops Content-Length
        }  # fmt: skip
        assert [one.body for one in stored(server.inbox)][:3] == [CREATED] * 3
        root, has_limits = f"http://127.0.0.1:{server.port}", "http_protocol" in SERVERS[name]
        assert httpx.get(f"{root}/healthz", timeout=SECONDS).status_code == 200
        ready = httpx.get(f"{root}/readyz", timeout=SECONDS)
        expected = (200, {"store": True}) if has_limits else (503, {"store": True, "limits": False})
        assert (ready.status_code, ready.json()) == expected
        assert server.log().count(COMMAND) == (0 if has_limits else 1)


def stopped_while_delivering(server: Served) -> list[bytes]:
    """What was acknowledged to four senders until the server was asked to stop."""
    acknowledged = list[bytes]()

    def send(sender: int) -> None:
        with contextlib.suppress(httpx.HTTPError), httpx.Client(headers=SECRET, timeout=SECONDS) as client:
            for number in range(100_000):
                body = b"%d-%d" % (sender, number)
                if client.post(f"http://127.0.0.1:{server.port}/webhook", content=body).status_code == 204:
                    acknowledged.append(body)

    senders = [threading.Thread(target=send, args=(sender,)) for sender in range(4)]
    for thread in senders:
        thread.start()
    progress = Progress("deliveries are acknowledged")
    while len(acknowledged) < 200:
        progress.check(len(acknowledged))
        time.sleep(0.05)
    server.process.terminate()
    server.process.wait(SECONDS)
    for thread in senders:
        thread.join()
    return acknowledged


def check_stored(inbox: Path, acknowledged: list[bytes]) -> None:
    bodies = [one.body for one in stored(inbox)]
    assert len(set(bodies)) == len(bodies)
    assert not set(acknowledged) - set(bodies)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SERVERS if name != "granian"])
def test_a_store_that_is_away_at_the_start_is_named_in_a_line(name: str) -> None:
    module, *options = SERVERS[name].format(port=free_port()).split()
    need_packages(module, PACKAGES.get(name, module), "psycopg")
    command = [sys.executable, "-m", module, *options]
    environment = {**os.environ, "INBOX": "postgresql://nobody:guessed@127.0.0.1:1/x"}
    done = subprocess.run(command, cwd=TESTS, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    said = done.stdout + done.stderr
    assert re.search("InboxError: cannot open the inbox: .*Connection refused", said), said
    assert "guessed" not in said
    if name.startswith("uvicorn"):
        assert len(said.splitlines()) == 4


@pytest.mark.parametrize("name", SERVERS)
def test_what_each_server_acknowledged_until_it_was_stopped_is_stored(name: str, tmp_path: Path) -> None:
    with serving(name, tmp_path, LIMITS="elsewhere") as server:
        assert httpx.get(f"http://127.0.0.1:{server.port}/readyz", timeout=SECONDS).json() == {"store": True}
        acknowledged = stopped_while_delivering(server)
        assert COMMAND not in server.log()
    check_stored(server.inbox, acknowledged)


@pytest.mark.slow
@pytest.mark.parametrize("name", WSGI)
def test_what_the_application_of_the_guide_acknowledged_is_stored(name: str, tmp_path: Path) -> None:
    files(ROOT / "docs" / "how-to" / "frameworks.md", tmp_path)
    (tmp_path / "django_wsgi.py").write_text(DJANGO)
    with serving(name, tmp_path, SECRET="agreed") as server:
        acknowledged = stopped_while_delivering(server)
        assert "Error" not in server.log()
    check_stored(server.inbox, acknowledged)
