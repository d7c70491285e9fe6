# SPDX-License-Identifier: MIT
"""parse_lines: archives from wherever they come, bad lines kept, events that outlive what they were read from."""

from __future__ import annotations

import gc
import gzip
import io
import mmap
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bankhook
from bankhook import ParseError, UnknownEvent, parse_lines
from python.parsed import DATA, payload

try:
    from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # from Python 3.14 on
except ImportError:
    from backports import zstd

ARCHIVE = (DATA / "archive.ndjson").read_bytes()
LINES = [line for line in ARCHIVE.split(b"\n") if line.strip()]


def parsed_one_by_one() -> tuple[list[Any], list[bytes]]:
    events, rejected = [], []
    for line in LINES:
        try:
            events.append(bankhook.parse(line.rstrip(b"\r")))
        except ParseError:
            rejected.append(line.rstrip(b"\r"))
    return events, rejected


def test_the_events_are_those_that_parse_gives_line_by_line() -> None:
    events, rejected = parsed_one_by_one()
    lines = parse_lines(ARCHIVE, on_error="collect")
    found = list(lines)
    assert found == events
    assert [event.raw for event in found] == [event.raw for event in events]
    assert [line.raw for line in lines.rejected] == rejected


def test_a_rejected_line_has_its_number_and_findings() -> None:
    lines = parse_lines(b'{"event": "a"}\n\n[1]\r\n{"event": "b"}', on_error="collect")
    assert [event.event for event in lines] == ["a", "b"]
    (rejected,) = lines.rejected
    assert (rejected.line, rejected.raw) == (3, b"[1]")
    assert rejected.findings == bankhook.diagnose(b"[1]")


