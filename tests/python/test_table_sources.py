# SPDX-License-Identifier: MIT
"""What tables are read from, and bad input: the good rows arrive, and the bad lines are in `rejected` with their place."""

from __future__ import annotations

import array
import datetime
import gzip
import importlib
import io
import mmap
import os
import random
from pathlib import Path
from typing import Any

import pytest

from bankhook import InitialTransactionUpdate, parse_lines, tables
from python.parsed import payload
from python.table_rows import TABLES, Row, archive, expected, pyarrow, rows_of

ARCHIVE = archive(seed=5, count=400)
EXPECTED = expected(ARCHIVE)
EVENT = b'{"event":"a"}'


def counts(source: Any) -> tuple[int, int]:
    """How many unlisted events, and how many rejected lines."""
    found = tables(source)
    return len(rows_of(found.unknown_events)), len(rows_of(found.rejected))


def rejected(source: Any) -> list[Row]:
    return rows_of(tables(source).rejected)


class OnlyOnce(io.BytesIO):
    """A file like a pipe."""

    def seekable(self) -> bool:
        return False


class Growing(io.BytesIO):
    """A file that grows while it is read, and is cut later on."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces = [EVENT + b"\n" + EVENT[:5], EVENT[5:] + b"\n", b""]

    def seekable(self) -> bool:
        return False

    def read(self, size: int | None = -1) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""


# Sources


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, io.BytesIO, lambda text: array.array("B", text)])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_bytes_buffers_and_files_have_the_same_tables_each_time_they_are_read(make: Any, packed: bool) -> None:
    found = tables(make(gzip.compress(ARCHIVE) if packed else ARCHIVE))
    for name in (*TABLES, *TABLES):
        assert len(rows_of(getattr(found, name))) == len(EXPECTED[name])


def test_a_path_and_a_memory_map_have_the_same_tables(tmp_path: Path) -> None:
    path = tmp_path / "archive.ndjson"
    path.write_bytes(ARCHIVE)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for source in (path, str(path), file, mapped):
            assert rows_of(tables(source).rejected) == EXPECTED["rejected"]


def test_a_file_is_read_from_where_it_stands() -> None:
    file = io.BytesIO(EVENT + b"\n" + EVENT)
    file.readline()
    found = tables(file)
    assert [rows_of(found.unknown_events)[0]["line"] for _ in range(2)] == [1, 1]


def test_two_streams_of_one_file_do_not_disturb_each_other() -> None:
    found = tables(io.BytesIO(ARCHIVE * 20), batch_rows=10)
    streams = [pyarrow.RecordBatchReader.from_stream(found.connections) for _ in range(2)]
    pairs = list(zip(*streams, strict=True))
    assert len(pairs) > 10
    assert all(one.equals(other) for one, other in pairs)


def test_what_can_be_read_only_once_says_so_the_second_time() -> None:
    found = tables(OnlyOnce(EVENT))
    assert len(rows_of(found.unknown_events)) == 1
    with pytest.raises(ValueError, match="<file> can be read only once"):
        rows_of(found.rejected)


def test_many_sources_have_their_numbers_and_their_own_lines(tmp_path: Path) -> None:
    (tmp_path / "b.ndjson").write_bytes(EVENT + b"\n[]\n")
    found = tables([EVENT, tmp_path / "b.ndjson", io.BytesIO(b"\n" + EVENT)])
    places = [(row["source"], row["line"], row["eventIndex"]) for row in rows_of(found.unknown_events)]
    assert places == [(0, 1, 0), (1, 1, 0), (2, 2, 0)]
    assert [(row["source"], row["line"], row["eventIndex"]) for row in rows_of(found.rejected)] == [(1, 2, 1)]
    assert found.sources == ("<bytes>", str(tmp_path / "b.ndjson"), "<file>")


def test_a_glob_and_a_directory_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    names = ["2.ndjson", "1.jsonl.gz", "3.json", "folder/4.ndjson"]
    (tmp_path / "folder").mkdir()
    for name in names:
        text = b'{"event":"%s"}' % name.encode()
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    for source in (tmp_path, [str(tmp_path / "*"), str(tmp_path / "1*")], str(tmp_path / "**")):
        found = tables(source)
        read = [row["event"] for row in rows_of(found.unknown_events)]
        assert sorted(read) == sorted(names)
        assert [os.path.relpath(one, tmp_path) for one in found.sources] == read
    assert read[:3] == ["1.jsonl.gz", "2.ndjson", "3.json"]


def test_a_directory_with_foreign_files_has_a_rejected_row_for_each(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(EVENT + b"\n[]")
    (tmp_path / "notes.txt").write_bytes(EVENT)
    (tmp_path / "table.parquet").write_bytes(random.Random(1).randbytes(10_000))
    (tmp_path / "_SUCCESS").write_bytes(b"")
    (tmp_path / ".hidden.ndjson").write_bytes(EVENT)
    found = tables(tmp_path)
    assert len(rows_of(found.unknown_events)) == 1
    rows = rows_of(found.rejected)
    assert [(row["source"], row["line"], row["rule"], row["raw"]) for row in rows] == [
        (0, 2, "payload_is_json_object", b"[]"),
        (1, 1, "source_is_readable", b""),
        (2, 1, "source_is_readable", b""),
    ]
    assert {row["found"] for row in rows[1:]} == {"it is not named as an archive"}


def test_a_path_that_leads_nowhere_is_an_error_at_once(tmp_path: Path) -> None:
    sources: list[Any] = [tmp_path / "missing", str(tmp_path / "*.ndjson"), [EVENT, tmp_path / "missing"]]
    for source in sources:
        with pytest.raises(FileNotFoundError):
            tables(source)


@pytest.mark.parametrize("source", [7, None, [7], [[EVENT]], 1.5], ids=repr)
def test_what_cannot_be_read_is_a_type_error(source: Any) -> None:
    with pytest.raises(TypeError, match=r"tables\(\) expects"):
        tables(source)


# Bad input


def test_a_file_that_disappears_is_a_rejected_row_and_the_others_are_read(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.ndjson" for number in range(3)]
    for path in paths:
        path.write_bytes(EVENT)
    found = tables(paths)
    paths[1].unlink()
    assert [row["source"] for row in rows_of(found.unknown_events)] == [0, 2]
    (row,) = rows_of(found.rejected)
    assert (row["source"], row["line"], row["rule"]) == (1, 1, "source_is_readable")
    assert row["found"] == "No such file or directory"
    assert str(tmp_path) not in repr(row)


@pytest.mark.parametrize("seed", range(8))
def test_a_truncated_gzip_gives_its_good_rows_and_one_row_for_the_rest(seed: int) -> None:
    packed = gzip.compress(ARCHIVE)
    found = tables([packed[: random.Random(seed).randrange(50, len(packed))], EVENT])
    *bad, last = rows_of(found.rejected)
    assert (last["source"], last["rule"]) == (0, "source_is_readable")
    assert "damaged gzip data" in last["found"]
    lines = ARCHIVE.split(b"\n")
    assert lines[last["line"] - 1].startswith(last["raw"])
    before = expected(b"\n".join(lines[: last["line"] - 1]))
    assert bad == before["rejected"]
    for name in ("bank_connections_update_v2", "initial_transaction_update"):
        assert len(rows_of(getattr(found, name))) == len(before[name])
    assert len(rows_of(found.unknown_events)) == len(before["unknown_events"]) + 1


@pytest.mark.parametrize(
    ("text", "events", "lines"),
    [
        (b"\xef\xbb\xbf" + EVENT + b"\n" + EVENT, 2, []),
        (EVENT + b"\r\n" + EVENT + b"\r\n", 2, []),
        (b"\n\n" + EVENT + b"\n \t\n\r\n" + EVENT + b"\n\n", 2, []),
        (EVENT + b"\n\xff\xfe" + EVENT + b"\n" + EVENT, 2, [2]),
        (EVENT + b"\n" + b"\0" * 100_000, 1, [2]),
        (EVENT + b"\n" + EVENT[:-1], 1, [2]),
        (b"", 0, []),
        (b"\n", 0, []),
    ],
    ids=["BOM", "CRLF", "blank lines", "not UTF-8", "NUL tail", "cut off", "empty", "one blank line"],
)
def test_bad_lines_are_rejected_with_their_place(text: bytes, events: int, lines: list[int]) -> None:
    for make in (bytes, io.BytesIO, gzip.compress):
        assert counts(make(text)) == (events, len(lines))
        rows = rejected(make(text))
        assert [row["line"] for row in rows] == lines
        assert [row["raw"] for row in rows] == [text.split(b"\n")[line - 1] for line in lines]


IN_UTC = ("9999-12-31T18:59:59-05:00", "0001-01-01T05:00:00+05:00", "9999-12-31T23:59:59", "0001-01-01T00:00:00Z")
BEYOND = ("9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59.999999-00:01")


@pytest.mark.parametrize("library", ["pyarrow", "pandas", "polars", "duckdb"])
def test_an_instant_beyond_the_years_of_utc_is_one_rejected_row_and_all_others_can_be_read(library: str) -> None:
    """The reader takes them: Python shows them with their offset."""
    text = payload("transaction_created").strip()
    archive = b"\n".join(text.replace(b"2026-05-04T10:15:30.000Z", date.encode()) for date in IN_UTC + BEYOND)
    for event, date in zip(parse_lines(archive), IN_UTC + BEYOND, strict=True):
        assert isinstance(event, InitialTransactionUpdate)
        assert event.initial_transaction.date == datetime.datetime.fromisoformat(date)
    found = tables(archive)
    bad = rows_of(found.rejected)
    assert [row["line"] for row in bad] == [5, 6, 7]
    assert {(row["rule"], row["path"], row["found"]) for row in bad} == {
        ("timestamp_fits_column", "$.initialTransaction.date", "another year")
    }
    updates = found.initial_transaction_update
    if library == "pyarrow":
        dates = [row["initialTransaction"]["date"] for row in rows_of(updates)]
    elif library == "pandas":
        table = pyarrow.table(updates)["initialTransaction"].combine_chunks().flatten()
        names = [field.name for field in pyarrow.table(updates)["initialTransaction"].type]
        dates = [None if str(one) == "NaT" else one.to_pydatetime() for one in table[names.index("date")].to_pandas()]
    elif library == "polars":
        dates = importlib.import_module("polars").DataFrame(updates)["initialTransaction"].struct.field("date").to_list()
    else:
        connection = importlib.import_module("duckdb").connect()
        connection.execute("set timezone = 'UTC'")
        batch = pyarrow.table(updates)
        dates = [date for (date,) in connection.sql("select initialTransaction.date from batch").fetchall()]
        assert batch.num_rows == 4
    expected = [datetime.datetime.fromisoformat(date) for date in IN_UTC]
    assert list(dates) == [date if date.tzinfo else None for date in expected]
    assert len(rows_of(tables(archive, unit="ns").rejected)) == 7


def test_a_line_of_100_megabytes_is_read_or_rejected_as_one() -> None:
    long = b'{"event":"a","x":"' + b"x" * 100_000_000 + b'"}'
    assert counts(b"\n".join([EVENT, long, EVENT])) == (3, 0)
    (row,) = rejected(io.BytesIO(b"\n".join([EVENT, long[:-1], EVENT])))
    assert (row["line"], len(row["raw"])) == (2, len(long) - 1)


def test_a_file_that_grows_or_shrinks_is_read_to_the_end_that_it_has(tmp_path: Path) -> None:
    assert len(rows_of(tables(Growing()).unknown_events)) == 2
    path = tmp_path / "archive.ndjson"
    path.write_bytes((EVENT + b"\n") * 100_000)
    stream = pyarrow.RecordBatchReader.from_stream(tables(path, batch_rows=1000).unknown_events)
    first = stream.read_next_batch().num_rows
    os.truncate(path, 0)
    rest = sum(batch.num_rows for batch in stream)
    assert first == 1000
    assert first + rest < 100_000


def test_arrays_and_events_over_several_lines_have_the_lines_on_which_they_begin() -> None:
    text = b'[\n{"event":"a"},\n {"event":\n"b"}, 7]'
    found = tables(io.BytesIO(text))
    assert [(row["line"], row["event"]) for row in rows_of(found.unknown_events)] == [(2, "a"), (3, "b")]
    assert [(row["line"], row["raw"]) for row in rows_of(found.rejected)] == [(4, b"7")]


def test_a_source_that_raises_something_else_fails_the_stream_with_its_message() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> Any:
            raise RuntimeError("the disk is on fire")

    sources: Any = [EVENT, Broken()]
    with pytest.raises(OSError, match="RuntimeError: the disk is on fire"):
        rows_of(tables(sources).unknown_events)
