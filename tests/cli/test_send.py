# SPDX-License-Identifier: MIT
"""`bankhook send`: what arrives at a real server, and what is printed of its answers."""

from __future__ import annotations

import gzip
import signal
import subprocess
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

import bankhook
from bankhook.cli.emissions import EMISSIONS, emitting_sandbox
from bankhook.inbox import salvage
from cli.command import COMMAND, clean_archive, faulty_archive, objects, run, shaped
from cli.server import receiving, status

SECRET = "s3cret-value"


def payloads(count: int, seed: int = 0, faults: float = 0) -> list[bytes]:
    return [delivery.payload for delivery in bankhook.Sandbox(seed, faults=faults).deliveries(count)]


@pytest.mark.parametrize("name", EMISSIONS)
def test_each_event_has_the_type_that_its_name_says(name: str) -> None:
    types = {"create": "create", "delete": "delete", "disable": "delete", "created": "created"}
    types |= {"validated": "validated", "rejected": "rejected"}
    for seed in range(50):
        event = EMISSIONS[name](sandbox := emitting_sandbox(seed, 3), sandbox.member(1))
        assert event.event_type == types.get(name, "update")
        assert event.customer.id == sandbox.member(1).id
        assert bankhook.is_clean(event.to_json())


def test_every_event_type_of_the_specification_can_be_sent() -> None:
    types = {*map(str, bankhook.ConnectionEventType), *map(str, bankhook.TransactionStatus)}
    assert types <= set(EMISSIONS)


def test_an_event_that_stands_alone_has_no_id_of_the_history_of_its_seed() -> None:
    history = b"".join(payloads(500))
    for name, emit in EMISSIONS.items():
        event = emit(sandbox := emitting_sandbox(0, 100), sandbox.member(0))
        ids = salvage(event.to_json())
        assert (ids.connection or ids.transaction or "").encode() not in history, name


def test_one_event_is_sent_as_it_was_asked_for() -> None:
    with receiving() as receiver:
        done = run("send", receiver.url, "--event", "rejected", "--member", "m-1")
    assert (done.status, done.err) == (0, "")
    ((path, headers, body),) = receiver.requests
    event = bankhook.InitialTransactionUpdate.from_json(body)
    assert (path, headers["content-type"]) == ("/webhook?key=1", "application/json")
    assert (event.event_type, event.customer.id) == ("rejected", "m-1")
    line, summary = done.out.splitlines()
    assert line.split()[:4] == ["1", "initial_transaction_update", event.initial_transaction.id, "204"]
    assert "1 answered 204" in summary


def test_a_history_arrives_in_its_order() -> None:
    with receiving() as receiver:
        done = run("send", receiver.url, "-n", "50", "--seed", "9")
    assert (done.status, done.err) == (0, "")
    assert receiver.bodies == payloads(50, 9)
    assert [line.split()[0] for line in done.out.splitlines()[:-1]] == [str(number) for number in range(1, 51)]


def test_a_history_with_faults_arrives_once_each() -> None:
    with receiving() as receiver:
        done = run("send", receiver.url, "-n", "200", "--faults", "0.1", "--json")
    assert receiver.bodies == payloads(200, faults=0.1)
    *lines, summary = shaped("answers", objects(done))
    assert [line["number"] for line in lines] == list(range(1, 201))
    assert (summary["sent"], summary["answers"], summary["problems"]) == (200, {"204": 200}, {})


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_an_archive_is_sent_line_by_line_rejected_ones_too(pack: type[bytes], tmp_path: Path) -> None:
    archive = faulty_archive()
    (tmp_path / "a.ndjson").write_bytes(pack(archive))
    lines = [line for line in archive.split(b"\n") if line.strip()]
    with receiving() as receiver:
        assert run("send", receiver.url, tmp_path / "a.ndjson").status == 0
        first = list(receiver.bodies)
        assert run("send", receiver.url, "-", stdin=pack(archive)).status == 0
    assert first == receiver.bodies[len(first) :]
    assert [body.strip() for body in first] == [line.strip() for line in lines]


