# SPDX-License-Identifier: MIT
"""What is taken as a body and as headers: bytes are stored verbatim whatever they are in, and headers as pairs of texts."""

from __future__ import annotations

import array
import asyncio
import datetime
import email.message
import mmap
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers, MutableHeaders

import bankhook.inbox
from bankhook.inbox import Delivery, examine

BODY = b'{"event":"one","text":"caf\\u00e9 \\\\x41 \\""}'


def in_memory(body: bytes) -> mmap.mmap:
    mapped = mmap.mmap(-1, len(body))
    mapped.write(body)
    return mapped


@pytest.mark.parametrize(
    "held_by",
    [
        bytes,
        bytearray,
        memoryview,
        lambda body: memoryview(bytes(byte for one in body for byte in (one, 0)))[::2],
        lambda body: memoryview(body[::-1])[::-1],
        lambda body: array.array("B", body),
        in_memory,
    ],
)
def test_bytes_are_stored_verbatim_whatever_they_are_in(url: str, held_by: Callable[[bytes], Any]) -> None:
    async def run() -> tuple[bytes, int]:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(held_by(BODY))])
            (stored,) = [one async for one in inbox.find()]
            return stored.body, await inbox.drain(bankhook.Handlers())

    assert asyncio.run(run()) == (BODY, 1)


def test_a_buffer_that_is_used_again_changes_nothing_that_was_examined() -> None:
    buffer = bytearray(BODY)
    made = examine(buffer)
    buffer[:] = b"\0" * len(buffer)
    assert made.body == BODY and not made.findings


@pytest.mark.parametrize("body", ["", '{"event":"one"}', None, 5, [123], ("a",), {"event": "one"}, object])
def test_what_is_not_bytes_is_no_body(body: Any) -> None:
    with pytest.raises(TypeError, match=rf"^body: expected bytes, found {type(body).__name__}$"):
        examine(body)


def test_what_was_closed_is_no_body() -> None:
    closed = in_memory(BODY)
    closed.close()
    with pytest.raises(ValueError, match=r"^body: "):
        examine(closed)


PAIRS = (("content-type", "text/plain"), ("x-part", "a"), ("x-part", "b"), ("x-text", "é"))
RAW = [(b"Content-Type", b"text/plain"), (b"X-Part", b"a"), (b"x-part", b"b"), (b"X-Text", "é".encode("latin-1"))]


def twice(pairs: list[tuple[str, str]]) -> Iterator[list[str]]:
    return (list(pair) for pair in pairs)


def message() -> email.message.Message:
    made = email.message.Message()
    for name, value in PAIRS[:3]:
        made[name.title()] = value
    return made


@pytest.mark.parametrize(
    ("headers", "stored"),
    [
        ((), ()),
        ({}, ()),
        (RAW, PAIRS),  # as in the scope of ASGI
        (twice([(name.decode(), value.decode("latin-1")) for name, value in RAW]), PAIRS),
        (Headers(raw=RAW), PAIRS),
        (MutableHeaders(raw=RAW), PAIRS),
        (httpx.Headers(RAW), PAIRS),
        (message(), PAIRS[:3]),
        ({"Content-Type": "text/plain"}, PAIRS[:1]),
        ({b"Content-Type": b"text/plain"}, PAIRS[:1]),
        ({"Content-Type": "text/plain"}.items(), PAIRS[:1]),
    ],
)
def test_headers_are_pairs_or_a_mapping_and_none_of_a_name_is_lost(headers: Any, stored: object) -> None:
    assert examine(BODY, headers=headers).headers == stored


@pytest.mark.parametrize(
    "headers",
    [
        "ab",
        "",
        b"ab",
        b"",
        None,
        5,
        dict,
        ["ab"],
        [("a", None)],
        [("a", "b", "c")],
        [("a",)],
        [5],
        {"a": None},
        {"a": ["b"]},
    ],
)
def test_what_are_no_pairs_of_texts_are_no_headers(headers: Any) -> None:
    with pytest.raises(TypeError, match=r"^headers: expected pairs of str"):
        examine(BODY, headers=headers)


@pytest.mark.parametrize("received", ["2026-01-01", 5, datetime.date(2026, 1, 1)])
def test_something_else_than_a_time_is_not_when_it_was_received(received: Any) -> None:
    with pytest.raises(TypeError, match=r"^received: expected an aware datetime, found"):
        examine(BODY, received=received)


def test_a_time_that_has_no_year_in_utc_is_refused() -> None:
    west = datetime.timezone(-datetime.timedelta(hours=5))
    with pytest.raises(ValueError, match=r"^received: "):
        examine(BODY, received=datetime.datetime.max.replace(tzinfo=west))
    assert examine(BODY, received=datetime.datetime(2026, 1, 1, tzinfo=west)).received.hour == 5


def test_what_examine_makes_is_what_append_takes() -> None:
    made = examine(BODY, headers=RAW)
    values: dict[str, Any] = made.to_dict() | {"headers": made.headers, "findings": (), "received": made.received}
    assert Delivery(**values) == made