class Trickle(io.RawIOBase):
    """A raw file that gives a few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self._file = io.BytesIO(content)
        self._size = size

    def read(self, size: int = -1) -> bytes:
        return self._file.read(self._size if size < 0 else min(size, self._size))


NOTE = b"\x5a\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc"  # a frame of Zstandard that holds no data

SOURCES: dict[str, Callable[[bytes, Path], Any]] = {
    "bytes": lambda content, _: content,
    "bytearray": lambda content, _: bytearray(content),
    "memoryview": lambda content, _: memoryview(content),
    "file": lambda content, _: io.BytesIO(content),
    "one byte at a time": lambda content, _: Trickle(content, 1),
    "seven bytes at a time": lambda content, _: Trickle(content, 7),
    "path": lambda content, path: written(content, path),
    "text of a path": lambda content, path: str(written(content, path)),
    "gzip by its path": lambda content, path: written(gzip.compress(content), path),
    "gzip in memory": lambda content, _: gzip.compress(content),
    "gzip in two members": lambda content, _: gzip.compress(content[:1000]) + gzip.compress(content[1000:]),
    "gzip in a trickle": lambda content, _: Trickle(gzip.compress(content), 3),
    "gzip with zeros between": lambda content, _: gzip.compress(content[:9]) + b"\0" * 99 + gzip.compress(content[9:]),
    "gzip in many members": lambda content, _: b"".join(gzip.compress(line + b"\n") for line in content.split(b"\n")),
    "every second byte": lambda content, _: memoryview(b"".join(bytes([byte, 0]) for byte in content))[::2],
    "zstd by its path": lambda content, path: written(zstd.compress(content), path),
    "zstd in memory": lambda content, _: zstd.compress(content),
    "zstd in two frames": lambda content, _: zstd.compress(content[:1000]) + zstd.compress(content[1000:]),
    "zstd with notes": lambda content, _: NOTE + zstd.compress(content[:9]) + NOTE + zstd.compress(content[9:]),
    "zstd in a trickle": lambda content, _: Trickle(zstd.compress(content), 3),
}


def written(content: bytes, folder: Path) -> Path:
    path = folder / "archive"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("make", SOURCES.values(), ids=SOURCES)
def test_an_archive_is_the_same_wherever_it_comes_from(make: Callable[[bytes, Path], Any], tmp_path: Path) -> None:
    lines = parse_lines(make(ARCHIVE, tmp_path), on_error="collect")
    assert list(lines) == list(parse_lines(ARCHIVE, on_error="collect"))
    assert [line.line for line in lines.rejected] == [15, 16, 17, 18, 19]


@pytest.mark.parametrize("start", [b"", b"\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"], ids=repr)
def test_an_event_with_200_000_blanks_may_come_in_single_bytes(start: bytes) -> None:
    file = Trickle(start + b'{"event":\n' + b" \n" * 100_000 + b'"a"}', 1)
    assert [found.event for found in parse_lines(file)] == ["a"]  # type: ignore[call-overload]


def test_a_mapped_file_is_read(tmp_path: Path) -> None:
    with written(ARCHIVE, tmp_path).open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert list(parse_lines(mapped, on_error="collect")) == list(parse_lines(ARCHIVE, on_error="collect"))


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\n", gzip.compress(b"", mtime=0)], ids=repr)
def test_an_archive_without_events_has_none(content: bytes, tmp_path: Path) -> None:
    for source in (content, io.BytesIO(content), written(content, tmp_path)):
        lines = parse_lines(source, on_error="collect")
        assert list(lines) == [] and lines.rejected == []


def test_iterating_again_starts_at_the_beginning() -> None:
    lines = parse_lines(ARCHIVE, on_error="collect")
    assert list(lines) == list(lines)
    assert len(lines.rejected) == 5


def test_an_error_is_raised_in_its_turn() -> None:
    events = iter(parse_lines(b'{"event": "a"}\nnothing\n{"event": "b"}\n'))
    assert next(events).event == "a"
    with pytest.raises(ParseError) as caught:
        next(events)
    assert caught.value.__notes__ == ["in line 2 of the archive"]
    assert next(events).event == "b"


def test_events_outlive_the_archive_and_each_other() -> None:
    source = bytearray(ARCHIVE * 50)
    kept = [
        event for event in parse_lines(source, on_error="collect") if isinstance(event, bankhook.BankConnectionsUpdateV2)
    ][::7]
    source[:] = b"x" * len(source)
    parts = [event.connection for event in kept]
    expected = [bankhook.parse(event.raw) for event in kept]
    del kept
    gc.collect()
    assert [event.connection for event in expected if isinstance(event, bankhook.BankConnectionsUpdateV2)] == parts
    assert pickle.loads(pickle.dumps(parts)) == parts


def test_an_event_of_an_archive_is_pickled_by_its_own_line() -> None:
    event = next(iter(parse_lines(ARCHIVE, on_error="collect")))
    assert pickle.loads(pickle.dumps(event)).raw == event.raw == LINES[0].rstrip(b"\r")


def test_a_line_of_many_megabytes_is_one_line() -> None:
    unlisted = b'"x":"' + b"a" * 3_000_000 + b'",'
    long = payload("transaction_created").replace(b"\n", b" ").replace(b"{", b"{" + unlisted, 1)
    lines = parse_lines(long + b"\n" + b"y" * 3_000_000 + b"\n" + long, on_error="collect")
    assert len(list(lines)) == 2
    assert [(line.line, len(line.raw)) for line in lines.rejected] == [(2, 3_000_000)]


def test_a_damaged_gzip_raises_after_what_could_be_read() -> None:
    content = gzip.compress(ARCHIVE * 2000)[:-100]
    events = iter(parse_lines(content, on_error="collect"))
    assert next(events) == bankhook.parse(LINES[0].rstrip(b"\r"))
    with pytest.raises(OSError, match=r"damaged gzip data after .*: it ends too early"):
        list(events)


@pytest.mark.parametrize("source", [None, 3, Ellipsis, ["{}"]], ids=repr)
def test_a_source_of_another_kind_is_rejected(source: Any) -> None:
    with pytest.raises(TypeError, match="a path, a buffer or a binary file"):
        parse_lines(source)


def test_a_file_of_text_is_rejected() -> None:
    with pytest.raises(TypeError, match="binary mode"):
        list(parse_lines(io.StringIO("{}")))  # type: ignore[arg-type]


def test_an_unknown_way_with_errors_is_rejected() -> None:
    with pytest.raises(ValueError, match="'raise', 'collect'"):
        parse_lines(ARCHIVE, on_error="ignore")  # type: ignore[call-overload]


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(parse_lines(tmp_path / "none"))


def test_what_a_file_raises_comes_through() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        list(parse_lines(Broken()))  # type: ignore[call-overload]


def test_a_file_that_reads_its_own_events_is_rejected() -> None:
    class Recursive(io.RawIOBase):
        events: Any = None

        def read(self, size: int = -1) -> bytes:
            if self.events is not None:
                next(self.events)
            return b'{"event": "a"}\n'

    file = Recursive()
    events = iter(parse_lines(file))  # type: ignore[call-overload]
    file.events = events
    with pytest.raises(RuntimeError, match="being read"):
        list(events)


def test_threads_read_archives_side_by_side() -> None:
    expected = list(parse_lines(ARCHIVE * 20, on_error="collect"))
    results: list[bool] = []

    def read() -> None:
        results.append(list(parse_lines(ARCHIVE * 20, on_error="collect")) == expected)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_an_unknown_event_of_an_archive_keeps_its_line() -> None:
    unknown = [event for event in parse_lines(ARCHIVE, on_error="collect") if isinstance(event, UnknownEvent)]
    assert [event.raw for event in unknown] == [bankhook.parse(event.raw).raw for event in unknown] != []
