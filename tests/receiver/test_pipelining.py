# SPDX-License-Identifier: MIT
"""Requests that are sent before the earlier ones are answered, and answers that are not read: they hold up nobody."""

from __future__ import annotations

import contextlib
import logging
import re
import resource
import socket
import struct
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bankhook.receiver import Receiver, _server, anyone
from receiver.listening import Listening, head, listening, stored
from receiver.memory import MemoryInbox
from receiver.test_clients import serving
from receiver.test_strangers import ANYWHERE, CHUNKED, HERE, MB, connections, delivered, secret


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pipelining") / "inbox.db"


@pytest.fixture(scope="module")
def server(inbox: Path) -> Generator[Listening, None, None]:
    """One process for all tests of the file."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if most > 0 else 65_536, most))
    options = ("--quiet", "--host", HERE, "--verify", "header:x-secret")
    with listening(inbox, *options, env={"BANKHOOK_SECRET": "agreed"}) as running:
        assert delivered(running)
        yield running


def pipelined(server: Listening, requests: bytes) -> list[bytes]:
    """The answers to requests that are sent at once, until the connection is closed."""
    answered = server.ask(requests)
    return re.findall(rb"HTTP/1.1 (\d+)", answered)


def test_requests_that_wait_for_answers_have_a_limit_and_those_before_are_answered(server: Listening, inbox: Path) -> None:
    one = secret(head(2)).replace(b"connection: close\r\n", b"") + b"{}"
    last = secret(head(2)) + b"{}"
    for count in (1, 5, 9):
        before = len(stored(inbox))
        assert pipelined(server, one * (count - 1) + last) == [b"204"] * count
        assert len(stored(inbox)) == before + count
    before = len(stored(inbox))
    answered = server.ask(one * 49 + last)
    assert re.findall(rb"HTTP/1.1 (\d+)", answered) == [b"204"] * 9
    assert answered.count(b"connection: close") == 1
    assert len(stored(inbox)) == before + 9
    get = b"GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n"
    assert pipelined(server, get * 5000) == [b"404"] * 9


def test_what_is_right_is_answered_if_garbage_follows(server: Listening, inbox: Path) -> None:
    right = secret(head(2)).replace(b"connection: close\r\n", b"") + b"{}"
    broken = secret(CHUNKED) + b"2\r\n{}\r\nnonsense\r\n"
    for garbage in (b"garbage\r\n\r\n", b"\x00" * 100, b"POST /webhook HTTP/9.9\r\n\r\n", broken):
        for count in (1, 3):
            before = len(stored(inbox))
            assert pipelined(server, right * count + garbage) == [b"204"] * count
            assert len(stored(inbox)) == before + count
    assert pipelined(server, broken) == [b"400"]
    with server.connect() as client:
        client.sendall(right)
        assert client.recv(100).startswith(b"HTTP/1.1 204")
        client.sendall(b"garbage\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 400")


GETS = b"".join(b"GET %s HTTP/1.1\r\nhost: x\r\n\r\n" % path for path in (b"/metrics", b"/healthz", b"/", b"/nowhere"))


@ANYWHERE
@pytest.mark.parametrize("part", [GETS, head(2).replace(b"connection: close\r\n", b"") + b"{}"])
def test_pipelined_requests_hold_up_nobody(server: Listening, source: str, part: bytes) -> None:
    flooding = part * (250_000 // len(part))
    with connections(server, source, 50, flooding):
        for _ in range(20):
            assert delivered(server)
        assert server.rss() < 200 * MB


def silent(server: Listening, source: str, part: bytes) -> socket.socket:
    """A connection that sends this and reads nothing."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.bind((source, 0))
    client.settimeout(60)
    client.connect(server.address)
    with contextlib.suppress(ConnectionError):
        client.sendall(part)
    return client


def test_answers_that_nobody_reads_hold_up_nobody(server: Listening) -> None:
    part = b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n" * 400
    with contextlib.ExitStack() as opened:
        for number in range(1600):
            opened.enter_context(silent(server, f"127.0.1.{number // 200}", part))
            if number % 100 == 0:
                assert delivered(server)
        for _ in range(20):
            assert delivered(server)
        assert server.rss() < 200 * MB


@pytest.mark.parametrize("last", [b"", b"connection: close\r\n"])
def test_an_answer_that_is_not_read_ends_the_connection(monkeypatch: pytest.MonkeyPatch, last: bytes) -> None:
    monkeypatch.setattr(_server, "UNREAD_SECONDS", 0.05)

    async def large(request: Request) -> Response:
        return PlainTextResponse("x" * (32 << 20))

    receiver = Receiver(MemoryInbox(), verify=anyone)._serve_beside([Route("/large", large)])
    with serving(receiver) as listener, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.settimeout(60)
        client.connect(listener.getsockname())
        client.sendall(b"GET /large HTTP/1.1\r\nhost: x\r\n" + last + b"\r\n")
        time.sleep(1)
        got = 0
        with contextlib.suppress(ConnectionError):
            while part := client.recv(1 << 16):
                got += len(part)
        assert got < 32 << 20


def test_senders_that_leave_before_their_answers_are_no_error_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with serving(Receiver(MemoryInbox(), verify=anyone)) as listener:
        for number in range(60):
            with socket.create_connection(listener.getsockname(), 60) as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.sendall((head(2).replace(b"connection: close\r\n", b"") + b"{}") * 5)
                time.sleep(0.002 * (number % 3))
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []


def test_idle_connections_cost_no_delivery_its_place(server: Listening) -> None:
    with contextlib.ExitStack() as opened:
        for number in range(2500):
            opened.enter_context(socket.create_connection(server.address, 60, (f"127.0.2.{number // 250}", 0)))
            if number % 50 == 0:
                assert delivered(server)
