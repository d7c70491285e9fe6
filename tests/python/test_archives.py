# SPDX-License-Identifier: MIT
"""What parse_lines, diagnose_lines and apply_lines read: one class of events, line numbers, arrays, and what is wrong in them."""

from __future__ import annotations

import gzip
import io
import random
from typing import Any

import pytest

import bankhook
from bankhook import BankConnectionsUpdateV2, InitialTransactionUpdate, ParseError, UnknownEvent, _core, parse_lines
from python.parsed import DATA

ARCHIVE = (DATA / "archive.ndjson").read_bytes()
BOM = b"\xef\xbb\xbf"


def named(*names: str) -> bytes:
    return b"".join(b'{"event":"%s"}\n' % name.encode() for name in names)


def read(source: Any) -> tuple[list[tuple[int, str]], list[tuple[int, bytes]]]:
    """The names of the events, and what was rejected, each with its line."""
    lines: Any = parse_lines(source, on_error="collect")
    events = [(line, event.event) for line, event in lines.numbered()]
    return events, [(line.line, line.raw) for line in lines.rejected]


class Trickle(io.RawIOBase):
    """A file that gives few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self._file, self._size = io.BytesIO(content), size

    def read(self, size: int = -1) -> bytes:
        return self._file.read(self._size)


# One class of events


@pytest.mark.parametrize("of", [BankConnectionsUpdateV2, InitialTransactionUpdate, UnknownEvent])
def test_of_gives_the_events_of_one_class_and_skips_the_others(of: Any) -> None:
    everything = parse_lines(ARCHIVE, on_error="collect")
    wanted = [event for event in everything if type(event) is of]
    lines: Any = parse_lines(ARCHIVE, of=of, on_error="collect")
    assert list(lines) == wanted != []
    assert lines.rejected == everything.rejected != []


@pytest.mark.parametrize(
    "of", [bankhook.Account, int, "BankConnectionsUpdateV2", bankhook.AnyEvent, bankhook.Tracker], ids=repr
)
def test_of_something_that_is_no_event_is_a_type_error_at_once(of: Any) -> None:
    with pytest.raises(TypeError, match="of: expected the class of an event, found"):
        parse_lines(b"", of=of)


# Numbers


def test_an_event_has_the_number_of_its_line_blank_lines_included() -> None:
    assert read(b"\n" + named("a") + b" \r\n{}\n" + named("b")) == ([(2, "a"), (5, "b")], [(4, b"{}")])


def test_an_event_over_several_lines_has_the_number_of_its_first_one() -> None:
    assert read(b'\n{\n"event":\n"a"}\n\n{\n"event":"b"}') == ([(2, "a"), (6, "b")], [])
    assert read(b'[{"event":"a"},{"event":"b"},\n{"event":\n"c"}]') == ([(1, "a"), (1, "b"), (2, "c")], [])


def test_numbers_go_on_from_part_to_part() -> None:
    names = [f"event-{number}" for number in range(40_000)]
    for archive in (named(*names), b"[\n" + b",\n".join(named(*names).splitlines()) + b"]"):
        first = 2 if archive.startswith(b"[") else 1
        for source in (archive, io.BytesIO(archive), Trickle(archive, 1000)):
            assert read(source) == (list(enumerate(names, first)), [])


@pytest.mark.parametrize("archive", [b'[{"event":"a"},\n{"event":"b"}]\n\n\n', b'{"event":\n"a"}\n\n', b"[\n]\n"])
def test_lines_after_the_last_event_count_however_the_archive_is_cut(archive: bytes) -> None:
    sources: list[Any] = [archive, *(Trickle(archive, size) for size in range(1, len(archive)))]
    for source in sources:
        assert bankhook.diagnose_lines(source).lines == archive.count(b"\n")


# Layouts


def test_an_array_is_the_same_as_its_elements_on_lines() -> None:
    lines = [line for line in ARCHIVE.splitlines() if line.strip()]
    whole = parse_lines(b"\n".join(lines), on_error="collect")
    events = list(whole)
    cut, *rejected = (line.raw for line in whole.rejected)
    lines.remove(cut)  # within a text, and so the end of its line is all that ends it
    for text in (b"[" + b",".join(lines) + b"]", b" [\n  " + b",\r\n  ".join(lines) + b"\r\n]\n"):
        sources: tuple[Any, ...] = (text, io.BytesIO(text), Trickle(text, 1), gzip.compress(text))
        for source in sources:
            array = parse_lines(source, on_error="collect")
            found = list(array)
            assert found == events
            assert [event.raw for event in found] == [event.raw for event in events]
            assert [line.raw for line in array.rejected] == rejected


@pytest.mark.parametrize(
    ("text", "events", "rejected"),
    [
        (b"", [], []),
        (b"[]", [], []),
        (b'[{"event":"a"},]', [(1, "a")], [(1, b"")]),
        (b'[{"event":"a"},\n,{"event":"b"}]', [(1, "a"), (2, "b")], [(2, b"")]),
        (b'[{"event":"a"}', [(1, "a")], [(1, b"")]),
        (b'[\n{"event":"a"},\n{"event":"b"', [(2, "a")], [(3, b'{"event":"b"')]),
        (b'[{"event":"a"} x, {"event":"b"}]', [(1, "b")], [(1, b'{"event":"a"} x')]),
        (b'[{"event":"a"}] x\n' + named("b"), [(1, "a"), (2, "b")], [(1, b"x")]),
        (b'[\n{"event":"a"}\n{"event":"b"}\n]', [(2, "a"), (3, "b")], [(3, b"")]),
        (b'[{"event":"a"},\n{"event":"b","c":{\n,\n{"event":"c"}]', [(1, "a"), (4, "c")], [(2, b'{"event":"b","c":{\n,')]),
        (b'{"event":"a"}{"event":"b"}\n' + named("c"), [(1, "a"), (1, "b"), (2, "c")], []),
        (
            named("a") + b'{"event":"b"}{"event":"c"}\n' + named("d"),
            [(1, "a"), (3, "d")],
            [(2, b'{"event":"b"}{"event":"c"}')],
        ),
        (b'{"event":"a","b\n' + named("c"), [(2, "c")], [(1, b'{"event":"a","b')]),
        (b'{\n"event":"a"\n}\n{"event":"b"}{}\n', [(1, "a"), (4, "b")], [(4, b"{}")]),
        (BOM + named("a"), [(1, "a")], []),
        (BOM + b'[{"event":"a"}]', [(1, "a")], []),
        (named("a") + BOM + named("b") + b"\r\n" + BOM + b"\r\n" + BOM, [(1, "a"), (2, "b")], []),
        (
            BOM * 2 + named("a") + b" " + BOM + named("b"),
            [],
            [(1, BOM * 2 + b'{"event":"a"}'), (2, b" " + BOM + b'{"event":"b"}')],
        ),
        (BOM + b'{"event":"a"}' + BOM + b'{"event":"b"}\n' + BOM + b'{"event":"c"}', [(1, "a"), (1, "b"), (2, "c")], []),
        (BOM + b'{\n"event":"a"}\n' + BOM + b'{"event":"b"\n}\n' + BOM, [(1, "a"), (3, "b")], []),
        (BOM + b'[{"event":"a"}]\n' + BOM + b'[\n{"event":"b"}]', [(1, "a"), (3, "b")], []),
        (b'[{"event":"a"},\n' + BOM + b'{"event":"b"}]', [(1, "a"), (2, "b")], []),
        (BOM + b'[\n{"event":"a"},\n' + BOM * 2 + b'{"event":"b"}]', [(2, "a")], [(3, BOM * 2 + b'{"event":"b"}')]),
        (b'[{"event":"a"}]\n\xef\xbb\xa0\n' + named("b"), [(1, "a"), (3, "b")], [(2, b"\xef\xbb\xa0")]),
        (named("a") + bytes(5), [(1, "a")], [(2, bytes(5))]),
        (b'{"event":"a"}\r\n\r\n{"event":"b"}\r', [(1, "a"), (3, "b")], []),
    ],
    ids=repr,
)
def test_a_line_or_element_that_is_not_an_event_is_rejected_and_the_rest_is_read(
    text: bytes, events: list[tuple[int, str]], rejected: list[tuple[int, bytes]]
) -> None:
    for source in (text, io.BytesIO(text), Trickle(text, 1), Trickle(text, 5)):
        assert read(source) == (events, rejected)
    report = bankhook.diagnose_lines(text)
    assert (report.events[None], report.rejected) == (len(events), len(rejected))
    assert bankhook.Tracker().apply_lines(text).rejected == len(rejected)


def test_a_truncated_archive_gives_what_was_read_of_its_last_element() -> None:
    names = [f"event-{number}" for number in random.Random(5).sample(range(10**9), 3000)]
    text = b"[\n" + b",\n".join(named(*names).splitlines()) + b"\n]"
    lines = parse_lines(gzip.compress(text)[:-2000], on_error="collect")
    found: list[str] = []
    with pytest.raises(OSError, match="ends too early"):
        for event in lines:
            found.append(event.event)
    assert 0 < len(found) < len(names) and found == names[: len(found)]
    assert len(lines.rejected) <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        b"[" * 3_000_000,
        b"{" * 3_000_000,
        b'{"a":[' * 500_000,
        b"[" + b'{"a":\n' * 500_000,
        b"[1,\n" * 700_000,
        b"[" + b'"\n' * 1_000_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_the_work_grows_with_the_text_and_no_faster(text: bytes) -> None:
    """Counted by the bytes that are read: a text that is read again from its start would not come to its end here."""
    source: Any = Trickle(text, 4000)
    lines = parse_lines(source, on_error="collect")
    assert list(lines) == []
    assert sum(len(line.raw) for line in lines.rejected) <= len(text)


# Errors


def test_the_first_error_is_raised_with_its_line_if_nothing_else_is_asked_for() -> None:
    events = parse_lines(named("a") + b"\n[1]\n" + named("b"))
    with pytest.raises(ParseError) as caught:
        list(events)
    assert caught.value.__notes__ == ["in line 3 of the archive"]
    assert tuple(caught.value.findings) == tuple(bankhook.diagnose(b"[1]"))
    assert events.rejected == []


def test_findings_of_a_rejected_line_are_made_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = parse_lines(b"{}\n[]\n", on_error="collect")
    assert list(lines) == []
    made: list[bytes] = []
    diagnose = _core.diagnose

    def count(raw: bytes) -> bankhook.types.Findings:
        made.append(raw)
        return diagnose(raw)

    monkeypatch.setattr(_core, "diagnose", count)
    (first, second) = lines.rejected
    assert made == []
    assert first.findings == diagnose(b"{}")
    assert made == [b"{}"]
    assert second.findings == diagnose(b"[]")
    assert first != second == bankhook.types.Rejected(2, b"[]")


def test_a_rejected_line_does_not_print_its_bytes() -> None:
    assert repr(bankhook.types.Rejected(3, b"secret")) == "Rejected(line=3, 6 bytes)"
