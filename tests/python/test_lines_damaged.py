# SPDX-License-Identifier: MIT
"""Archives that cannot be read to their end: what lies before comes first, then an error that says so; nothing stays open."""

from __future__ import annotations

import gzip
import io
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from bankhook import parse_lines

try:
    from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # from Python 3.14 on
except ImportError:
    from backports import zstd

NAMES = [f"event-{number}" for number in random.Random(7).sample(range(10**9), 20_000)]
ARCHIVE = "".join(f'{{"event":"{name}"}}\n' for name in NAMES).encode()
COMPRESS = {"gzip": gzip.compress, "zstd": zstd.compress}
KINDS = pytest.mark.parametrize("kind", COMPRESS)
PIECE = 8192  # bytes of the archive, more than what a damaged piece takes with it


def read_until_damage(source: Any) -> tuple[list[str], list[bytes], OSError]:
    """The names of the events, the lines rejected, and the error."""
    lines = parse_lines(source, on_error="collect")
    names: list[str] = []
    with pytest.raises(OSError) as caught:
        for event in lines:
            names.append(event.event)
    return names, [line.raw for line in lines.rejected], caught.value


@KINDS
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.9999])
def test_a_truncated_archive_gives_all_that_is_there(kind: str, share: float) -> None:
    whole = COMPRESS[kind](ARCHIVE)
    names, rejected, error = read_until_damage(whole[: int(len(whole) * share)])
    assert names == NAMES[: len(names)]
    assert len(rejected) <= 1 and all(ARCHIVE.count(raw) for raw in rejected)
    assert str(error).startswith(f"damaged {kind} data after ") and str(error).endswith(": it ends too early")


