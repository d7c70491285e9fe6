# SPDX-License-Identifier: MIT
"""The memory of tables is bounded by the batch, whatever the size of the archive: 4 GB in `./dev test --soak`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import bankhook
from python.table_rows import TABLES

SIZE = 4_000_000_000 if "BANKHOOK_SOAK_ROUNDS" in os.environ else 300_000_000
BOUND = 200_000_000
NAMES = [name for name in TABLES if name != "outcomes"]  # a tracker keeps its members
KINDS = ["bank_connections_update_v2", "initial_transaction_update", "unknown_events", "rejected"]
CODE = """
import sys, bankhook, pyarrow
archive = bankhook.tables(sys.argv[1], threads=int(sys.argv[2]))
for name in sys.argv[3:]:
    reader = pyarrow.RecordBatchReader.from_stream(getattr(archive, name))
    print(name, sum(batch.num_rows for batch in reader))
print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
pytestmark = pytest.mark.slow


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


def read(path: Path, threads: int) -> tuple[dict[str, int], int]:
    """The rows of each table, and the most memory that the process took."""
    command = [sys.executable, "-c", CODE, str(path), str(threads), *NAMES]
    *counts, memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: int(rows) for name, rows in map(str.split, counts)}, 1024 * int(memory)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_archive_of_any_size_takes_less_than_200_megabytes(archive: Archive, threads: int) -> None:
    none, least = read(Path(os.devnull), threads)
    assert set(none.values()) == {0}
    rows, most = read(archive.path, threads)
    assert archive.path.stat().st_size >= SIZE > BOUND
    assert sum(rows[name] for name in KINDS) == archive.lines
    assert min(rows.values()) > 0
    assert most - least < BOUND
