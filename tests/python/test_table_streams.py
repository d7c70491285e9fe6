# SPDX-License-Identifier: MIT
"""Streams of tables in the hands of consumers: dropped, released twice, used by other threads, asked for other schemas."""

from __future__ import annotations

import gc
import io
import signal
import subprocess
import sys
import threading
import weakref
from typing import Any

import pytest

from bankhook import tables
from python.table_rows import archive, expected, pyarrow, rows_of

ARCHIVE = archive(seed=7, count=600)
EXPECTED = expected(ARCHIVE)


class Watched(io.RawIOBase):
    """A file of endless events, which a weak reference may watch."""

    def read(self, size: int = -1) -> bytes:
        return b'{"event":"a"}\n' * (size // 14 + 1)


def test_a_stream_that_is_dropped_early_lets_its_source_go() -> None:
    source = Watched()
    watch = weakref.ref(source)
    stream = pyarrow.RecordBatchReader.from_stream(tables(source).unknown_events)
    del source
    assert stream.read_next_batch().num_rows > 0
    assert watch() is not None
    del stream
    gc.collect()
    assert watch() is None


def test_a_capsule_that_nobody_takes_lets_its_source_go() -> None:
    source = Watched()
    watch = weakref.ref(source)
    capsule: Any = tables(source).unknown_events.__arrow_c_stream__()
    del source, capsule
    gc.collect()
    assert watch() is None


def test_a_stream_can_be_taken_out_of_its_capsule_once() -> None:
    class Taken:
        def __init__(self, capsule: object) -> None:
            self._capsule = capsule

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return self._capsule

    taken = Taken(tables(ARCHIVE).rejected.__arrow_c_stream__())
    assert rows_of(taken) == EXPECTED["rejected"]
    with pytest.raises(pyarrow.ArrowInvalid, match="released"):
        rows_of(taken)


def test_a_reader_may_be_closed_twice_and_batches_outlive_it() -> None:
    reader = pyarrow.RecordBatchReader.from_stream(tables(ARCHIVE, batch_rows=20).accounts)
    batch = reader.read_next_batch()
    reader.close()
    reader.close()
    del reader
    gc.collect()
    assert batch.to_pylist() == EXPECTED["accounts"][:20]


def test_a_stream_is_read_and_dropped_by_other_threads() -> None:
    readers = [
        pyarrow.RecordBatchReader.from_stream(tables(io.BytesIO(ARCHIVE), batch_rows=50).connections) for _ in range(8)
    ]
    found: list[Any] = []

    def read() -> None:
        reader = readers.pop()
        found.append(reader.read_next_batch().to_pylist())
        found.append(reader.read_next_batch().to_pylist())
        del reader

    threads = [threading.Thread(target=read) for _ in readers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, found)) == sorted(map(str, [EXPECTED["connections"][:50], EXPECTED["connections"][50:100]] * 8))


def test_a_schema_with_other_columns_cannot_be_had() -> None:
    table = tables(ARCHIVE).rejected
    for schema in (pyarrow.schema(table).remove(0), pyarrow.schema([("other", pyarrow.int64())])):
        with pytest.raises(ValueError, match="requested_schema: expected the columns of the table"):
            table.__arrow_c_stream__(schema.__arrow_c_schema__())
    with pytest.raises(ValueError, match="PyCapsule_GetPointer called with incorrect name"):
        table.__arrow_c_stream__(table.__arrow_c_stream__())


def test_a_schema_with_other_types_leaves_the_conversion_to_the_consumer() -> None:
    table = tables(ARCHIVE).rejected
    schema = pyarrow.schema(table)
    other = schema.set(1, pyarrow.field("line", pyarrow.int32(), nullable=False))
    reader = pyarrow.RecordBatchReader.from_stream(table, schema=other)
    assert reader.schema == schema
    assert reader.read_all().to_pylist() == EXPECTED["rejected"]


def test_reading_does_not_keep_other_threads_from_running() -> None:
    """The source waits for a thread that runs only if the lock is given up while it waits and while a part is decoded."""
    seen = threading.Semaphore(0)
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            seen.release()
            stop.wait(0.001)

    class Waiting(io.RawIOBase):
        left = 20

        def read(self, size: int = -1) -> bytes:
            assert seen.acquire(timeout=60)
            self.left -= 1
            return b'{"event":"a"}\n' * 10 if self.left > 0 else b""

    thread = threading.Thread(target=count)
    thread.start()
    try:
        assert len(rows_of(tables(Waiting()).unknown_events)) == 190
    finally:
        stop.set()
        thread.join()


def test_an_interruption_ends_the_stream_and_is_raised() -> None:
    class Interrupting(Watched):
        reads = 0

        def read(self, size: int = -1) -> bytes:
            self.reads += 1
            if self.reads == 3:
                signal.raise_signal(signal.SIGINT)
            assert self.reads < 100
            return super().read(size)

    with pytest.raises(KeyboardInterrupt):
        try:
            rows_of(tables(Interrupting(), batch_rows=1 << 40).unknown_events)
        except OSError as error:
            for _ in range(1000):  # where Python looks for signals
                assert "interrupted" in str(error)


@pytest.mark.slow
def test_streams_may_outlive_the_interpreter() -> None:
    code = (
        "import threading, time, pyarrow, bankhook\n"
        "class Endless:\n"
        '    def read(self, size): return b\'{"event":"a"}\\n\' * 1000\n'
        "reader = pyarrow.RecordBatchReader.from_stream(bankhook.tables(Endless()).unknown_events)\n"
        "started = threading.Event()\n"
        "def read():\n"
        "    for batch in reader: started.set()\n"
        "threading.Thread(target=read, daemon=True).start()\n"
        "assert started.wait(60)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 0
