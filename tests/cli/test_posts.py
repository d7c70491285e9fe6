# SPDX-License-Identifier: MIT
"""The loop that sends bodies: sources of any kind, and errors that are not of the network."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator

import pytest

from bankhook.cli.posts import Answer, post_all
from cli.server import receiving
from installed import need_packages

need_packages("httpx")
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


@pytest.mark.parametrize("url", [NOWHERE, "http://a..b/", f"http://{'a' * 70}.example/", "http://nowhere.invalid/"])
def test_what_was_not_answered_is_not_sent_again(url: str) -> None:
    answers: list[Answer] = []
    asyncio.run(post_all(url, [(1, b"1"), (2, b"2")], lambda label, answer: answers.append(answer), timeout=30))
    assert [(answer.status, answer.problem, answer.is_accepted) for answer in answers] == [
        (None, "no connection", False)
    ] * 2
