# SPDX-License-Identifier: MIT
"""Where archives are read from, and when what was opened is closed."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bankhook
from bankhook import parse_lines


def named(*names: str) -> bytes:
    return b"".join(b'{"event":"%s"}\n' % name.encode() for name in names)


@pytest.mark.parametrize("function", [parse_lines, bankhook.diagnose_lines, bankhook.Tracker().apply_lines])
def test_a_text_is_always_a_path(function: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "{}").write_bytes(named("a"))
    result = function("{}")
    count = len(list(result)) if isinstance(result, bankhook.types.ParsedLines) else result.events[None]
    assert count == 1
    with pytest.raises(FileNotFoundError):
        list(function('{"event":"a"}'))


def test_a_dash_is_standard_input_and_a_path_of_that_name_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "-").write_bytes(named("file"))
    code = """
import bankhook, pathlib
print([event.event for event in bankhook.parse_lines("-")], [event.event for event in bankhook.parse_lines(pathlib.Path("-"))])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], input=named("a", "b"), capture_output=True, check=True, cwd=tmp_path
    )
    assert done.stdout.decode().strip() == "['a', 'b'] ['file']"


def test_reading_archives_imports_no_decompressor_that_it_does_not_need() -> None:
    code = """
import sys, bankhook
list(bankhook.parse_lines(b'{"event":"a"}'))
print([name for name in ("gzip", "zlib", "backports.zstd", "compression.zstd") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{code}"], capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == "[]"


def open_files() -> set[str]:
    return {os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "archive"
    path.write_bytes(named(*(f"event-{number}" for number in range(50_000))))
    return path


def test_the_context_closes_the_file_and_ends_its_iterators(path: Path) -> None:
    with parse_lines(path) as lines:
        one, other = iter(lines), lines.numbered()
        assert next(one).event == "event-0"
        assert next(other)[0] == 1
        assert str(path) in open_files()
    assert str(path) not in open_files()
    for events in (one, other):
        with pytest.raises(ValueError, match="closed"):
            next(events)
    assert next(iter(lines)).event == "event-0"


def test_an_exception_in_the_loop_closes_the_file_too(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), parse_lines(path) as lines:
        for _ in lines:
            raise ZeroDivisionError
    assert str(path) not in open_files()


def test_a_file_that_was_given_stays_open(path: Path) -> None:
    with path.open("rb") as file:
        with parse_lines(file) as lines:
            next(iter(lines))
        assert not file.closed


def test_a_file_that_its_owner_closes_early_is_an_error(path: Path) -> None:
    file = path.open("rb")
    events = iter(parse_lines(file))
    next(events)
    file.close()
    with pytest.raises(ValueError, match="closed file"):
        list(events)


def test_an_iterator_that_is_forgotten_closes_its_file_without_a_warning(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        next(iter(parse_lines(path)))
    assert str(path) not in open_files()


def test_two_iterators_of_a_path_do_not_know_of_each_other(path: Path) -> None:
    lines = parse_lines(path)
    one, other = iter(lines), iter(lines)
    assert [next(one).event, next(one).event, next(other).event] == ["event-0", "event-1", "event-0"]


def test_what_is_rejected_is_that_of_the_iteration_that_began_last() -> None:
    lines = parse_lines(b"1\n" + named("a") + b"2\n", on_error="collect")
    one = iter(lines)
    next(one)
    assert [line.raw for line in lines.rejected] == [b"1"]
    other = iter(lines)
    assert lines.rejected == []
    assert [len(list(one)), lines.rejected] == [0, []]
    assert [len(list(other)), [line.line for line in lines.rejected]] == [1, [1, 3]]


def test_a_file_that_was_given_goes_on_where_it_stands() -> None:
    lines = parse_lines(io.BytesIO(named("a")))
    assert [event.event for event in lines] == ["a"]
    assert list(lines) == []


def test_zeros_after_a_compressed_archive_are_not_read_one_by_one() -> None:
    class Counted(io.BytesIO):
        reads = 0

        def read(self, size: int | None = -1, /) -> bytes:
            self.reads += 1
            return super().read(size)

    file = Counted(gzip.compress(named("a")) + bytes(1 << 20))
    assert len(list(parse_lines(file))) == 1
    assert file.reads < 100


@pytest.mark.parametrize("size", [1_000, 30_000, 40_000, 262_140, 262_144, 600_000])
@pytest.mark.parametrize("is_given", [False, True], ids=["path", "file"])
def test_lines_of_any_length_are_those_of_the_same_bytes_in_memory(tmp_path: Path, size: int, is_given: bool) -> None:
    """Wherever in a line a part of the file ends, or a line in the memory of a part."""
    lines = [named("x" * (size - number)) + named(f"{number}") + b"7\r\n\n" for number in range(2_000_000 // size)]
    archive = b"".join(lines) + b'{"event":"last"}'
    path = tmp_path / "archive"
    path.write_bytes(archive)

    def source() -> Any:
        return io.BytesIO(archive) if is_given else path

    in_memory = parse_lines(archive, on_error="collect")
    in_file = parse_lines(source(), on_error="collect")
    expected, kept = list(in_memory.numbered()), list(in_file.numbered())
    assert [(line, event.raw) for line, event in kept] == [(line, event.raw) for line, event in expected]
    assert in_file.rejected == in_memory.rejected != []
    assert bankhook.diagnose_lines(source()) == bankhook.diagnose_lines(archive)


def test_an_event_that_is_kept_stays_the_same_while_the_file_is_read_on(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    path.write_bytes(named(*(f"event-{number:09}" for number in range(300_000))))
    kept = list(parse_lines(path))[::9_973]
    few = [event for number, event in enumerate(parse_lines(path)) if number % 9_973 == 0]
    expected = [f"event-{number:09}" for number in range(0, 300_000, 9_973)]
    assert [event.event for event in kept] == [event.event for event in few] == expected


def test_a_file_is_read_in_few_parts_each_in_memory_of_an_earlier_one(tmp_path: Path) -> None:
    code = """
import sys, resource, bankhook
from bankhook import _core
from bankhook._archive._source import OpenedSource
reader, parts = _core._read_archive(OpenedSource(sys.argv[1]), None, None, False), 0
before = 0
while _core._diagnose_part(reader) is not None:
    parts += 1
    before = before or resource.getrusage(resource.RUSAGE_SELF).ru_minflt
print(parts, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
    path, sandbox = tmp_path / "archive", bankhook.Sandbox(seed=1)
    path.write_bytes(b"".join(delivery.payload + b"\n" for delivery in sandbox.deliveries(2_000)) * 20)
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True)
    parts, faults = map(int, done.stdout.split())
    size = path.stat().st_size
    assert parts < size // (256 << 10) + 3
    assert faults * os.sysconf("SC_PAGESIZE") < size // 4
