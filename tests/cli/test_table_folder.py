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
from bankhook.cli.tablefiles import stem_of as stem_of_path, write_one
from cli.command import COMMAND, faulty_archive, run

ARCHIVE = faulty_archive()
EVENT = b'{"event":"a"}\n'
NAMES = sorted({*_core._table_names} - {"outcomes"})
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


def stem_of(archive: Path) -> str:
    return stem_of_path(str(archive))


def file_of(out: Path, table: str, archive: Path) -> Path:
    return out / table / f"{stem_of(archive)}.parquet"


def test_a_folder_has_every_table_of_every_archive(archive: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ndjson.gz"
    other.write_bytes(gzip.compress(ARCHIVE))
    out = tmp_path / "out"
    assert run("table", tmp_path, "-o", out).status == 1
    assert sorted(os.listdir(out)) == NAMES
    for name in NAMES:
        assert sorted(os.listdir(out / name)) == [stem + ".parquet" for stem in (stem_of(archive), stem_of(other))]
        both = parquet.read_table(out / name)
        assert both.num_rows == 2 * len(rows(getattr(tables(archive), name)))


def test_a_folder_says_where_the_reasons_of_rejected_lines_are(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    count = len(rows(tables(archive).rejected))
    says = f"{count} lines were rejected: {out / 'rejected'} says where and why"
    first = run("table", archive, "-o", out)
    assert f"{count}  rejected (lines that are not events)" in first.out
    assert says in first.out


def test_an_archive_is_the_same_however_its_path_is_spelled(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, months = tmp_path / "out", tmp_path / "months"
    months.mkdir()
    archive = archive.rename(months / "archive.ndjson")
    (tmp_path / "link").symlink_to(months)
    monkeypatch.chdir(tmp_path)
    run("table", "months", "-o", out)
    before = sorted(out.glob("*/*.parquet"))
    assert len(before) == len(NAMES)
    for spelled in ("./months", "months/archive.ndjson", months, "link", "link/../months"):
        assert run("table", spelled, "-o", out).status == 1
        assert sorted(out.glob("*/*.parquet")) == before


def test_a_run_that_failed_leaves_nothing_incomplete(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    file_of(out, "accounts", archive).mkdir(parents=True)  # where the file should be
    done = run("table", archive, "-o", out)
    assert done.status == 2
    assert not list(out.rglob(".*.incomplete"))
    os.rmdir(file_of(out, "accounts", archive))
    assert run("table", archive, "-o", out).status == 1
    assert len(list(out.rglob("*.parquet"))) == len(NAMES)


def test_two_archives_of_one_name_have_files_of_their_own_whichever_is_written_first(tmp_path: Path) -> None:
    first, second = tmp_path / "a" / "one.ndjson", tmp_path / "b" / "one.ndjson"
    for count, path in enumerate((first, second), 1):
        path.parent.mkdir()
        path.write_bytes(EVENT * count)
    out = tmp_path / "out"
    assert run("table", second, "-o", out).status == 0
    assert run("table", first, "-o", out).status == 0
    for count, path in enumerate((first, second), 1):
        assert parquet.read_table(file_of(out, "unknown_events", path)).num_rows == count


def test_what_was_written_within_the_archives_is_no_archive(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    first = run("table", tmp_path, "-o", out)
    assert first.status == 1
    assert run("table", tmp_path, "-o", out).out == first.out
    assert rows(parquet.read_table(out / "rejected")) == rows(tables(archive).rejected)
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
        assert parquet.read_table(out / "unknown_events" / "stdin.parquet").num_rows == events


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
        assert parquet.read_table(out / name).num_rows == len(rows(getattr(tables(archive), name))) > 0


def test_csv_of_all_tables_is_refused_before_anything_is_written(archive: Path, tmp_path: Path) -> None:
    done = run("table", archive, "-o", tmp_path / "out", "--format", "csv")
    assert done.status == 2
    assert "CSV has no lists" in done.err
    assert os.listdir(tmp_path) == ["archive.ndjson"]


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
        write_one(tables(cast("Any", Broken())), "rejected", (), str(tmp_path / "out.csv"), "csv")
    assert raised.value.filename == "months.ndjson"
    assert os.listdir(tmp_path) == []
