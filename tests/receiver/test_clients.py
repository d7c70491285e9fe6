# SPDX-License-Identifier: MIT
"""Clients that are slow, cut, too large or hostile: bounded memory, the right answer, and the service goes on."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from bankhook.receiver import Receiver, _server, anyone
from receiver.asked import CREATED
from receiver.listening import Listening, head, listening, stored
from receiver.memory import MemoryInbox

MB = 1 << 20
CONNECTIONS = 10_000 if "BANKHOOK_SOAK_ROUNDS" in os.environ else 1_000


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("clients") / "inbox.db"


@pytest.fixture(scope="module")
def server(inbox: Path) -> Generator[Listening, None, None]:
    """One process for all tests of the file: each ends with a delivery that it has to take."""
    with listening(inbox, "--quiet") as running:
        httpx.post(running.url, content=CREATED)
        yield running


def goes_on(server: Listening) -> bool:
    """Whether a delivery is still taken."""
    return httpx.post(server.url, content=CREATED).status_code == 204


def flood(address: tuple[str, int], first: bytes, part: bytes, limit: int) -> int:
    """Send a part again and again until the server closes the connection; how much was sent."""
    sent = 0
    with socket.create_connection(address, timeout=240) as client, contextlib.suppress(ConnectionError):
        client.sendall(first)
        while sent < limit:
            client.sendall(part)
            sent += len(part)
    return sent


def test_a_body_that_declares_a_gigabyte_is_turned_away_before_it_is_read(server: Listening) -> None:
    assert server.ask(head(1 << 30)).startswith(b"HTTP/1.1 413")
    assert server.ask(head(10**19)).startswith((b"HTTP/1.1 413", b"HTTP/1.1 400"))
    assert server.ask(head(1 << 30, "expect: 100-continue")).startswith(b"HTTP/1.1 413")
    assert goes_on(server)


def test_a_body_that_is_streamed_without_end_takes_bounded_memory(server: Listening) -> None:
    before = server.rss()
    chunked = head(0).replace(b"content-length: 0", b"transfer-encoding: chunked")
    sent = flood(server.address, chunked, b"10000\r\n" + b"x" * 65536 + b"\r\n", 1 << 30)
    assert sent < 64 * MB
    sent = flood(server.address, head(1 << 30), b"x" * 65536, 1 << 30)
    assert sent < 64 * MB
    assert server.rss() - before < 48 * MB
    assert goes_on(server)


def test_a_body_somewhat_over_the_limit_gets_its_answer(server: Listening) -> None:
    assert server.ask(head(2 * MB), b"x" * (2 * MB)).startswith(b"HTTP/1.1 413")
    assert server.ask(head(MB), b"x" * MB).startswith(b"HTTP/1.1 204")


def test_a_head_without_end_takes_bounded_memory(server: Listening) -> None:
    before = server.rss()
    start = b"POST /webhook HTTP/1.1\r\nhost: x\r\n"
    for first, part in ((start + b"x: ", b"y" * 65536), (start, b"x: y\r\n" * 10_000), (b"POST /", b"a" * 65536)):
        sent = flood(server.address, first, part, 1 << 30)
        assert sent < 64 * MB
    assert server.rss() - before < 48 * MB
    assert goes_on(server)


@pytest.mark.parametrize(
    "request_",
    [
        head(5, "content-length: 6") + b"{}   ",
        head(5, "transfer-encoding: chunked") + b"0\r\n\r\n",
        head(-1),
        head("five"),
        head(0, "x: a\x00b"),
        head(0, "x : y"),
        head(0, "bad name\x01: y"),
        head(0, method="post"),
        head(0, path="webhook"),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100,
        b"\r\n" * 10 + b"nonsense\r\n\r\n",
        b"POST /webhook HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_what_is_not_http_is_a_400_and_stores_nothing(server: Listening, inbox: Path, request_: bytes) -> None:
    before = len(stored(inbox))
    assert server.ask(request_).startswith((b"HTTP/1.1 400", b"HTTP/1.0 400")) or server.ask(request_) == b""
    assert len(stored(inbox)) == before
    assert goes_on(server)


def test_hostile_paths_and_headers_are_answered(server: Listening) -> None:
    for path in (
        "//webhook",
        "/webhook/../webhook",
        "/%00",
        "/%ff%fe",
        "/webhook%2f",
        "/" + "a" * 30_000,
        "http://x/webhook",
    ):
        status = server.ask(head(0, path=path)).split(b" ")[1]
        assert status in (b"404", b"403", b"400") or path == "http://x/webhook", path
    upgrade = (
        "connection: upgrade",
        "upgrade: websocket",
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
        "x: \u00ff\u00fe",
    )
    with server.connect() as client:
        client.sendall(head(2, *upgrade).replace(b"connection: close\r\n", b"") + b"{}")
        assert client.recv(100).startswith(b"HTTP/1.1 204")
    assert goes_on(server)


def test_a_body_that_is_cut_is_not_stored(server: Listening, inbox: Path) -> None:
    before = len(stored(inbox))
    for part in (b"", b"{", CREATED[:-1]):
        with server.connect() as client:
            client.sendall(head(len(CREATED)) + part)
            client.shutdown(socket.SHUT_WR)
            assert client.recv(100) == b""
    assert len(stored(inbox)) == before
    assert goes_on(server)


def flooding() -> dict[str, bytes]:
    """Bodies near the limit of size, full of one thing."""
    size = MB - 10_000
    names = b",".join(b'"%x":0' % number for number in range(size // 11))
    wrong = b",".join([b'{"id":0}'] * (size // 9))
    account = b'{"id":"%07d","bankAccountId":"%07d"}'
    return {
        "nesting": b"[" * size,
        "names": b"{" + names + b"}",
        "names of an event": CREATED[:-1] + b"," + names + b"}",
        "one name": b"{" + b",".join([b'"a":0'] * (size // 6)) + b"}",
        "escapes": b'{"event":"' + b"\\u0041" * (size // 6) + b'"}',
        "problems": b'{"event":"bank_connections_update_v2","customer":{"connections":[' + wrong + b"]}}",
        "accounts": CREATED[:-1] + b',"accounts":[' + b",".join(account % (one, one) for one in range(size // 48)) + b"]}",
        "digits": b'{"event":' + b"1" * size + b"}",
    }


def test_bodies_full_of_one_thing_take_bounded_time_and_memory(server: Listening, inbox: Path) -> None:
    before, bodies = server.rss(), flooding()
    had = len(stored(inbox))
    for what, body in [*bodies.items()] * 3:
        assert len(body) < MB, what
        assert httpx.post(server.url, content=body, timeout=240).status_code == 204, what
        assert httpx.get(f"{server.root}/", timeout=240).status_code == 200, what
    kept = stored(inbox)[had:]
    assert [one.body for one in kept] == [*bodies.values()] * 3
    assert max(len(one.findings) for one in kept) <= 101
    for one in kept[: len(bodies)]:
        assert httpx.get(f"{server.root}/delivery/{one.number}?values=1", timeout=240).status_code == 200
    assert server.rss() - before < 160 * MB
    assert goes_on(server)


def test_requests_in_one_go_are_answered_one_after_another(server: Listening) -> None:
    one = head(2).replace(b"connection: close\r\n", b"") + b"{}"
    answered = server.ask(one * 8 + head(2) + b"{}")
    assert answered.count(b"HTTP/1.1 204") == 9


def test_connections_come_and_go(server: Listening, inbox: Path) -> None:
    httpx.post(server.url, content=CREATED)
    before, had = server.rss(), len(stored(inbox))
    acknowledged = 0
    for number in range(CONNECTIONS):
        with server.connect() as client, contextlib.suppress(ConnectionError):
            if number % 4 == 0:
                client.sendall(head(100)[: number % 60])  # cut, wherever
            elif number % 4 == 1:
                client.sendall(head(len(CREATED)) + CREATED[:10])
            else:
                client.sendall(head(len(CREATED)) + CREATED)
                acknowledged += client.recv(100).startswith(b"HTTP/1.1 204")
    assert acknowledged == CONNECTIONS // 2
    assert len(stored(inbox)) == had + acknowledged
    assert server.rss() - before < 48 * MB
    assert goes_on(server)


@contextlib.contextmanager
def serving(receiver: Receiver) -> Generator[socket.socket, None, None]:
    """Serve in a thread of this process, at the socket that is given."""
    ready = threading.Event()
    with _server.bind("127.0.0.1", 0) as listener:
        server = _server.Server(receiver, listener, on_started=ready.set)
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            assert ready.wait(30)
            yield listener
        finally:
            server.stop()
            thread.join()


def received(listener: socket.socket, part: bytes) -> bytes:
    """Send the part, then nothing more; what comes until the connection is closed."""
    got = b""
    with socket.create_connection(listener.getsockname(), timeout=30) as slow:
        slow.sendall(part)
        while more := slow.recv(65536):
            got += more
    return got


def test_who_keeps_a_connection_waiting_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = MemoryInbox()
    with monkeypatch.context() as patched, serving(Receiver(inbox, verify=anyone)) as listener:
        patched.setattr(_server, "HEAD_SECONDS", 0.05)
        assert received(listener, b"") == received(listener, b"POST /web") == b""
    with serving(Receiver(inbox, verify=anyone, timeout=0.05)) as listener:
        assert received(listener, head(10) + b"{").startswith(b"HTTP/1.1 408")
    assert inbox.stored == []


def test_others_are_served_while_connections_are_kept_waiting() -> None:
    inbox = MemoryInbox()
    with serving(Receiver(inbox, verify=anyone)) as listener, contextlib.ExitStack() as opened:
        for part in (b"", b"POST /web", head(10) + b"{"):
            opened.enter_context(socket.create_connection(listener.getsockname(), timeout=30)).sendall(part)
        for _ in range(3):
            assert httpx.post(f"{_server.url_of(listener)}/webhook", content=CREATED).status_code == 204
    assert len(inbox.stored) == 3
