# SPDX-License-Identifier: MIT
"""`bankhook replay`: which deliveries of an inbox arrive at a real server again."""

from __future__ import annotations

import asyncio
import datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

import bankhook.inbox
from bankhook.inbox import Delivery, DeliveryState, examine
from cli.command import objects, run, shaped
from cli.server import receiving, status

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
FAULTY = {"truncate": 0.1, "future": 0.05}
BODIES = [delivery.payload for delivery in bankhook.Sandbox(seed=3, members=4, faults=FAULTY).deliveries(60)]
ARRIVALS = [
    examine(body, received=NOON + datetime.timedelta(minutes=number), headers=[("x-signature", "s3cret")])
    for number, body in enumerate(BODIES)
]


@pytest.fixture
def inbox(tmp_path: Path) -> str:
    """An inbox with a delivery a minute, the first half of which was handled."""

    async def fill(path: str) -> str:
        async with bankhook.inbox.open(path) as opened:
            await opened.append(ARRIVALS[:30])
            await opened.drain(bankhook.Handlers())
            await opened.append(ARRIVALS[30:])
        return path

    return asyncio.run(fill(str(tmp_path / "inbox.db")))


def test_everything_arrives_again_in_its_order_and_verbatim(inbox: str) -> None:
    with receiving() as receiver:
        done = run("replay", inbox, receiver.url)
    assert (done.status, done.err) == (0, "")
    assert receiver.bodies == BODIES
    assert {request.headers.get("x-signature") for request in receiver.requests} == {None}
    assert "60 answered 204" in done.out


def wanted(name: str, value: str) -> list[Delivery]:
    """What a condition selects, by the arrivals alone."""
    if name in ("event", "member", "key"):
        return [one for one in ARRIVALS if getattr(one, name) == value]
    if name == "rule":
        return [one for one in ARRIVALS if one.findings and one.findings[0].rule == value]
    if name == "state":
        first, second = ARRIVALS[:30], ARRIVALS[30:]
        return {
            "handled": [one for one in first if one.state == DeliveryState.PENDING],
            "pending": [one for one in second if one.state == DeliveryState.PENDING],
            "quarantined": [one for one in ARRIVALS if one.state == DeliveryState.QUARANTINED],
            "parked": [],
            "dismissed": [],
        }[value]
    time = datetime.datetime.fromisoformat(value)
    time = time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
    return [one for one in ARRIVALS if (one.received >= time) == (name == "since")]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("event", "initial_transaction_update"),
        ("member", str(ARRIVALS[2].member)),
        ("key", str(ARRIVALS[2].key)),
        ("rule", "payload_is_json_object"),
        *(("state", state.value) for state in DeliveryState),
        ("since", "2026-03-01T12:20"),
        ("since", "2026-03-01T13:20:30+01:00"),
        ("until", "2026-03-01T12:20:00Z"),
        ("until", "2026-03-01"),
    ],
)
def test_a_condition_selects_what_meets_it(inbox: str, name: str, value: str) -> None:
    expected = [one.body for one in wanted(name, value)]
    with receiving() as receiver:
        done = run("replay", inbox, receiver.url, f"--{name}", value)
    assert (done.status, done.err) == (0, "")
    assert receiver.bodies == expected
    assert len(expected) < len(BODIES)
    assert expected or value in ("parked", "dismissed", "2026-03-01")


def test_every_condition_has_to_be_met_and_states_are_alternatives(inbox: str) -> None:
    of_member = wanted("member", str(ARRIVALS[2].member))
    chosen = [one for one in of_member if one in [*wanted("state", "handled"), *wanted("state", "quarantined")]]
    states = ("--state", "handled", "--state", "quarantined")
    with receiving() as receiver:
        assert run("replay", inbox, receiver.url, "--member", str(ARRIVALS[2].member), *states, "-n", "4").status == 0
    assert receiver.bodies == [one.body for one in chosen[:4]]


def test_the_numbers_are_those_of_the_inbox_and_a_failure_makes_the_status_1(inbox: str) -> None:
    with receiving(lambda handler, number: status(handler, 500 if number == 1 else 200)) as receiver:
        done = run("replay", inbox, receiver.url, "--state", "pending", "--json")
    *lines, summary = shaped("answers", objects(done))
    assert done.status == 1
    assert summary["answers"] == {"200": len(lines) - 1, "500": 1}

    async def numbers() -> dict[int, str | None]:
        query = bankhook.inbox.Query(states=(DeliveryState.PENDING,))
        async with bankhook.inbox.open(inbox) as opened:
            return {delivery.number: delivery.key async for delivery in opened.find(query)}

    assert {line["number"]: line["key"] for line in lines} == asyncio.run(numbers())


def test_what_arrives_meanwhile_is_not_sent(inbox: str) -> None:
    """The receiver stores each delivery in the same inbox: without an end, that would go on for ever."""

    async def store(body: bytes) -> None:
        async with bankhook.inbox.open(inbox) as opened:
            await opened.append([examine(body)])

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        asyncio.run(store(BODIES[0]))
        status(handler, 204)

    with receiving(answer) as receiver:
        done = run("replay", inbox, receiver.url, "--state", "pending")
    assert (done.status, done.err) == (0, "")
    assert receiver.bodies == [one.body for one in wanted("state", "pending")]


def test_the_inbox_is_not_changed(inbox: str) -> None:
    async def counts() -> dict[DeliveryState, int]:
        async with bankhook.inbox.open(inbox) as opened:
            return await opened.counts()

    before = asyncio.run(counts())
    with receiving(500) as receiver:
        assert run("replay", inbox, receiver.url).status == 1
    assert asyncio.run(counts()) == before


def test_an_inbox_that_cannot_be_read_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, but some text that is long enough to be one" * 100)
    with receiving() as receiver:
        for name in (
            str(tmp_path / "missing.db"),
            f"sqlite:///{tmp_path}/missing.db",
            str(tmp_path / "text.db"),
            "mysql://h/s3cret",
        ):
            done = run("replay", name, receiver.url)
            assert done.status == 2, name
            assert "Traceback" not in done.err
            assert "s3cret" not in done.err
        assert receiver.requests == []
    assert not (tmp_path / "missing.db").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--since", "yesterday"],
        ["--until", "2026-13-01"],
        ["--state", "lost"],
        ["-n", "0"],
        ["--since", "0001-01-01T00:00+23:00"],
    ],
)
def test_wrong_conditions_are_wrong_usage(inbox: str, arguments: list[str]) -> None:
    done = run("replay", inbox, "http://127.0.0.1:9/", *arguments)
    assert (done.status, done.out) == (2, "")
    assert "Error: " in done.err
    assert "Traceback" not in done.err


def test_another_machine_is_refused(inbox: str) -> None:
    done = run("replay", inbox, "http://192.0.2.7/")
    assert (done.status, done.out) == (2, "")
    assert "--allow-remote" in " ".join(done.err.split())
