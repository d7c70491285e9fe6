# SPDX-License-Identifier: MIT
"""The command `listen`: what it refuses, prints and stores."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shlex
import sqlite3
from html import unescape
from pathlib import Path

import httpx
import pytest

import bankhook
from cli.command import run
from installed import need_packages
from receiver.asked import CREATED
from receiver.listening import free_port, listening, stored

EVENT = bankhook.InitialTransactionUpdate.from_json(CREATED)
MEMBER = EVENT.customer.id
ABOUT = f" of {EVENT.initial_transaction.id}, member {MEMBER}"


def test_what_was_acknowledged_is_in_the_inbox_and_a_signal_ends_it_in_order(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db") as server:
        assert httpx.post(server.url, content=CREATED).status_code == 204
        assert httpx.post(server.url, content=b"no event").status_code == 204
        assert httpx.get(f"{server.root}/readyz").json() == {"store": True}  # listen runs no handlers
        assert re.search(r'bankhook_answers_total{pid="\d+",status="204"} 2.0', httpx.get(f"{server.root}/metrics").text)
        assert server.line(r" 1 (pending .*)") == f"pending     initial_transaction_update created{ABOUT}"
        assert server.line(r" 2 (quarantined .*)") == "quarantined payload_is_json_object, 8 bytes"
        assert server.stop() == 0
    assert [(one.number, one.body) for one in stored(tmp_path / "inbox.db")] == [(1, CREATED), (2, b"no event")]


def test_a_type_that_is_not_listed_is_printed_as_unknown(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db") as server:
        httpx.post(server.url, content=CREATED.replace(b'"eventType":"created"', b'"eventType":"Jean"'))
        assert server.line(r" 1 (pending .*)") == f"pending     initial_transaction_update (unknown type){ABOUT}"


def test_values_are_printed_only_if_they_are_asked_for(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db", "--show-values") as server:
        httpx.post(server.url, content=CREATED.replace(b'"eventType":"created"', b'"eventType":"Jean"'))
        httpx.post(server.url, content=b'{"event":"new \\u001b[31m\\nline"}')
        assert server.line(r" 1 (pending .*)") == f"pending     initial_transaction_update Jean{ABOUT}"
        assert server.line(r" 2 (pending .*)") == "pending     new �[31m�line"


def test_ids_that_a_terminal_would_obey_are_printed_as_text(tmp_path: Path) -> None:
    with listening(tmp_path / "inbox.db") as server:
        httpx.post(server.url, content=CREATED.replace(MEMBER.encode(), b"m\\u001b[2J\\n" + b"x" * 500))
        assert server.line(r" 1 (pending .*)").endswith("member m�[2J�" + "x" * 74)


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


def test_the_line_that_the_page_of_an_empty_inbox_shows_delivers(tmp_path: Path) -> None:
    (tmp_path / "FILE").write_text("agreed")
    options = [
        "--verify",
        "hmac:X-Hub-Signature-256,prefix=sha256=",
        "--secret-file",
        str(tmp_path / "FILE"),
        "--path",
        "/bank",
    ]
    with listening(tmp_path / "inbox.db", *options) as server:
        shown = [unescape(one) for one in re.findall("<code>(.*?)</code>", httpx.get(f"{server.root}/").text)]
        assert shown[0] == server.url
        program, *words = shlex.split(shown[1].replace("FILE", str(tmp_path / "FILE")))
        done = run(*words)
        assert (program, done.status) == ("bankhook", 0), done.err
    assert len(stored(tmp_path / "inbox.db")) >= 20


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