def test_a_file_can_be_sent_in_part(tmp_path: Path) -> None:
    lines = clean_archive().splitlines()
    (tmp_path / "a.ndjson").write_bytes(b"\n".join(lines))
    member = salvage(lines[3]).member
    assert member is not None
    of_member = [line for line in lines if salvage(line).member == member]
    with receiving() as receiver:
        assert run("send", receiver.url, tmp_path / "a.ndjson", "-n", "7").status == 0
        assert receiver.bodies == lines[:7]
        assert run("send", receiver.url, tmp_path / "a.ndjson", "--member", member).status == 0
        assert receiver.bodies[7:] == of_member
        assert run("send", receiver.url, "--seed", "5", "--members", "10", "-n", "3", "--member", member).status == 0
        assert {salvage(body).member for body in receiver.bodies[-3:]} == {member}


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(clean_archive())[:-20])
    with receiving() as receiver:
        for name in ("missing.ndjson", "cut.gz"):
            done = run("send", receiver.url, tmp_path / name)
            assert done.status == 2
            assert name in done.err


def test_headers_are_sent_and_never_printed() -> None:
    given = ("--header", f"X-Signature: {SECRET}", "--header", "content-type:text/plain", "--header", "X-Signature:2")
    with receiving() as receiver:
        done = run("send", receiver.url, "--event", "created", *given)
    assert done.status == 0
    assert receiver.requests[0].headers["content-type"] == "text/plain"
    assert receiver.requests[0].headers["x-signature"] in (SECRET, "2")
    assert SECRET not in done.out + done.err


@pytest.mark.parametrize(
    "header", ["nothing", "a b: c", "host: x", "content-length: 3", f"x: {SECRET}\x1b", f"x:{SECRET}é"]
)
def test_a_header_that_cannot_be_sent_is_wrong_usage(header: str) -> None:
    done = run("send", "http://127.0.0.1:9/", "--header", header)
    assert (done.status, done.out) == (2, "")
    assert SECRET not in done.err


def test_a_proxy_of_the_environment_is_not_used() -> None:
    with receiving() as receiver:
        done = run(
            "send", receiver.url, "-n", "2", env={"HTTP_PROXY": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9"}
        )
    assert (done.status, len(receiver.requests)) == (0, 2)


def test_ids_from_a_file_do_not_reach_the_terminal_as_control_characters() -> None:
    body = b'{"event":"\\u001b[2J\\nx","connection":{"id":"\\u001b]0;c\\u0007"}}'
    with receiving() as receiver:
        plain = run("send", receiver.url, "-", stdin=body)
        as_json = run("send", receiver.url, "-", "--json", stdin=body)
    for done in (plain, as_json):
        assert done.status == 0
        assert not set(done.out) & {"\x1b", "\x07"}
    assert objects(as_json)[0]["key"] == "\x1b]0;c\x07"


def test_an_interruption_ends_it_at_once_even_while_it_waits_for_its_input() -> None:
    arrived = threading.Event()

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        status(handler, 204)
        arrived.set()

    with (
        receiving(answer) as receiver,
        subprocess.Popen([COMMAND, "send", receiver.url, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process,
    ):
        assert process.stdin is not None
        process.stdin.write(b'{"event":"a"}\n')
        process.stdin.flush()
        assert arrived.wait(timeout=240)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=240) == 130


@pytest.mark.parametrize(
    "arguments",
    [
        ["--event", "nothing"],
        ["--event", "created", "--faults", "0.1"],
        ["--faults", "lost=1"],
        ["--faults", "drop=1"],
        ["--timeout", "-1"],
        ["-n", "0"],
        ["--member", "nobody"],
        ["a.ndjson", "--event", "created"],
        ["a.ndjson", "--seed", "1"],
    ],
)
def test_wrong_options_are_wrong_usage(arguments: list[str]) -> None:
    done = run("send", "http://127.0.0.1:9/", *arguments)
    assert (done.status, done.out) == (2, "")
    assert "Error: " in done.err
    assert "Traceback" not in done.err
