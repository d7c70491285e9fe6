# SPDX-License-Identifier: MIT
"""The loop that sends bodies: sources of any kind, a rate, and errors that are not of the network."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from bankhook.cli import posts
from bankhook.cli.posts import Answer, post_all
from bankhook.cli.send import command
from cli.server import receiving

NOWHERE = "http://127.0.0.1:9/"


def test_bodies_of_an_asynchronous_source_are_sent() -> None:
    async def source() -> AsyncIterator[tuple[str, bytes]]:
        for name in "abc":
            await asyncio.sleep(0)
            yield name, name.encode()

    answers: dict[str, Answer] = {}
    with receiving(201) as receiver:
        asyncio.run(post_all(receiver.url, source(), answers.__setitem__, concurrency=2))
    assert sorted(receiver.bodies) == [b"a", b"b", b"c"]
    assert {name: answer.status for name, answer in answers.items()} == dict.fromkeys("abc", 201)
    assert all(answer.is_accepted and answer.seconds > 0 for answer in answers.values())


def test_localhost_is_the_address_at_which_something_listens() -> None:
    answers: list[Answer] = []
    with receiving() as receiver:
        url = receiver.url.replace("127.0.0.1", "localhost")
        assert url != receiver.url
        asyncio.run(post_all(url, [(1, b"1")], lambda label, answer: answers.append(answer)))
    assert (receiver.bodies, answers[0].is_accepted) == ([b"1"], True)


def test_a_source_that_waits_keeps_no_answer_back() -> None:
    answered = threading.Event()

    def source() -> Iterator[tuple[int, bytes]]:
        yield 1, b"1"
        assert answered.wait(timeout=60), "the first answer came only after the second body"
        yield 2, b"2"

    with receiving() as receiver:
        asyncio.run(post_all(receiver.url, source(), lambda label, answer: answered.set()))
    assert receiver.bodies == [b"1", b"2"]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_an_error_of_the_source_or_of_the_taker_ends_it_and_is_raised(concurrency: int) -> None:
    def source() -> Iterator[tuple[int, bytes]]:
        yield 1, b"1"
        raise RuntimeError("of the source")

    def take(label: object, answer: Answer) -> None:
        raise RuntimeError("of the taker")

    with receiving() as receiver:
        with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="of the source")):
            asyncio.run(post_all(receiver.url, source(), lambda *_: None, concurrency=concurrency))
        with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="of the taker")):
            asyncio.run(post_all(receiver.url, [(1, b"1")], take, concurrency=concurrency))
    assert set(receiver.bodies) == {b"1"}


def test_no_more_start_in_a_second_than_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock of the test. What is due later waits for just as long, and what is late is not made up for."""
    now, pauses = [100.0], list[float]()

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(asyncio, "sleep", sleep)

    async def started() -> list[float]:
        times = []
        async for _ in posts._paced(posts.read_apart(range(6)), 4.0):
            times.append(now[0])
            now[0] += 0.1 if len(times) < 5 else 10
        return times

    assert asyncio.run(started()) == pytest.approx([100.0, 100.25, 100.5, 100.75, 101.0, 111.0])
    assert max(pauses) < 0.25


def test_the_option_rate_holds_a_sender_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """One delivery in a thousand seconds. No sleep takes any time, but the clock moves as if it did."""
    real_time, real_sleep, pauses = time.monotonic, asyncio.sleep, list[float]()

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await real_sleep(0)

    monkeypatch.setattr(time, "monotonic", lambda: real_time() + sum(pauses))
    monkeypatch.setattr(asyncio, "sleep", sleep)
    with receiving() as receiver:
        assert command.main([receiver.url, "-n", "5", "--rate", "0.001"], standalone_mode=False) == 0
        assert len(receiver.bodies) == 5
        waited = [seconds for seconds in pauses if seconds > 0]
        assert len(waited) == 4
        assert all(900 < seconds <= 1000 for seconds in waited)  # the rest passed while an answer was awaited
        pauses.clear()
        assert command.main([receiver.url, "-n", "5"], standalone_mode=False) == 0
        assert (len(receiver.bodies), sum(pauses)) == (10, 0)


@pytest.mark.parametrize("url", [NOWHERE, "http://a..b/", f"http://{'a' * 70}.example/", "http://nowhere.invalid/"])
def test_what_was_not_answered_is_not_sent_again(url: str) -> None:
    answers: list[Answer] = []
    asyncio.run(post_all(url, [(1, b"1"), (2, b"2")], lambda label, answer: answers.append(answer), timeout=30))
    assert [(answer.status, answer.problem, answer.is_accepted) for answer in answers] == [
        (None, "no connection", False)
    ] * 2
