# SPDX-License-Identifier: MIT
"""Archives of envelopes: `at` names the field that has the event, wherever archives are read."""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, cast

import pytest

import bankhook

EVENTS = [delivery.payload for delivery in bankhook.Sandbox(seed=1, members=3, faults=0.1).deliveries(40)]
PLAIN = b"\n".join(event.replace(b"\n", b" ") for event in EVENTS if event.isascii())
AT = "request.body"
pyarrow: Any = importlib.import_module("pyarrow")


def enveloped(payload: bytes, *, as_text: bool = False) -> bytes:
    body = json.dumps(payload.decode()).encode() if as_text else payload
    return b'{"at":"now","request":{"headers":{"a":1},"body":%b}}' % body


CLEAN = [line for line in PLAIN.splitlines() if bankhook.is_clean(line)]
ARCHIVE = b"\n".join(map(enveloped, CLEAN))


@pytest.mark.parametrize("as_text", [False, True], ids=["object", "text"])
def test_events_are_read_from_where_they_are(as_text: bool, tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(b"\n".join(enveloped(line, as_text=as_text) for line in CLEAN))
    events = list(bankhook.parse_lines(b"\n".join(CLEAN)))
    for source in (tmp_path / "a.ndjson", (tmp_path / "a.ndjson").read_bytes()):
        assert list(bankhook.parse_lines(source, at=AT)) == events
        assert [line for line, _ in bankhook.parse_lines(source, at=AT).numbered()] == [*range(1, len(events) + 1)]


def test_every_reader_of_archives_takes_the_path() -> None:
    plain = b"\n".join(CLEAN)
    ours, theirs = bankhook.Tracker(), bankhook.Tracker()
    assert bankhook.diagnose_lines(ARCHIVE, at=AT) == bankhook.diagnose_lines(plain)
    assert ours.apply_lines(ARCHIVE, at=AT) == theirs.apply_lines(plain)
    assert ours == theirs
    for name in ("connections", "initial_transaction_update", "outcomes", "rejected"):
        one, other = (
            pyarrow.table(getattr(found, name)) for found in (bankhook.tables(ARCHIVE, at=AT), bankhook.tables(plain))
        )
        assert one.equals(other)


@pytest.mark.parametrize("form", ["lines", "elements"])
def test_byte_order_marks_before_envelopes_and_in_their_texts_are_read_over(form: str) -> None:
    mark = b"\xef\xbb\xbf"
    lines = [enveloped(mark + line, as_text=True) for line in CLEAN]
    if form == "elements":
        lines = [line.replace(b"{", b"{\n", 1) for line in lines]
    archive = b"".join(mark + line + b"\r\n" for line in lines)
    found = list(bankhook.parse_lines(archive, at=AT))
    assert found == list(bankhook.parse_lines(b"\n".join(CLEAN)))
    assert [event.raw for event in found] == CLEAN
    tables = bankhook.tables(archive, at=AT, keep=["at"])
    assert pyarrow.table(tables.rejected).num_rows == 0
    assert set(pyarrow.table(tables.connections)["at"].to_pylist()) == {"now"}


def test_a_line_without_an_event_there_is_read_itself_and_rejected() -> None:
    archive = b"\n" + ARCHIVE + b'\n{"request":{}}\nnothing\n'
    lines = bankhook.parse_lines(archive, at=AT, on_error="collect")
    assert len(list(lines)) == len(CLEAN)
    assert [(one.line, one.raw) for one in lines.rejected] == [
        (len(CLEAN) + 2, b'{"request":{}}'),
        (len(CLEAN) + 3, b"nothing"),
    ]


ENVELOPES = {
    "a line": b'\n{"h":"\xc3\xa9","body":%b}\n',
    "over several lines": b'{\n  "h": "\xc3\xa9",\n  "body": %b\n}\n',
    "elements of an array": b'[{"body":{"event":"x"}},{"h":"\xc3\xa9","body":%b}]',
    "a text": b'{"h":"\xc3\xa9","body":"%b"}\n',
}


@pytest.mark.parametrize("form", ENVELOPES)
def test_places_are_those_of_the_archive(form: str) -> None:
    body = b"{}" if form == "a text" else b'{"a":1,\n "event":7}' if form == "over several lines" else b'{"event":7}'
    archive = ENVELOPES[form] % body
    start = archive.index(body)
    line = archive[:start].count(b"\n") + 1
    before = archive[:start].rpartition(b"\n")[2]
    found = bankhook.diagnose_lines(archive, at="body").unclean[-1]
    assert (found.line, found.column, found.offset, found.raw) == (line, len(before.decode()), start, body)
    with pytest.raises(bankhook.ParseError) as raised:
        list(bankhook.parse_lines(archive, at="body"))
    error, own = raised.value, bankhook.diagnose(body)[-1]
    assert error.__notes__ == [f"in line {line} of the archive"]
    assert own.offset is not None and own.column is not None
    column = own.column + (len(before.decode()) if own.line == 1 else 0)
    assert (error.line, error.column, error.offset) == (own.line, column, own.offset + len(before))
    assert f"line {error.line}, column {error.column}" in str(error)


def test_a_path_without_letters_is_a_field_whose_name_has_none() -> None:
    assert list(bankhook.parse_lines(b'{"":%b}\n' % CLEAN[0], at="")) == [bankhook.parse(CLEAN[0])]


def test_a_path_is_a_text() -> None:
    with pytest.raises(TypeError, match=r"at: expected a path such as 'request.body', found list"):
        bankhook.diagnose_lines(ARCHIVE, at=cast("str", ["request", "body"]))
    with pytest.raises(TypeError, match=r"at: expected a path such as 'request.body', found int"):
        bankhook.tables(__file__, at=cast("str", 5))


READERS: list[Callable[..., object]] = [
    lambda source, **given: list(bankhook.parse_lines(source, on_error="collect", **given)),
    bankhook.diagnose_lines,
    lambda source, **given: bankhook.Tracker().apply_lines(source, **given),
    bankhook.tables,
]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("given", [{}, {"at": "bdy"}, {"at": "request"}])
def test_one_error_says_where_events_are(read: Callable[..., object], given: dict[str, str]) -> None:
    with pytest.raises(OSError, match=r'it has events elsewhere: try at="request\.body"$'):
        read(ARCHIVE, **given)
    many = ARCHIVE * (400_000 // len(ARCHIVE) + 1)
    with pytest.raises(OSError, match=r'it has events elsewhere: try at="request\.body"$'):
        read(many, **given)


def test_a_path_that_leads_nowhere_is_one_error() -> None:
    for end in (b"", b"\n"):
        lines = bankhook.parse_lines(b'{"a":1}\n{"b":2}' + end, at="body", on_error="collect")
        with pytest.raises(OSError, match=r'nothing in it is at "body"$'):
            list(lines)
    assert lines.rejected == []


def test_a_line_of_another_kind_before_events_is_a_finding() -> None:
    """What comes through a pipe may begin with a line that is no event, and only more of it tells."""
    pieces = [b'{"meta":{"event":"x"}}\n', b'{"event":"a"}\n', b'{"event":"b"}\n', b""]

    class Pipe(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return pieces.pop(0)

    assert bankhook.diagnose_lines(cast(IO[bytes], Pipe())).rejected == 1
    assert pieces == []


def test_other_lines_are_findings() -> None:
    for other in (b"7", b'{"a":{"b":1}}', b'{"a\\u001b":{"event":"x"}}'):
        with pytest.raises(bankhook.ParseError) as raised:
            list(bankhook.parse_lines(other))
        assert raised.value.__notes__ == ["in line 1 of the archive"]
