# SPDX-License-Identifier: MIT
"""Tables that several threads decode: the rows, their keys and their order are those of one thread."""

from __future__ import annotations

import gc
import gzip
import io
import weakref
from typing import Any

import pytest

from bankhook import tables
from python.table_rows import TABLES, archive, expected, pyarrow, rows_of

ARCHIVE = archive(seed=11, count=1000)
LONG = ARCHIVE * (9_000_000 // len(ARCHIVE) + 1)  # several times what a thread takes at once


class Endless(io.RawIOBase):
    """A file of endless events, which a weak reference may watch."""

    def read(self, size: int = -1) -> bytes:
        return b'{"event":"a"}\n' * (size // 14 + 1)


def sources() -> list[Any]:
    packed = gzip.compress(LONG, 1)
    return [io.BytesIO(LONG), b"", b'{"event":"a"}\n[]', packed[: len(packed) // 2], LONG, b"\n"]


@pytest.mark.parametrize("name", TABLES)
def test_two_threads_and_more_give_the_table_of_one(name: str) -> None:
    one = pyarrow.table(getattr(tables(sources()), name))
    for threads in (2, 5):
        found = pyarrow.table(getattr(tables(sources(), threads=threads), name))
        assert found.num_rows == one.num_rows > 0
        assert found.equals(one)


def test_the_rows_are_those_that_parse_reads() -> None:
    found = tables(ARCHIVE, threads=3)
    for name, rows in expected(ARCHIVE).items():
        assert len(rows_of(getattr(found, name))) == len(rows)
    assert rows_of(found.rejected) == expected(ARCHIVE)["rejected"]


def test_without_the_key_column_there_is_nothing_to_count() -> None:
    columns = tables(LONG, threads=2).accounts.select("id", "line")
    assert pyarrow.table(columns).equals(pyarrow.table(tables(LONG).accounts.select("id", "line")))


def test_batches_have_at_most_so_many_rows() -> None:
    reader = pyarrow.RecordBatchReader.from_stream(tables(LONG, threads=2, batch_rows=100).connections)
    assert {batch.num_rows <= 100 for batch in reader} == {True}


@pytest.mark.parametrize("name", TABLES)
def test_the_rows_are_the_same_however_many_a_batch_has(name: str) -> None:
    packed = gzip.compress(ARCHIVE * 3, 1)
    elements = b"[" + b",".join(line for line in ARCHIVE.splitlines() if line.startswith(b'{"event":"bank')) + b"]"
    some = [ARCHIVE, elements, packed[: len(packed) // 2], b"[]", ARCHIVE + b"{"]
    whole = pyarrow.table(getattr(tables(some), name))
    assert whole.num_rows > 0
    for threads in (1, 2, 5):
        for batch_rows in (3, 50, 10_000):
            reader = pyarrow.RecordBatchReader.from_stream(
                getattr(tables(some, threads=threads, batch_rows=batch_rows), name)
            )
            batches = list(reader)
            assert max(batch.num_rows for batch in batches) <= batch_rows
            assert pyarrow.Table.from_batches(batches, reader.schema).equals(whole)


def test_what_a_thread_takes_at_once_is_one_batch() -> None:
    events = b'{"event":"a"}\n' * 500_000
    counts = [
        sum(1 for _ in pyarrow.RecordBatchReader.from_stream(tables(io.BytesIO(events), threads=threads).unknown_events))
        for threads in (1, 3)
    ]
    assert 1 < counts[1] < 1.2 * counts[0]


def test_a_stream_that_is_dropped_while_threads_decode_lets_its_source_go() -> None:
    source = Endless()
    watch = weakref.ref(source)
    stream = pyarrow.RecordBatchReader.from_stream(tables(source, threads=4).unknown_events)
    del source
    assert stream.read_next_batch().num_rows > 0
    del stream
    gc.collect()
    assert watch() is None


def test_a_source_that_raises_fails_the_stream() -> None:
    class Broken(Endless):
        left = 200

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            if self.left < 0:
                raise RuntimeError("the disk is on fire")
            return super().read(size)

    with pytest.raises(OSError, match="RuntimeError: the disk is on fire"):
        rows_of(tables(Broken(), threads=2).rejected)


def test_an_interruption_ends_the_stream_and_is_raised() -> None:
    class Interrupting(Endless):
        left = 100

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
            assert self.left > -1000
            return super().read(size)

    with pytest.raises(KeyboardInterrupt):
        try:
            rows_of(tables(Interrupting(), threads=2).rejected)
        except OSError as error:
            for _ in range(1000):  # where Python looks for signals
                assert "interrupted" in str(error)


def test_fewer_than_no_threads_are_a_value_error() -> None:
    with pytest.raises(ValueError, match="threads: expected 0 or more"):
        tables(b"", threads=-1)
    assert rows_of(tables(b'{"event":"a"}', threads=0).unknown_events)
