# SPDX-License-Identifier: MIT
"""`bankhook table` into a folder: what is replaced, refused, and never mixed up."""

from __future__ import annotations

import csv
import gzip
import importlib
import os
import subprocess
from pathlib import Path
from typing import Any, cast

import click
import pytest

from bankhook import _core, tables
from bankhook.cli.tablefiles import write_tables
from cli.command import COMMAND, faulty_archive, run

ARCHIVE = faulty_archive()
EVENT = b'{"event":"a"}\n'
NAMES = sorted(_core._table_names)
pyarrow: Any = importlib.import_module("pyarrow")
parquet: Any = importlib.import_module("pyarrow.parquet")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "archive.ndjson"
    path.write_bytes(ARCHIVE)
    return path


def rows(table: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.table(table).to_pylist()
    return found


def test_a_folder_has_every_table_of_all_archives(archive: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ndjson.gz"
    other.write_bytes(gzip.compress(ARCHIVE))
    out = tmp_path / "out"
    assert run("table", archive, other, "-o", out).status == 1
    tracked = ["tracked_connections", "tracked_members", "tracked_transactions"]
    assert sorted(os.listdir(out)) == sorted(f"{name}.parquet" for name in [*NAMES, *tracked])
    for name in NAMES:
        both = rows(parquet.read_table(out / f"{name}.parquet"))
        assert both == rows(getattr(tables([archive, other]), name))
        assert {row["source"] for row in both} == {0, 1}


def test_a_folder_says_where_the_reasons_of_rejected_lines_are(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    count = len(rows(tables(archive).rejected))
    says = f"{count} lines were rejected: {out / 'rejected.parquet'} says where and why"
    first = run("table", archive, "-o", out)
    assert f"{count}  rejected (lines that are not events)" in first.out
    assert says in first.out


def test_a_run_that_failed_leaves_nothing_incomplete(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "accounts.parquet").mkdir(parents=True)  # where the file should be
    done = run("table", archive, "-o", out)
    assert done.status == 2
    assert not list(out.rglob(".*.incomplete"))
    os.rmdir(out / "accounts.parquet")
    assert run("table", archive, "-o", out).status == 1
    assert len(list(out.rglob("*.parquet"))) == len(NAMES) + 3


def test_what_was_written_within_the_archives_is_no_archive(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    first = run("table", tmp_path, "-o", out)
    assert first.status == 1
    assert run("table", tmp_path, "-o", out).out == first.out
    assert rows(parquet.read_table(out / "rejected.parquet")) == rows(tables(archive).rejected)
    one = archive.with_name("rejected.csv")
    run("table", tmp_path, "--table", "rejected", "--select", "source,line", "-o", one)
    before = one.read_bytes()
    run("table", tmp_path, "--table", "rejected", "--select", "source,line", "-o", one)
    assert one.read_bytes() == before


def test_standard_input_is_written_whole_each_time(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for text, events in ((EVENT, 1), (EVENT * 2, 2), (EVENT * 2, 2)):
        done = run("table", "-", "-o", out, stdin=text)
        assert (done.status, done.err) == (0, "")
        assert parquet.read_table(out / "unknown_events.parquet").num_rows == events


def test_standard_input_has_rejected_lines_beside_the_table_that_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    done = run("table", "-", "--table", "unknown_events", "-o", out, stdin=EVENT + b"[]\n")
    assert (done.status, done.err) == (1, "")
    assert "1 line was rejected: --table rejected says where and why" in done.out


def test_a_pipe_has_all_tables(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = f"exec '{COMMAND}' table <(cat '{archive}') -o '{out}'"
    assert subprocess.run(["bash", "-c", command], check=False, capture_output=True, timeout=120).returncode == 1
    for name in NAMES:
        assert parquet.read_table(out / f"{name}.parquet").num_rows == len(rows(getattr(tables(archive), name))) > 0


def test_csv_escapes_bytes_that_are_no_unicode(tmp_path: Path) -> None:
    archive, out = tmp_path / "archive.ndjson", tmp_path / "out.csv"
    archive.write_bytes(b"\xff odd\n")
    done = run("table", archive, "--table", "rejected", "-o", out)
    assert (done.status, done.err) == (1, "")
    with out.open(newline="") as file:
        assert [row["raw"] for row in csv.DictReader(file)] == ["\\xff odd"]


def test_what_a_source_raises_is_reported_with_its_name(tmp_path: Path) -> None:
    class Broken:
        name = "months.ndjson"

        def read(self, size: int) -> bytes:
            raise RuntimeError("the disk is on fire")

    with pytest.raises(click.FileError, match="RuntimeError: the disk is on fire") as raised:
        write_tables(tables(cast("Any", Broken())), {"rejected": str(tmp_path / "out.csv")}, (), "csv")
    assert raised.value.filename == "months.ndjson"
    assert os.listdir(tmp_path) == []
