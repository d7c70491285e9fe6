# SPDX-License-Identifier: MIT
"""The command `listen`: what it refuses, prints, stores and passes on."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import re
import sqlite3
from pathlib import Path

import httpx
import pytest

import bankhook
import bankhook.inbox
from bankhook.receiver import _forwarding, running
from cli.command import run
from inbox.history import HANGS
from installed import need_packages
from receiver.asked import CREATED
from receiver.listening import free_port, listening, stored

MEMBER = bankhook.parse(CREATED).customer.id  # type: ignore[union-attr]  # a listed event


def test_what_was_acknowledged_is_in_the_inbox_and_a_signal_ends_it_in_order(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db") as server:
        assert httpx.post(server.url, content=CREATED).status_code == 204
        assert httpx.post(server.url, content=b"no event").status_code == 204
        assert httpx.get(f"{server.root}/readyz").json() == {"store": True}  # listen runs no handlers
        assert re.search(r'bankhook_answers_total{pid="\d+",status="204"} 2.0', httpx.get(f"{server.root}/metrics").text)
        assert server.line(r" 1 (pending .*)") == "pending     initial_transaction_update created"
        assert server.line(r" 2 (quarantined .*)") == "quarantined payload_is_json_object, 8 bytes"
        assert server.stop() == 0
        assert MEMBER not in "".join(server.lines)
    assert [(one.number, one.body) for one in stored(tmp_path / "inbox.db")] == [(1, CREATED), (2, b"no event")]


def test_a_type_that_is_not_listed_is_printed_as_unknown(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db") as server:
        httpx.post(server.url, content=CREATED.replace(b'"eventType":"created"', b'"eventType":"Jean"'))
        assert server.line(r" 1 (pending .*)") == "pending     initial_transaction_update (unknown type)"


def test_values_are_printed_only_if_they_are_asked_for(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db", "--show-values") as server:
        httpx.post(server.url, content=CREATED)
        httpx.post(server.url, content=b'{"event":"new \\u001b[31m\\nline"}')
        assert server.line(r" 1 (pending .*)").endswith(f"member {MEMBER}")
        assert server.line(r" 2 (pending .*)") == "pending     new �[31m�line"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--host", "0.0.0.0"], "anyone who reaches it could deliver"),
        (["--host", "::"], "anyone who reaches it could deliver"),
        (["--verify", "header:X-Secret"], "needs a secret"),
        (["--verify", "magic"], "expected header:NAME"),
        (["--secret-file", __file__, "--verify", "magic"], "expected header:NAME"),
        (["--secret-file", __file__], "needs a --verify"),
        (["--secret-file", __file__, "--verify", "anyone"], "needs a --verify"),
        (["--secret-file", __file__, "--verify", "standard-webhooks"], "base64"),
        (["--forward-to", "http://192.0.2.1/x"], "--allow-remote"),
        (["--forward-to", "ftp://127.0.0.1/x"], "expected http://HOST/PATH"),
        (["--path", "webhook"], "starts with /"),
        (["--inbox", "mysql://x"], "mysql"),
        (["--spool", "spool.db"], "beside an inbox on PostgreSQL"),
        (["--trusted-proxy", "nginx"], "does not appear to be an IPv4 or IPv6 network"),
    ],
)
def test_what_cannot_work_or_is_not_safe_is_wrong_usage(arguments: list[str], reason: str) -> None:
    done = run("listen", "--port", "0", *arguments)
    assert done.status == 2
    assert reason in " ".join(done.err.split())


def test_a_secret_that_is_not_utf_8_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"\xff\xfe")
    done = run("listen", "--port", "0", "--verify", "header:x-secret", "--secret-file", str(tmp_path / "secret"))
    assert (done.status, "the file is not UTF-8" in done.err, "Traceback" in done.err) == (2, True, False)


def test_an_inbox_that_cannot_be_opened_ends_it_without_the_password(tmp_path: Path) -> None:
    done = run("listen", "--port", "0", "--inbox", str(tmp_path / "no folder" / "inbox.db"))
    assert (done.status, "cannot open the inbox" in done.err) == (2, True)
    for url in ("postgresql://me:hidden@127.0.0.1:1/x", "postgresql://127.0.0.1:1/x?user=me&password=hidden"):
        done = run("listen", "--port", "0", "--inbox", url)
        assert (done.status, "hidden" in done.err + done.out) == (2, False)


def test_a_spool_takes_what_is_delivered_while_postgresql_does_not_answer(tmp_path: Path) -> None:
    need_packages("psycopg")
    url = f"postgresql://test@127.0.0.1:{free_port()}/test"
    with listening(url, "--spool", str(tmp_path / "spool.db")) as server:
        assert httpx.post(server.url, content=CREATED).status_code == 204
        assert server.line(r" -1 (pending .*)")
    with contextlib.closing(sqlite3.connect(tmp_path / "spool.db")) as spool:
        assert spool.execute("select body from bankhook_deliveries").fetchall() == [(CREATED,)]


def test_a_port_that_is_taken_is_an_error(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db") as server:
        done = run("listen", "--port", str(server.address[1]), "--inbox", str(tmp_path / "other.db"))
        port = server.address[1]
        assert done.status == 2
        assert " ".join(done.err.split()).endswith(
            f"cannot listen at 127.0.0.1, port {port}: {os.strerror(errno.EADDRINUSE)}; choose another --port"
        )


def test_with_a_secret_it_may_listen_anywhere_and_serves_no_page(tmp_path: Path) -> None:
    secret = {"BANKHOOK_SECRET": "agreed"}
    with listening(tmp_path / "inbox.db", "--host", "0.0.0.0", "--verify", "header:X-Secret", env=secret) as server:
        url = f"http://127.0.0.1:{server.address[1]}"
        assert httpx.post(f"{url}/webhook", content=CREATED).status_code == 401
        assert httpx.post(f"{url}/webhook", content=CREATED, headers={"x-secret": "agreed"}).status_code == 204
        assert httpx.get(f"{url}/").status_code == 404
    assert len(stored(tmp_path / "inbox.db")) == 1


def test_it_may_be_opened_for_anyone_but_web_pages(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db", "--host", "0.0.0.0", "--verify", "anyone") as server:
        url = f"http://127.0.0.1:{server.address[1]}/webhook"
        assert httpx.post(url, content=CREATED).status_code == 204
        assert httpx.post(url, content=CREATED, headers={"origin": "http://evil.example"}).status_code == 401


def test_a_web_page_cannot_deliver_to_a_receiver_on_loopback(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db") as server:
        for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
            assert httpx.post(server.url, content=CREATED, headers=headers).status_code == 401
        server.line("turned away with 401: a web page sent it, and senders are not authenticated$")
        assert server.stop() == 0
        server.line(r"turned away with 401: .* \(repeated: 2\)")
    assert sum("turned away" in one for one in server.lines) == 2
    assert stored(tmp_path / "inbox.db") == []


def test_deliveries_are_passed_on_verbatim_after_they_are_stored(tmp_path: Path) -> None:
    with running(answer_invalid=422) as target, listening(tmp_path / "inbox.db", "--forward-to", target.url) as server:
        httpx.post(server.url, content=CREATED, headers={"content-type": "application/json"})
        httpx.post(server.url, content=b"no event")
        assert [one.body for one in target.wait(2)] == [CREATED, b"no event"]
        assert dict(target.deliveries[0].headers)["content-type"] == "application/json"
        assert server.line(r" 1 forwarded: (\d+) in") == "204"
        assert server.line(r" 2 forwarded: (\d+) in") == "422"


def test_a_target_that_is_gone_does_not_stop_receiving(tmp_path: Path) -> None:
    with running() as target:
        url = target.url
    with listening(tmp_path / "inbox.db", "--forward-to", url) as server:
        assert httpx.post(server.url, content=CREATED).status_code == 204
        assert server.line(r" 1 not forwarded: (\w+)") == "ConnectError"
        assert httpx.post(server.url, content=CREATED).status_code == 204


def test_a_button_of_a_delivery_sends_it_to_the_target_again(tmp_path: Path) -> None:
    with running() as target, listening(tmp_path / "inbox.db", "--forward-to", target.url) as server:
        httpx.post(server.url, content=CREATED)
        target.wait(1)
        page = server.url.removesuffix("/webhook")
        assert "Send again" in httpx.get(f"{page}/delivery/1").text
        answer = httpx.post(f"{page}/send", data={"number": "1"}, headers={"origin": page})
        assert (answer.status_code, answer.headers["location"]) == (303, "/delivery/1")
        assert [one.body for one in target.wait(2)] == [CREATED, CREATED]
        assert httpx.post(f"{page}/send", data={"number": "1"}).status_code == 403
        assert httpx.post(f"{page}/send", data={"number": "7"}, headers={"origin": page}).status_code == 303
    with listening(tmp_path / "inbox.db") as server:
        assert "Send again" not in httpx.get(f"{server.url.removesuffix('/webhook')}/delivery/1").text


def test_receivers_that_forward_to_each_other_make_no_loop(tmp_path: Path) -> None:
    port = free_port()
    with (
        listening(tmp_path / "first.db", "--forward-to", f"http://127.0.0.1:{port}/webhook") as first,
        listening(tmp_path / "second.db", "--port", str(port), "--forward-to", first.url) as second,
    ):
        httpx.post(first.url, content=CREATED)
        assert first.line(r" 1 forwarded: (\d+) in") == "204"
        assert second.line(r" 1 not forwarded: (.+)") == "it was forwarded to here"
    assert [one.body for one in stored(tmp_path / "first.db")] == [CREATED]


def test_a_target_that_answers_a_byte_now_and_then_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_forwarding, "SECONDS", 0.5)

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            while True:
                writer.write(b"x: y\r\n")
                await writer.drain()
                await asyncio.sleep(0.05)

    async def forwarded() -> str:
        said: asyncio.Queue[str] = asyncio.Queue()
        server = await asyncio.start_server(drip, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server, _forwarding.Forwarder(url, lambda _, line: said.put_nowait(line)) as forwarder:
            forwarder.forward(1, bankhook.inbox.examine(CREATED))
            return await asyncio.wait_for(said.get(), HANGS)

    assert asyncio.run(forwarded()).startswith("not forwarded: TimeoutError; ")


def test_a_cookie_of_the_target_does_not_come_back_to_it() -> None:
    async def forward() -> list[bytes]:
        heads, said = list[bytes](), asyncio.Queue[str]()

        async def set_cookie(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(set_cookie, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server, _forwarding.Forwarder(url, lambda _, line: said.put_nowait(line)) as forwarder:
            for number in (1, 2):
                forwarder.forward(number, bankhook.inbox.examine(CREATED))
                assert (await asyncio.wait_for(said.get(), HANGS)).startswith("forwarded: 200")
        return heads

    first, second = asyncio.run(forward())
    assert b"cookie" not in first.lower() + second.lower()
