# SPDX-License-Identifier: MIT
"""The memory of tables is bounded by the batch, whatever the size of the archive: 4 GB in `./dev test --soak`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import bankhook
from bankhook import Account
from python.table_rows import TABLES

SIZE = 4_000_000_000 if "BANKHOOK_SOAK_ROUNDS" in os.environ else 300_000_000
BOUND = 200_000_000
NAMES = [name for name in TABLES if name != "outcomes"]  # a tracker keeps its members
KINDS = ["bank_connections_update_v2", "initial_transaction_update", "unknown_events", "rejected"]
CODE = """
import json, sys, bankhook, pyarrow
archive = bankhook.tables(sys.argv[1], **json.loads(sys.argv[2]))
for name in sys.argv[3:]:
    reader = pyarrow.RecordBatchReader.from_stream(getattr(archive, name))
    print(name, sum(batch.num_rows for batch in reader))
print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


class Archive(NamedTuple):
    """A file, and how many lines it has."""

    path: Path
    lines: int


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Events with faults, again and again; the file does not outlive the tests."""
    path = tmp_path_factory.mktemp("large") / "archive.ndjson"
    if shutil.disk_usage(path.parent).free < 2 * SIZE:
        pytest.skip(f"{path.parent} has no {2 * SIZE:,} free bytes")
    faults = bankhook.sandbox.Faults(duplicate=0.02, truncate=0.02, mutate=0.02, future=0.02)
    deliveries = bankhook.Sandbox(seed=17, members=500, faults=faults).deliveries(20_000)
    lines = [delivery.payload.replace(b"\n", b" ") for delivery in deliveries]
    block = b"".join(line + b"\n" for line in lines if line.strip())
    repeats = -(-SIZE // len(block))
    try:
        with path.open("wb") as file:
            for _ in range(repeats):
                file.write(block)
        yield Archive(path, repeats * block.count(b"\n"))
    finally:
        path.unlink()


def read(path: Path, **options: Any) -> tuple[dict[str, int], int]:
    """The rows of each table, and the most memory that the process took."""
    command = [sys.executable, "-c", CODE, str(path), json.dumps(options), *NAMES]
    *counts, memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: int(rows) for name, rows in map(str.split, counts)}, 1024 * int(memory)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_an_archive_of_any_size_takes_less_than_200_megabytes(archive: Archive, threads: int) -> None:
    none, least = read(Path(os.devnull), threads=threads)
    assert set(none.values()) == {0}
    rows, most = read(archive.path, threads=threads)
    assert archive.path.stat().st_size >= SIZE > BOUND
    assert sum(rows[name] for name in KINDS) == archive.lines
    assert min(rows.values()) > 0
    assert most - least < BOUND


def line_of(accounts: int, connection_id: str) -> bytes:
    """An event whose connection has so many accounts."""
    sandbox = bankhook.Sandbox(seed=accounts, members=1)
    event = sandbox.create_connection(sandbox.member(0))
    held = [Account(id=f"a{number}", account_hash=None) for number in range(accounts)]
    return event.replace(connection=event.connection.replace(id=connection_id, accounts=held)).to_json()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("accounts", "size"), [(10_000, 30_000), (30_000, 10_000)])
@pytest.mark.parametrize("is_kept", [True, False])
def test_a_line_whose_rows_repeat_a_long_text_takes_memory_like_its_batches(
    tmp_path: Path, threads: int, accounts: int, size: int, is_kept: bool
) -> None:
    text = "c" * size
    line = b'{"kept":"%s","body":%s}' % (text.encode(), line_of(accounts, "c")) if is_kept else line_of(accounts, text)
    path = tmp_path / "archive.ndjson"
    path.write_bytes(line + b"\n")
    options = {"at": "body", "keep": ["kept"]} if is_kept else {}
    _, least = read(Path(os.devnull), threads=threads, **options)
    rows, most = read(path, threads=threads, **options)
    assert rows["accounts"] >= accounts
    assert most - least < 60_000_000 < accounts * size
