# SPDX-License-Identifier: MIT
"""The example for Arrow C++ is built with the libraries of pyarrow, and the values that it writes are those of `parse`."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import bankhook
from installed import need_programs
from python.table_rows import archive, expected

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "arrow"
ARCHIVE = archive(seed=5, count=4000)  # more than a batch
pytestmark = [pytest.mark.compiler, pytest.mark.slow]
parquet: Any = importlib.import_module("pyarrow.parquet")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need_programs("ninja")
    build = tmp_path_factory.mktemp("build")
    found = [f"-Dbankhook_DIR={bankhook.get_cmake_dir()}", f"-DPython3_EXECUTABLE={sys.executable}"]
    for command in (["cmake", "-S", str(EXAMPLE), "-B", str(build), "-GNinja", *found], ["cmake", "--build", str(build)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return build / "to_parquet"


def test_the_file_and_what_is_printed_have_the_values_that_parse_gives(program: Path, tmp_path: Path) -> None:
    (tmp_path / "archive.ndjson").write_bytes(ARCHIVE)
    done = subprocess.run(
        [program, tmp_path / "archive.ndjson", tmp_path / "out.parquet"], capture_output=True, text=True, check=True
    )
    rows = expected(ARCHIVE)
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.to_pylist() == rows["initial_transaction_update"]
    assert table.schema.field("eventType").metadata[b"bankhook.section"] == b"6.3"

    totals: dict[str, list[Decimal]] = defaultdict(list)
    for row in rows["initial_transaction_update"]:
        totals[row["initialTransaction"]["status"]].append(row["initialTransaction"]["amount"])
    sums = [f"{status}: {len(totals[status])} events, {sum(totals[status]):.4f}" for status in sorted(totals)]
    assert len(sums) > 2
    rejected = [f"line {row['line']}: {row['rule']}" for row in rows["rejected"]]
    assert done.stdout.splitlines() == sums + rejected


def test_an_archive_that_is_not_there_is_an_error(program: Path, tmp_path: Path) -> None:
    done = subprocess.run([program, tmp_path / "none", tmp_path / "out"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be read" in done.stderr
    assert not (tmp_path / "out").exists()
