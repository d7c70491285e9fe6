# SPDX-License-Identifier: MIT
"""Streams of tables when Python fails: what sources raise, folders that cannot be listed, forks, the interpreter's end."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bankhook import _core, tables
from python.table_rows import pyarrow, rows_of

EVENT = b'{"event":"a"}'


class OnlyOnce(io.BytesIO):
    """A file like a pipe."""

    def seekable(self) -> bool:
        return False


class Payloads:
    """What an inbox is read with: it gives one list, and then none."""

    def __init__(self, *given: object) -> None:
        self._given = [[*given], []]

    def payloads(self) -> object:
        return self._given.pop(0)


@pytest.mark.parametrize("threads", [1, 3])
def test_rows_that_precede_an_exception_arrive(threads: int) -> None:
    class Broken(io.RawIOBase):
        left = 100

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            if self.left < 0:
                raise RuntimeError("the disk is on fire")
            return (EVENT + b"\n") * 5000

    reader = pyarrow.RecordBatchReader.from_stream(tables(Broken(), threads=threads).unknown_events.select("line"))
    lines: list[int] = []
    with pytest.raises(OSError, match="RuntimeError: the disk is on fire"):
        for batch in reader:
            lines += batch.column(0).to_pylist()
    assert lines == list(range(1, 500_001))


@pytest.mark.parametrize("threads", [1, 3])
def test_an_exception_whose_text_is_no_unicode_fails_the_stream_with_it_escaped(threads: int) -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise RuntimeError("odd \udcff name")

    with pytest.raises(OSError, match=r"RuntimeError: odd \\udcff name"):
        rows_of(tables(Broken(), threads=threads).rejected)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_source_error_whose_text_is_no_unicode_is_a_rejected_line(threads: int) -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise OSError("odd \udcff name")

    (row,) = rows_of(tables(Broken(), threads=threads).rejected)
    assert (row["rule"], row["found"]) == ("source_is_readable", "odd \\udcff name")


@pytest.mark.parametrize("rest", [EVENT, EVENT[:5]], ids=["whole", "half"])
@pytest.mark.parametrize("at", [None, "b"])
def test_no_row_is_made_of_half_a_line(at: str | None, rest: bytes) -> None:
    start = b"" if at is None else b'{"b":'

    class Broken(io.RawIOBase):
        pieces: tuple[bytes, ...] = (b"%s%s%s\n%s%s" % (start, EVENT, b"}" * bool(at), start, rest),)

        def read(self, size: int = -1) -> bytes:
            if not self.pieces:
                raise OSError("the disk is on fire")
            (piece,), self.pieces = self.pieces, ()
            return piece

    assert [row["line"] for row in rows_of(tables(Broken(), at=at).unknown_events)] == [1]
    (row,) = rows_of(tables(Broken(), at=at).rejected)
    assert (row["line"], row["rule"]) == (2, "source_is_readable")
    assert row["raw"] in (rest, start + rest)


def test_a_folder_that_cannot_be_listed_is_a_rejected_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "locked").mkdir()
    (tmp_path / "open.ndjson").write_bytes(EVENT)
    scandir = os.scandir

    def refusing(path: Any) -> Any:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = tables(tmp_path)
    assert found.sources == (str(tmp_path / "open.ndjson"), str(tmp_path / "locked"))
    assert [row["found"] for row in rows_of(found.rejected)] == ["Permission denied"]


def test_a_schema_that_cannot_be_had_leaves_a_source_that_is_read_once() -> None:
    table = tables(OnlyOnce(EVENT)).unknown_events
    with pytest.raises(ValueError, match="requested_schema"):
        table.__arrow_c_stream__(pyarrow.schema([("other", pyarrow.int64())]).__arrow_c_schema__())
    assert len(rows_of(table)) == 1


@pytest.mark.parametrize("given", [(1, "text", ()), ("1", b"{}", ()), 7, (1, b"{}"), (1, b"{}", 2), (1 << 80, b"{}", ())])
@pytest.mark.parametrize("threads", [1, 2])
def test_payloads_of_wrong_types_fail_the_stream(given: object, threads: int) -> None:
    request = ("rejected", (), 4, False, ())
    stream = _core._table_stream(request, [Payloads((1, EVENT, ()), given)], 10, threads, None)

    class Holder:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return stream

    with pytest.raises(OSError, match=r"TypeError|OverflowError"):
        rows_of(Holder())


def test_more_threads_than_processors_can_use_read_no_more_ahead() -> None:
    class Counted(io.RawIOBase):
        reads = 0

        def read(self, size: int = -1) -> bytes:
            self.reads += 1
            return (EVENT + b"\n") * 7000

    source = Counted()
    reader = pyarrow.RecordBatchReader.from_stream(tables(source, threads=100_000).unknown_events)
    assert reader.read_next_batch().num_rows > 0
    assert source.reads < 12 * 8 * (os.cpu_count() or 1) + 20


@pytest.mark.slow
def test_a_forked_child_neither_waits_for_threads_nor_reads_on() -> None:
    code = (
        "import os, pyarrow, bankhook\n"
        "class Endless:\n"
        '    def read(self, size): return b\'{"event":"a"}\\n\' * 7000\n'
        "reader = pyarrow.RecordBatchReader.from_stream(bankhook.tables(Endless(), threads=3).unknown_events)\n"
        "reader.read_next_batch()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try:\n"
        "        reader.read_next_batch()\n"
        "    except OSError as error:\n"
        "        assert 'another process' in str(error), error\n"
        "        del reader\n"
        "        os._exit(7)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7\n"
        "assert reader.read_next_batch().num_rows > 0\n"
    )
    subprocess.run([sys.executable, "-c", code], timeout=120, check=True)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_source_may_wait_while_the_interpreter_ends(threads: int) -> None:
    code = (
        "import threading, time, pyarrow, bankhook\n"
        "class Endless:\n"
        "    def read(self, size):\n"
        "        time.sleep(0.0005)\n"
        '        return b\'{"event":"a"}\\n\' * 1000\n'
        f"reader = pyarrow.RecordBatchReader.from_stream(bankhook.tables(Endless(), threads={threads}).unknown_events)\n"
        "started = threading.Event()\n"
        "def read():\n"
        "    for batch in reader: started.set()\n"
        "threading.Thread(target=read, daemon=True).start()\n"
        "assert started.wait(60)\n"
    )
    for _ in range(3):
        assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 0
