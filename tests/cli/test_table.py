# SPDX-License-Identifier: MIT
"""`bankhook table`: Parquet, Arrow and CSV of archives, complete or not there."""

from __future__ import annotations

import contextlib
import csv
import importlib
import io
import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bankhook import Sandbox, Tracker, is_clean, tables
from cli.command import faulty_archive, run
from python.parsed import transaction_update

ARCHIVE = faulty_archive()
NAMES = [
    "accounts",
    "bank_connections_update_v2",
    "connections",
    "initial_transaction_update",
    "rejected",
    "unknown_events",
]
pyarrow: Any = importlib.import_module("pyarrow")
parquet: Any = importlib.import_module("pyarrow.parquet")
ipc: Any = importlib.import_module("pyarrow.ipc")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "archive.ndjson"
    path.write_bytes(ARCHIVE)
    return path


def rows(table: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.table(table).to_pylist()
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_file_has_the_rows_and_the_types_of_the_table(archive: Path, tmp_path: Path, name: str, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    done = run("table", archive, "--table", name, "-o", out)
    assert (done.status, done.err) == (1, "")  # lines were rejected
    found = parquet.read_table(out) if ending == "parquet" else ipc.open_file(out).read_all()
    table = getattr(tables(archive), name)
    assert found.schema.equals(pyarrow.schema(table), check_metadata=False)
    assert rows(found) == rows(table)
    assert found.schema.metadata[b"bankhook.table"] == name.encode()
    assert all(b"bankhook.section" in field.metadata for field in found.schema)
    assert sorted(os.listdir(tmp_path)) == ["archive.ndjson", out.name]


@pytest.mark.parametrize("name", ["out.xlsx", "out.ndjson.bz2", "out.parquet.gz"])
def test_an_ending_that_is_not_known_is_no_name_of_a_folder(archive: Path, tmp_path: Path, name: str) -> None:
    done = run("table", archive, "-o", tmp_path / name)
    assert done.status == 2
    assert f"{Path(name).suffix} is no ending of a table: name a file .parquet, .arrow," in done.err
    assert os.listdir(tmp_path) == ["archive.ndjson"]


def test_csv_has_a_column_for_each_field_that_is_selected(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    fields = "line, initialTransaction.id,initialTransaction.amount,initialTransaction.status,line"
    done = run("table", archive, "--table", "initial_transaction_update", "--select", fields, "-o", out)
    assert done.status == 1
    with out.open(newline="") as file:
        found = list(csv.DictReader(file))
    assert list(found[0]) == ["line", *(f"initialTransaction.{name}" for name in ("id", "amount", "status"))]
    expected = rows(tables(archive).initial_transaction_update)
    assert [(row["line"], row["initialTransaction.amount"]) for row in found] == [
        (str(row["line"]), str(row["initialTransaction"]["amount"])) for row in expected
    ]


def test_parquet_has_the_fields_that_are_selected_within_structs_and_lists(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    fields = "line,connection.id,connection.accounts.id,customer.id"
    assert run("table", archive, "--table", "bank_connections_update_v2", "--select", fields, "-o", out).status == 1
    found = parquet.read_table(out)
    expected = rows(tables(archive).bank_connections_update_v2)
    assert rows(found) == [
        {
            "line": row["line"],
            "customer": {"id": row["customer"]["id"]},
            "connection": {
                "id": row["connection"]["id"],
                "accounts": [{"id": one["id"]} for one in row["connection"]["accounts"]],
            },
        }
        for row in expected
    ]
    assert found.schema.field("connection").type.field("id").metadata[b"bankhook.section"] == b"2.2"


def test_standard_output_has_the_csv_of_one_table_and_nothing_else(archive: Path, tmp_path: Path) -> None:
    for name in ("rejected", "accounts"):
        out = tmp_path / "out.csv"
        run("table", archive, "--table", name, "-o", out)
        done = run("table", archive, "--table", name, "-o", "-")
        assert done.status == 1
        assert done.out == out.read_text(encoding="utf-8")
        count = len(rows(tables(archive).rejected))
        says = f"{count} lines were rejected: --table rejected says where and why\n"
        assert done.err == ("" if name == "rejected" else says)
    assert not (tmp_path / "-").exists()


def test_csv_has_no_lists_and_leaves_no_file(archive: Path, tmp_path: Path) -> None:
    done = run("table", archive, "--table", "bank_connections_update_v2", "-o", tmp_path / "out.csv")
    assert done.status == 2
    assert "CSV has no lists: leave out customer.connections" in done.err
    assert os.listdir(tmp_path) == ["archive.ndjson"]


def test_standard_input_is_one_archive(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    done = run("table", "-", "--table", "rejected", "-o", out, stdin=ARCHIVE)
    assert done.status == 1
    assert rows(parquet.read_table(out)) == rows(tables(ARCHIVE).rejected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "out.parquet"], "one file holds one table"),
        (["-o", "-"], "one file holds one table"),
        (["-o", "out", "--select", "line"], "--select needs --table"),
        (["-o", "out", "--table", "accounts", "--select", "line,nothing"], "has no column nothing"),
    ],
)
def test_wrong_usage_is_status_2_and_writes_nothing(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("table", archive, *arguments)
    assert done.status == 2
    assert message in " ".join(done.err.split())
    assert os.listdir(tmp_path) == ["archive.ndjson"]


def test_a_missing_archive_is_reported_in_one_line(tmp_path: Path) -> None:
    done = run("table", tmp_path / "missing.ndjson", "-o", tmp_path / "out")
    assert done.status == 2
    assert done.err == f"bankhook: {tmp_path / 'missing.ndjson'}: no such file or directory\n"


@pytest.mark.parametrize("stdin", [True, False])
def test_an_inbox_is_not_read_as_an_archive(tmp_path: Path, stdin: bool) -> None:
    path = tmp_path / "inbox.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("create table deliveries (body blob)")
    done = run("table", "-" if stdin else path, "-o", tmp_path / "out", stdin=path.read_bytes() if stdin else b"")
    assert done.status == 2
    assert done.err == (
        f"bankhook: {'<stdin>' if stdin else path}: it is a binary file, not lines of JSON; if it is an inbox, open it with "
        "bankhook.inbox.open or look into it with `bankhook inbox`\n"
    )
    assert os.listdir(tmp_path) == ["inbox.db"]


def test_events_inside_of_envelopes_are_read_on_demand(archive: Path, tmp_path: Path) -> None:
    enveloped, one, other = (tmp_path / name for name in ("enveloped.ndjson", "one.csv", "other.csv"))
    lines = [line for line in archive.read_bytes().splitlines() if is_clean(line)]
    (tmp_path / "plain.ndjson").write_bytes(b"\n".join(lines))
    enveloped.write_bytes(b"\n".join(b'{"body":%b}' % line for line in lines))
    of = ("--table", "initial_transaction_update", "--select", "line,initialTransaction.id")
    assert run("table", tmp_path / "plain.ndjson", *of, "-o", one).status == 0
    assert run("table", enveloped, "--at", "body", *of, "-o", other).status == 0
    assert one.read_bytes() == other.read_bytes()


def test_fields_of_envelopes_are_kept_on_demand(tmp_path: Path) -> None:
    archive = tmp_path / "enveloped.ndjson"
    archive.write_bytes(b'{"at":"now","n":1,"body":{"event":"x"}}\n{"at":"then","body":7}\n')
    of = ("table", archive, "--at", "body", "--keep", "at", "--keep", "n", "--table", "rejected", "--select", "line,at,n")
    assert run(*of, "-o", "-").out.splitlines() == ['"line","at","n"', '2,"then",']
    for wrong, message in ((of[4:6], "try --at body"), ((*of[2:4], "--keep", "line"), "column line already")):
        done = run("table", archive, *wrong, "-o", tmp_path / "out")
        assert (done.status, message in done.err) == (2, True)


@pytest.mark.parametrize("where", ["-", "out.csv"])
def test_csv_has_nothing_that_a_spreadsheet_or_a_terminal_obeys(where: str, tmp_path: Path) -> None:
    ids = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "a\x1b[31mb", "a\x9bb", "a\u202eb", "x'=1", "plain", "é\nf"]
    payload = transaction_update().to_wire()
    lines = [payload | {"customer": payload["customer"] | {"id": id_}} for id_ in ids]
    source = tmp_path / "a.ndjson"
    source.write_text("".join(f"{json.dumps(line, default=float)}\n" for line in lines), encoding="utf-8")

    def written(*options: str) -> list[str]:
        out = "-" if where == "-" else str(tmp_path / where)
        words = ("--table", "initial_transaction_update", "--select", "customer.id", *options)
        done = run("table", source, *words, "-o", out)
        assert (done.status, done.err) == (0, "")
        text = done.out if where == "-" else (tmp_path / where).read_bytes().decode()
        return [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:]

    shown = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", "a\\x1b[31mb", "a\\x9bb", "a\\u202eb", *ids[-3:]]
    assert written() == shown
    assert written("--formulas", "keep") == ids
    refused = run(
        "table", source, "--formulas", "refuse", "--table", "initial_transaction_update", "-o", tmp_path / "b.csv"
    )
    assert (refused.status, refused.out) == (2, "")
    assert "memberId has a text that a spreadsheet or a terminal would obey" in refused.err
    assert not (tmp_path / "b.csv").exists()


@pytest.mark.parametrize("name", ["tracked_members", "tracked_connections", "tracked_transactions"])
def test_what_is_tracked_after_all_archives_is_a_table(archive: Path, tmp_path: Path, name: str) -> None:
    second = tmp_path / "b.ndjson"
    second.write_bytes(b"\n".join(one.payload for one in Sandbox(seed=3, members=5).deliveries(200)))
    out = tmp_path / "out.parquet"
    assert run("table", archive, second, "--table", name, "-o", out).status == 1
    tracker = Tracker()
    for source in (archive, second):
        tracker.apply_lines(source)
    expected = getattr(tables(tracker), name.removeprefix("tracked_"))
    assert rows(parquet.read_table(out)) == rows(expected)