@KINDS
@pytest.mark.parametrize("is_array", [False, True])
def test_a_line_or_an_element_that_is_cut_is_no_error_of_its_own(kind: str, is_array: bool) -> None:
    """With `on_error="raise"`, too, the error is that of the source, after all events before that point."""
    packed = COMPRESS[kind](b"[" + ARCHIVE.strip().replace(b"\n", b",\n") + b"]" if is_array else ARCHIVE)
    for size in range(len(packed) // 2, len(packed) // 2 + 40):
        events, names = iter(parse_lines(packed[:size])), list[str]()
        with pytest.raises(OSError, match=f"damaged {kind} data after"):
            names.extend(event.event for event in events)
        assert names == NAMES[: len(names)]
        with pytest.raises(OSError, match=f"damaged {kind} data after"):
            next(events)


def test_an_event_without_its_line_break_is_given_before_the_damage() -> None:
    events = iter(parse_lines(gzip.compress(ARCHIVE[: len(NAMES[0]) + 12])[:-6]))
    assert next(events).event == NAMES[0]
    with pytest.raises(OSError, match="damaged gzip data after"):
        next(events)


@KINDS
def test_a_damaged_part_loses_nothing_of_the_parts_before_it(kind: str) -> None:
    first = COMPRESS[kind](ARCHIVE)
    second = bytearray(COMPRESS[kind](ARCHIVE))
    second[len(second) // 2 :] = os.urandom(len(second) - len(second) // 2)
    names, _, error = read_until_damage(first + bytes(second))
    assert names[: len(NAMES)] == NAMES
    assert f"damaged {kind} data" in str(error)


@KINDS
def test_other_bytes_after_an_archive_are_damage(kind: str) -> None:
    names, rejected, error = read_until_damage(COMPRESS[kind](ARCHIVE) + b"and more")
    assert (names, rejected) == (NAMES, [])
    assert str(error).startswith(f"damaged {kind} data after {len(ARCHIVE)} bytes of the archive: ")


def test_a_wrong_checksum_is_damage() -> None:
    whole = bytearray(gzip.compress(ARCHIVE))
    whole[-5] ^= 1
    names, rejected, error = read_until_damage(bytes(whole))
    assert len(ARCHIVE) - sum(len(name) + 13 for name in names) - sum(map(len, rejected)) < PIECE
    assert "check" in str(error)


@KINDS
def test_any_byte_may_be_wrong(kind: str) -> None:
    """Then there is an error, or the checksum is the damage, or it was a byte of no meaning: never a wrong event."""
    random_byte = random.Random(3)
    whole = COMPRESS[kind](ARCHIVE[:20_000])
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[random_byte.randrange(4, len(damaged))] ^= 1 << random_byte.randrange(8)
        lines = parse_lines(bytes(damaged), on_error="collect")
        try:
            for _event in lines:
                pass
        except OSError as error:
            assert str(error).startswith(f"damaged {kind} data")


def test_an_error_comes_again_and_the_events_do_not() -> None:
    events = iter(parse_lines(gzip.compress(ARCHIVE)[:-9], on_error="collect"))
    with pytest.raises(OSError):
        while True:
            next(events)
    with pytest.raises(OSError):
        next(events)


def test_a_file_that_fails_gives_what_it_gave() -> None:
    class Failing(io.RawIOBase):
        left = 3

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            if self.left < 0:
                raise OSError("gone")
            return b'{"event":"a"}\n{"event":'

    lines = parse_lines(Failing(), on_error="collect")  # type: ignore[call-overload]
    names: list[str] = []
    with pytest.raises(OSError, match="gone"):
        for event in lines:
            names.append(event.event)
    assert names == ["a"]
    assert [line.raw for line in lines.rejected] == [b'{"event":{"event":"a"}'] * 2 + [b'{"event":']


def test_a_folder_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        list(parse_lines(tmp_path))


def test_a_pipe_is_read_until_its_writer_leaves(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("wb", buffering=0) as file:
            for start in range(0, len(ARCHIVE), 10_007):
                file.write(ARCHIVE[start : start + 10_007])

    writer = threading.Thread(target=write)
    writer.start()
    assert [event.event for event in parse_lines(pipe)] == NAMES
    writer.join()


def test_standard_input_is_read() -> None:
    code = "import bankhook, sys; print(sum(1 for _ in bankhook.parse_lines(sys.stdin.buffer)))"
    said = subprocess.run([sys.executable, "-c", code], input=gzip.compress(ARCHIVE), capture_output=True, check=True)
    assert int(said.stdout) == len(NAMES)


def test_a_file_that_shrinks_meanwhile_ends_early(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    path.write_bytes(ARCHIVE * 10)
    events = iter(parse_lines(path, on_error="collect"))
    assert next(events).event == NAMES[0]
    os.truncate(path, 100)
    assert 0 < sum(1 for _ in events) < 10 * len(NAMES)


def test_a_file_that_does_not_block_is_rejected() -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with open(reader, "rb", buffering=0) as file, open(writer, "wb"), pytest.raises(BlockingIOError, match="blocks"):
        list(parse_lines(file))


def open_files() -> set[str]:
    return {os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}


@pytest.mark.slow
@pytest.mark.parametrize("damage", [False, True])
@KINDS
def test_no_file_stays_open(kind: str, damage: bool, tmp_path: Path) -> None:
    path = tmp_path / "archive"
    whole = COMPRESS[kind](ARCHIVE * 10)
    path.write_bytes(whole[:-20] if damage else whole)
    lines = parse_lines(path, on_error="collect")
    events = iter(lines)
    next(events)
    assert str(path) in open_files()
    del events
    assert str(path) not in open_files()
    events = iter(lines)
    try:
        for _ in events:
            pass
    except OSError:
        assert damage
    assert str(path) not in open_files()


def test_without_its_extra_zstandard_is_an_error_that_names_it() -> None:
    code = """
import sys
sys.modules["backports"] = sys.modules["compression"] = None
import bankhook
try:
    list(bankhook.parse_lines(b"\\x28\\xb5\\x2f\\xfd" + b"x" * 20))
except ImportError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "reading Zstandard needs Python 3.14 or the extra: pip install 'bankhook[zstd]'\n"


@pytest.mark.slow
def test_a_large_archive_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "archive.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(300):
            file.write(ARCHIVE)
    code = f"""
import bankhook, resource
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in bankhook.parse_lines({str(path)!r}))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    count, kilobytes = map(int, said.split())
    assert count == 300 * len(NAMES)
    assert kilobytes < 40_000 < 300 * len(ARCHIVE) / 1024


def test_the_signals_of_other_programs_do_not_end_the_reading(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    signals: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: signals.append(number))

    def write() -> None:
        with pipe.open("wb", buffering=0) as file:
            file.write(ARCHIVE[:1000])
            os.kill(os.getpid(), signal.SIGUSR1)
            file.write(ARCHIVE[1000:])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert sum(1 for _ in parse_lines(pipe)) == len(NAMES)
    finally:
        writer.join()
        signal.signal(signal.SIGUSR1, before)
    assert signals == [signal.SIGUSR1]
