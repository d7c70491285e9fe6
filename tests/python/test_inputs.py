# SPDX-License-Identifier: MIT
"""What parse takes: bytes and all that holds bytes, and str; each gives the same event."""

from __future__ import annotations

import array
import mmap
from pathlib import Path
from typing import Any

import pytest

import bankhook
from bankhook import ParseError
from python.parsed import payload

TEXT = payload("text_of_many_languages")


class Bytes(bytes):
    """A kind of bytes."""


class Text(str):
    """A kind of str."""


@pytest.mark.parametrize(
    "given",
    [
        TEXT,
        bytearray(TEXT),
        memoryview(TEXT),
        memoryview(bytearray(TEXT)).toreadonly(),
        memoryview(b"[" + TEXT + b"]")[1:-1],
        array.array("B", TEXT),
        Bytes(TEXT),
        TEXT.decode(),
        Text(TEXT.decode()),
    ],
    ids=lambda given: type(given).__name__,
)
def test_all_that_holds_the_payload_gives_the_event(given: Any) -> None:
    event = bankhook.parse(given)
    assert event == bankhook.parse(TEXT)
    assert type(event.raw) is bytes
    assert event.raw == TEXT


def test_every_second_byte_is_taken_as_such() -> None:
    spread = bytearray(2 * len(TEXT))
    spread[::2] = TEXT
    assert bankhook.parse(memoryview(spread)[::2]).raw == TEXT


def test_a_mapped_file_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "payload.json"
    file.write_bytes(TEXT)
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        event = bankhook.parse(mapped)
    assert event.raw == TEXT


def test_bytes_are_kept_as_they_are_and_not_copied() -> None:
    assert bankhook.parse(TEXT).raw is TEXT


@pytest.mark.parametrize("given", [None, 1, 1.5, [], {}, object(), [TEXT], Path("payload.json"), bankhook])
def test_anything_else_is_a_type_error(given: Any) -> None:
    with pytest.raises(TypeError, match=f"found {type(given).__name__}"):
        bankhook.parse(given)


def test_parse_takes_one_positional_argument() -> None:
    parse: Any = bankhook.parse
    with pytest.raises(TypeError):
        parse()
    with pytest.raises(TypeError):
        parse(TEXT, TEXT)
    with pytest.raises(TypeError):
        parse(payload=TEXT)


def test_a_surrogate_in_a_str_is_a_parse_error() -> None:
    with pytest.raises(ParseError) as caught:
        bankhook.parse('{"event":"\ud800"}')
    assert caught.value.offset == len('{"event":"')


def test_a_buffer_that_is_gone_is_an_error(tmp_path: Path) -> None:
    view = memoryview(TEXT)
    view.release()
    with pytest.raises(ValueError):
        bankhook.parse(view)


def test_an_empty_input_is_a_parse_error() -> None:
    for given in (b"", "", bytearray(), memoryview(b"")):
        with pytest.raises(ParseError):
            bankhook.parse(given)


def test_a_zero_byte_ends_nothing() -> None:
    with pytest.raises(ParseError) as caught:
        bankhook.parse(TEXT + b"\0")
    assert caught.value.offset == len(TEXT)
