# SPDX-License-Identifier: MIT
"""Streams of tables in the hands of a consumer that has nothing but the C structs, and does with them what it should not."""

from __future__ import annotations

import ctypes
import gc
import io
import os
import threading
import weakref
from pathlib import Path
from typing import Any

import pytest

import bankhook
from python.table_rows import TABLES, archive, expected

ARCHIVE = archive(seed=23, count=400)
EXPECTED = expected(ARCHIVE)


class Schema(ctypes.Structure):
    """An ArrowSchema."""

    _fields_ = (
        *((name, ctypes.c_char_p) for name in ("format", "name", "metadata")),
        *((name, ctypes.c_int64) for name in ("flags", "n_children")),
        *((name, ctypes.c_void_p) for name in ("children", "dictionary")),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class Array(ctypes.Structure):
    """An ArrowArray."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
        *((name, ctypes.c_void_p) for name in ("buffers", "children", "dictionary")),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class Stream(ctypes.Structure):
    """An ArrowArrayStream."""

    _fields_ = (
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class Endless(io.RawIOBase):
    """A file that has no end, which a weak reference may watch."""

    def read(self, size: int = -1) -> bytes:
        return ARCHIVE


class Broken(io.RawIOBase):
    """A file that fails after three thousand events."""

    _reads = 0

    def read(self, size: int = -1) -> bytes:
        self._reads += 1
        if self._reads > 3:
            raise RuntimeError("the disk is on fire")
        return b'{"event":"a"}\n' * 1000


def address_in(capsule: object, name: bytes) -> int:
    """Where the struct of a capsule lies."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    found: int = get(capsule, name)
    return found


def opened(table: bankhook.types.Table) -> Stream:
    """A stream moved out of its capsule, which frees nothing then."""
    capsule: Any = table.__arrow_c_stream__()
    place = Stream.from_address(address_in(capsule, b"arrow_array_stream"))
    moved = Stream.from_buffer_copy(place)
    ctypes.memset(ctypes.byref(place), 0, ctypes.sizeof(place))
    return moved


def next_of(stream: Stream) -> Array:
    """The next batch; at the end one that is released already. Raises OSError with the message of the stream."""
    array = Array()
    if error := stream.get_next(ctypes.byref(stream), ctypes.byref(array)):
        raise OSError(error, stream.get_last_error(ctypes.byref(stream)))
    return array


def release(struct: Schema | Array | Stream) -> None:
    """Release a struct in a thread of its own, and then again by the callback it had, as no consumer may."""
    address = ctypes.cast(struct.release, ctypes.c_void_p).value
    assert address is not None
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
    thread = threading.Thread(target=callback, args=[ctypes.byref(struct)])
    thread.start()
    thread.join()
    assert not struct.release
    callback(ctypes.byref(struct))
    assert not struct.release


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stream_that_is_at_its_end_stays_there(threads: int) -> None:
    for name in TABLES:
        stream = opened(getattr(bankhook.tables(ARCHIVE, batch_rows=7, threads=threads), name))
        rows = 0
        while (array := next_of(stream)).release:
            rows += array.length
            release(array)
        assert rows == len(EXPECTED[name]) > 0
        for _ in range(3):
            assert not next_of(stream).release
        release(stream)


@pytest.mark.parametrize("threads", [1, 3])
def test_what_is_released_twice_and_by_another_thread_is_freed_once(threads: int) -> None:
    for name in TABLES:
        source = Endless()
        watch = weakref.ref(source)
        stream = opened(getattr(bankhook.tables(source, batch_rows=1, threads=threads), name))
        del source
        first, second = next_of(stream), next_of(stream)
        release(first)
        assert watch() is not None
        release(stream)
        gc.collect()
        assert watch() is None
        assert second.length > 0
        release(second)


def test_a_tracker_has_streams_like_those_of_archives() -> None:
    tracker = bankhook.Tracker()
    tracker.apply_lines(ARCHIVE)
    for name in ("members", "connections", "transactions"):
        stream = opened(getattr(bankhook.tables(tracker, batch_rows=1), name))
        batch = next_of(stream)
        release(stream)
        assert batch.length == 1
        release(batch)


def test_each_schema_that_is_asked_for_outlives_the_stream_and_the_others() -> None:
    stream = opened(bankhook.tables(ARCHIVE).rejected)
    schemas = [Schema() for _ in range(3)]
    for schema in schemas:
        assert stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)) == 0
    release(stream)
    for schema in schemas:
        assert (schema.format, schema.n_children) == (b"+s", len(EXPECTED["rejected"][0]))
        release(schema)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stream_that_failed_fails_again_with_the_same_message(threads: int) -> None:
    stream = opened(bankhook.tables(Broken(), batch_rows=500, threads=threads).unknown_events)
    rows = 0
    messages = set[str]()
    while len(messages) == 0:
        try:
            array = next_of(stream)
        except OSError as error:
            messages.add(str(error))
        else:
            rows += array.length
            release(array)
    for _ in range(3):
        with pytest.raises(OSError, match="RuntimeError: the disk is on fire") as raised:
            next_of(stream)
        messages.add(str(raised.value))
    assert (rows, len(messages)) == (3000, 1)
    release(stream)


def test_a_schema_that_was_released_cannot_be_asked_for() -> None:
    table = bankhook.tables(ARCHIVE).rejected
    capsule = table.__arrow_c_schema__()
    release(Schema.from_address(address_in(capsule, b"arrow_schema")))
    with pytest.raises(ValueError, match="requested_schema: expected the columns of the table"):
        table.__arrow_c_stream__(capsule)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say what memory a process has")
def test_streams_that_are_dropped_early_leave_no_memory() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    events = b'{"event":"%s"}\n' % (b"a" * 1000) * 2000
    before = 0
    for number in range(300):
        stream = opened(bankhook.tables([events, io.BytesIO(events)], threads=1 + number % 3).unknown_events)
        batch = next_of(stream)
        release(stream)
        release(batch)
        if number == 60:
            before = resident()
    assert resident() - before < 80_000_000  # if each left its batch, 250
