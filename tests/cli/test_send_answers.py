# SPDX-License-Identifier: MIT
"""`bankhook send` and servers that answer wrongly, late, without end, or not at all."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler

from cli.command import objects, run
from cli.server import receiving, status


def test_an_answer_that_is_not_2xx_makes_the_status_1() -> None:
    with receiving(lambda handler, number: status(handler, 503 if number == 3 else 200)) as receiver:
        done = run("send", receiver.url, "-n", "10")
    assert done.status == 1
    assert "9 answered 200, 1 answered 503" in done.out


def test_a_redirect_is_not_followed() -> None:
    with receiving(lambda handler, number: status(handler, 307, location="/elsewhere")) as receiver:
        done = run("send", receiver.url, "--event", "created")
    assert (done.status, len(receiver.requests)) == (1, 1)
    assert "1 answered 307" in done.out


def test_a_server_that_does_not_answer_in_time_is_a_timeout() -> None:
    over = threading.Event()
    with receiving(lambda handler, number: over.wait(60)) as receiver:
        (line, summary) = objects(run("send", receiver.url, "--event", "created", "--timeout", "1", "--json"))
        over.set()
    assert (line["status"], line["problem"]) == (None, "timeout")
    assert summary["problems"] == {"timeout": 1}


def test_a_server_that_speaks_no_http_gives_no_answer() -> None:
    with receiving(
        lambda handler, number: handler.wfile.write(b"\x1b[2Jnothing\r\n") and handler.connection.close()
    ) as receiver:
        done = run("send", receiver.url, "--event", "created")
    assert done.status == 1
    assert "no answer" in done.out
    assert "\x1b" not in done.out + done.err


def test_an_endless_answer_is_not_read_to_its_end() -> None:
    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b"x" * 65536)
        except OSError:
            handler.close_connection = True

    with receiving(answer) as receiver:
        assert run("send", receiver.url, "-n", "3", "--timeout", "60").status == 0


def test_a_server_that_is_not_there_is_no_connection() -> None:
    with receiving() as receiver:
        pass
    done = run("send", receiver.url, "-n", "2")
    assert done.status == 1
    assert "2 without an answer: no connection" in done.out
