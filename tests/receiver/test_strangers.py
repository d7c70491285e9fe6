# SPDX-License-Identifier: MIT
"""Strangers who reach the port: they fill neither memory nor places, and rightful deliveries are taken meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import re
import resource
import socket
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
import uvicorn

from bankhook.receiver import Receiver, _peers, _requests, _server, anyone, shared_secret, standard_webhooks
from receiver.asked import CREATED
from receiver.listening import Listening, head, listening, stored
from receiver.memory import MemoryInbox
from receiver.test_clients import flood, received, serving

MB = 1 << 20
CHUNKED = head(0).replace(b"content-length: 0", b"transfer-encoding: chunked")
HERE, STRANGER = "127.0.0.3", "127.0.0.2"
"""Not 127.0.0.1, at which other tests look for free ports."""
ANYWHERE = pytest.mark.parametrize("source", [STRANGER, HERE])
SECRET = {"x-secret": "agreed"}


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("strangers") / "inbox.db"


@pytest.fixture(scope="module")
def server(inbox: Path) -> Generator[Listening, None, None]:
    """One process for all tests of the file."""
    options = ("--quiet", "--host", HERE, "--verify", "header:x-secret")
    with listening(inbox, *options, env={"BANKHOOK_SECRET": "agreed"}) as running:
        assert delivered(running)
        yield running


@pytest.fixture(scope="module", autouse=True)
def _many_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if most > 0 else 65_536, most))


def delivered(server: Listening) -> bool:
    """Whether a rightful delivery is taken at its first try."""
    return httpx.post(server.url, content=CREATED, headers=SECRET, timeout=60).status_code == 204


def secret(one: bytes) -> bytes:
    """The same head, with the secret."""
    return one.removesuffix(b"\r\n") + b"x-secret: agreed\r\n\r\n"


@contextlib.contextmanager
def connections(server: Listening, source: str, count: int, part: bytes) -> Generator[None, None, None]:
    """Connections that send this and then nothing."""
    with contextlib.ExitStack() as opened:
        for _ in range(count):
            one = opened.enter_context(socket.create_connection(server.address, 60, (source, 0)))
            with contextlib.suppress(ConnectionError):
                one.sendall(part)
        yield


@pytest.mark.parametrize("part", [b"a: b\r\n" * 10_000, b"a" * 60_000, b"a: " + b"b" * 60_000 + b"\r\n"])
def test_trailers_without_end_take_bounded_memory(server: Listening, part: bytes) -> None:
    before = server.rss()
    for first in (secret(CHUNKED), CHUNKED):
        assert flood(server.address, first + b"2\r\n{}\r\n0\r\n", part, 256 * MB) < 32 * MB
    assert server.rss() - before < 48 * MB
    assert delivered(server)


def test_the_extensions_of_chunks_count_as_trailers_do(server: Listening) -> None:
    for part in (b"1;" + b"a" * 50_000 + b"\r\n{\r\n", b"1;" + b"a" * 60_000):
        assert flood(server.address, secret(CHUNKED), part, 256 * MB) < 32 * MB


def test_a_trailer_is_no_header(server: Listening, inbox: Path) -> None:
    before = len(stored(inbox))
    body = b"%x\r\n%s\r\n0\r\n" % (len(CREATED), CREATED)
    assert server.ask(CHUNKED + body + b"x-secret: agreed\r\n\r\n").startswith(b"HTTP/1.1 401")
    answer = server.ask(secret(CHUNKED) + body + b"user-agent: trailer\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 204")
    kept = stored(inbox)[before:]
    assert [(one.body, one.headers) for one in kept] == [(CREATED, ())]


def test_a_head_in_one_piece_has_the_same_limit(server: Listening) -> None:
    for fields in (["x: " + "y" * 70_000], ["x: y"] * 2_000):
        assert server.ask(head(2, *fields) + b"{}").startswith(b"HTTP/1.1 400")
    assert server.ask(head(2, path="/" + "a" * 70_000) + b"{}").startswith(b"HTTP/1.1 400")
    assert server.ask(secret(head(2, "x: " + "y" * 30_000)) + b"{}").startswith(b"HTTP/1.1 204")


@ANYWHERE
def test_bodies_that_stall_give_way_to_rightful_ones(server: Listening, source: str) -> None:
    part = secret(head(MB)) + b"x" * (MB - 1)
    with connections(server, source, 80, part):
        for _ in range(20):
            assert delivered(server)
        assert server.rss() < 200 * MB


@ANYWHERE
@pytest.mark.parametrize("part", [b"", b"POST /webhook HTTP/1.1\r\n", secret(head(10)) + b"{"])
def test_connections_that_stall_give_way_to_rightful_ones(server: Listening, source: str, part: bytes) -> None:
    with connections(server, source, 2_100, part):
        for _ in range(20):
            assert delivered(server)
        assert server.rss() < 200 * MB


def test_what_headers_alone_can_refuse_is_answered_before_the_body_is_sent(server: Listening) -> None:
    with server.connect() as client:
        client.sendall(head(10))
        assert client.recv(100).startswith(b"HTTP/1.1 401")
    with server.connect() as client:
        client.sendall(secret(head(MB + 1)))
        assert client.recv(100).startswith(b"HTTP/1.1 413")


def test_a_refused_request_is_read_on_and_the_next_one_is_answered(server: Listening) -> None:
    kept = head(10).replace(b"connection: close\r\n", b"")
    answers = server.ask(kept, b"{         ", secret(head(2)) + b"{}")
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"401", b"204"]
    assert (
        flood(
            server.address, CHUNKED.replace(b"connection: close\r\n", b""), b"10000\r\n" + b"x" * 65536 + b"\r\n", 256 * MB
        )
        < 32 * MB
    )


def test_an_old_signature_is_refused_before_the_body_is_sent() -> None:
    verify = standard_webhooks("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    fields = ["webhook-id: 1", "webhook-signature: v1,x"]
    with serving(Receiver(MemoryInbox(), verify=verify)) as listener:
        for field in (f"webhook-timestamp: {int(time.time()) - 301}", "webhook-timestamp: now", "x: y"):
            with socket.create_connection(listener.getsockname(), timeout=30) as client:
                client.sendall(head(10, *fields, field))
                assert client.recv(100).startswith(b"HTTP/1.1 401")


def test_a_body_slower_than_the_least_rate_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_requests, "GRACE_SECONDS", 0.01)
    with serving(Receiver(MemoryInbox(), verify=anyone, timeout=3600)) as listener:
        assert received(listener, head(10) + b"{").startswith(b"HTTP/1.1 408")


@contextlib.contextmanager
def plain_uvicorn(receiver: Receiver, **options: object) -> Generator[socket.socket, None, None]:
    """Serve as `uvicorn app:app` does."""
    with _server.bind("127.0.0.1", 0) as listener:
        config = uvicorn.Config(receiver, log_config=None, **options)  # type: ignore[arg-type]
        served = uvicorn.Server(config)
        thread = threading.Thread(target=served.run, args=([listener],))
        thread.start()
        try:
            yield listener
        finally:
            served.should_exit = True
            thread.join()


def test_plain_uvicorn_has_the_same_limits_with_the_protocol() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=shared_secret(header="x-secret", secret="agreed"))
    with plain_uvicorn(receiver, http="bankhook.receiver:http_protocol") as listener, contextlib.ExitStack() as opened:
        address = listener.getsockname()
        assert received(listener, head(2, "x: " + "y" * 70_000) + b"{}").startswith(b"HTTP/1.1 400")
        chunked = CHUNKED.replace(b"connection: close\r\n", b"")
        assert flood(address, secret(chunked) + b"2\r\n{}\r\n0\r\n", b"a: b\r\n" * 10_000, 256 * MB) < 32 * MB
        for _ in range(_server.PEER_CONNECTIONS + 10):
            opened.enter_context(socket.create_connection(address, 60, (STRANGER, 0)))
        first = opened.enter_context(socket.create_connection(address, 60, (STRANGER, 0)))
        first.sendall(secret(head(2)) + b"{}")
        assert first.recv(100).startswith(b"HTTP/1.1 204")
    assert len(inbox.stored) == 1


def test_the_log_names_the_command_once_if_nobody_has_the_limits(caplog: pytest.LogCaptureFixture) -> None:
    async def post(host: str, **options: Any) -> list[str]:
        receiver = Receiver(MemoryInbox(), verify=anyone, **options)
        transport = httpx.ASGITransport(receiver, client=(host, 1))
        async with receiver.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://receiver") as client:
            for _ in range(2):
                assert (await client.post("/webhook", content=CREATED)).status_code == 204
        return logged()

    def logged() -> list[str]:
        found = [one.levelname for one in caplog.records if "uvicorn --http bankhook.receiver:http_" in one.getMessage()]
        caplog.clear()
        return found

    for host in ("192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"):
        assert asyncio.run(post(host)) == ["ERROR"]
        assert asyncio.run(post(host, limits="elsewhere")) == []
    assert asyncio.run(post("127.0.0.1")) == asyncio.run(post("::1")) == asyncio.run(post("::ffff:127.0.0.1")) == []
    cases: list[tuple[Literal["elsewhere"] | None, list[str]]] = [(None, ["ERROR"]), ("elsewhere", [])]
    for limits, found in cases:
        with plain_uvicorn(Receiver(MemoryInbox(), verify=anyone, limits=limits)) as listener:
            ready = httpx.get(f"{_server.url_of(listener)}/readyz", timeout=60).json()
            assert ready.get("limits", True) is (limits is not None)
            for _ in range(2):
                assert received(listener, head(2) + b"{}").startswith(b"HTTP/1.1 204")
        assert logged() == found
    with plain_uvicorn(Receiver(MemoryInbox(), verify=anyone), http="bankhook.receiver:http_protocol") as listener:
        assert received(listener, head(2) + b"{}").startswith(b"HTTP/1.1 204")
    assert logged() == []


def test_a_secret_in_a_trailer_is_refused_under_plain_uvicorn() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=shared_secret(header="x-secret", secret="agreed"), headers=("user-agent",))
    with plain_uvicorn(receiver) as listener:
        body = b"%x\r\n%s\r\n0\r\n" % (len(CREATED), CREATED)
        assert received(listener, CHUNKED + body + b"x-secret: agreed\r\n\r\n").startswith(b"HTTP/1.1 401")
        answer = received(listener, secret(CHUNKED) + body + b"user-agent: trailer\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 204")
    assert [(one.body, one.headers) for one in inbox.stored] == [(CREATED, ())]


def test_the_setting_of_proxies_of_uvicorn_may_name_something_else_than_addresses() -> None:
    for setting in ("", "unix:", "nginx, 127.0.0.1", ["proxy", "::ffff:10.0.0.5"]):
        receiver = Receiver(MemoryInbox(), verify=anyone)
        with plain_uvicorn(receiver, http="bankhook.receiver:http_protocol", forwarded_allow_ips=setting) as listener:
            assert received(listener, head(2) + b"{}").startswith(b"HTTP/1.1 204")


def test_a_peer_is_an_address_or_the_network_of_an_ipv6_client() -> None:
    trusted = _peers.Trusted(["192.0.2.0/24", "2001:db8:1::1"])
    assert trusted.peer_of("198.51.100.7") == trusted.peer_of("::ffff:198.51.100.7") == "198.51.100.7"
    assert trusted.peer_of("2001:db8::1") == trusted.peer_of("2001:db8::2%eth0") == "2001:db8::/64"
    assert trusted.peer_of("192.0.2.9") == trusted.peer_of("2001:db8:1::1") == trusted.peer_of("testclient") == ""
    assert _peers.Trusted(["*"]).peer_of("198.51.100.7") == ""
