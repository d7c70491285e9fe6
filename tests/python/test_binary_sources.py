# SPDX-License-Identifier: MIT
"""A binary file is not an archive, whoever reads it; damaged text is one."""

from __future__ import annotations

import contextlib
import gzip
import importlib
import io
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bankhook

EVENT = b'{"event":"a"}\n'
BINARY = {
    "png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
    "zip": b"PK\x03\x04" + bytes(range(40)) * 9,
    "parquet": b"PAR1\x15\x04\x15\x10" + bytes(200),
    "utf-16": ('{"event":"a"}' * 9).encode("utf-16"),
    "zeros": bytes(5_000),
    "gzip of a png": gzip.compress(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20),
}
DAMAGED = {
    "a line of zeros": EVENT + bytes(5_000) + b"\n" + EVENT,
    "a line of control characters": EVENT + bytes(range(1, 9)) * 400 + b"\n" + EVENT,
    "invalid UTF-8": EVENT + b"\xff\xfe" * 2_000 + b"\n" + EVENT,
    "zeros before the first line": bytes(500) + b"\n" + EVENT * 2,
    "invalid UTF-8 in the first line": b"\xff" * 5_000 + b"\n" + EVENT * 2,
    "dashes, as of comments of SQL": b"-- " * 2000 + b'x\n{"event":"a"}\n{"event":"a"}\n',
}
READERS: dict[str, Callable[[object], object]] = {
    "parse_lines": lambda source: list(bankhook.parse_lines(source)),  # type: ignore[call-overload]
    "diagnose_lines": bankhook.diagnose_lines,  # type: ignore[dict-item]
    "apply_lines": lambda source: bankhook.Tracker().apply_lines(source),  # type: ignore[arg-type]
    "tables": bankhook.tables,  # type: ignore[dict-item]
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("text", BINARY.values(), ids=BINARY)
def test_a_binary_source_is_refused(read: Callable[[object], object], text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(text)
    with open(path, "rb") as file:
        for source in (path, str(path), text, bytearray(text), io.BytesIO(text), file):
            with pytest.raises(
                OSError, match=r"it is a (binary file, not lines of JSON|zip archive|Parquet file)"
            ) as raised:
                read(source)
            assert raised.value.filename == (str(path) if source in (path, str(path), file) else None)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_an_inbox_is_not_an_archive_and_the_error_says_what_opens_it(
    read: Callable[[object], object], tmp_path: Path
) -> None:
    path = tmp_path / "inbox.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("create table deliveries (body blob)")
    with pytest.raises(OSError, match=r"binary file.* if it is an inbox, open it with bankhook\.inbox\.open"):
        read(path)


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_is_a_finding_and_not_a_binary_file(text: bytes) -> None:
    events = bankhook.parse_lines(text, on_error="collect")
    assert [event.event for event in events] == ["a", "a"]
    assert len(events.rejected) == 1
    assert bankhook.diagnose_lines(text).rejected == 1
    assert bankhook.Tracker().apply_lines(text).rejected == 1


def test_a_binary_file_among_the_archives_of_a_directory_is_a_row_of_rejected(tmp_path: Path) -> None:
    pyarrow: Any = importlib.import_module("pyarrow")
    (tmp_path / "a.ndjson").write_bytes(BINARY["png"])
    (tmp_path / "b.ndjson").write_bytes(EVENT)
    found = bankhook.tables(tmp_path)
    assert pyarrow.table(found.unknown_events.select("source", "event")).to_pylist() == [{"source": 1, "event": "a"}]
    assert pyarrow.table(found.rejected.select("source", "rule", "found")).to_pylist() == [
        {"source": 0, "rule": "source_is_readable", "found": "it is a binary file, not lines of JSON"}
    ]
