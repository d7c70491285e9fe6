# SPDX-License-Identifier: MIT
"""Mistakes that are made: each message is one sentence in the command's own words, and names the file or what to write."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cli.command import COMMAND, clean_archive, faulty_archive, run

DAY = "such as 2026-05-31"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "day.ndjson").write_bytes(clean_archive())
    (tmp_path / "empty.ndjson").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("track --ending tomorrow day.ndjson", f"expected a day {DAY}, found 'tomorrow'"),
        ("track --ending 2026-13-01 day.ndjson", f"expected a day {DAY}, found '2026-13-01'"),
        ("simulate --start yesterday", f"expected a day or a time {DAY}T09:30:00, found 'yesterday'"),
        ("replay inbox.db http://127.0.0.1:9/ --since yesterday", f"expected a day or a time {DAY}T09:30:00"),
        ("check --limit many day.ndjson", "expected a whole number, 0 or more, found 'many'"),
        ("check --limit -1 day.ndjson", "expected a whole number, 0 or more, found '-1'"),
        ("listen --port 99999", "expected a whole number, 0 to 65535, found '99999'"),
        ("show day.ndjson --line 0", "expected a whole number, 1 or more, found '0'"),
        ("simulate --faults 2", "'--faults': expected a rate from 0 to 1, or KIND=RATE"),
        ("simulate --faults dorp=0.1", "there is no dorp; did you mean 'drop'?"),
        ("check", "FILE... is missing: name archives, or `-` for standard input"),
        ("track --changes", "FILE... is missing: name archives, or `-` for standard input"),
        ("table -o tables", "IN... is missing: name archives, or `-` for standard input"),
        ("check empty.ndjson", "empty.ndjson: there are no events"),
        ("track --member cust-1 day.ndjson", "day.ndjson: no event is about the member cust-1"),
        ("inbox deliveries nope.db", "bankhook: nope.db: cannot open the inbox: there is no such file"),
        ("inbox forget nope.db cust-1", "bankhook: nope.db: cannot open the inbox: there is no such file"),
        ("replay nope.db http://127.0.0.1:9/", "bankhook: nope.db: cannot open the inbox: there is no such file"),
        ("listen --inbox day.ndjson --port 0", "bankhook: day.ndjson: cannot open the inbox: file is not a database"),
        ("listen --inbox mysql://x/y", "--inbox: expected a path"),
        ("listen --verify header --inbox x.db", "expected header:NAME, standard-webhooks, hmac:HEADER"),
        ("table day.ndjson --table transactions -o t.csv", "did you mean 'initial_transaction_update' or"),
        ("table day.ndjson -o out.xlsx", ".xlsx is no ending of a table"),
        ("simulate -n 3 -o day.ndjson.bz2", "day.ndjson.bz2: lines of JSON are written plain, or packed as .gz or .zst"),
        ("simulate -n 3 --labels labels.XZ", "labels.XZ: lines of JSON are written plain"),
        ("lifecycle transactions", "did you mean 'transaction'?"),
    ],
)
def test_the_message_says_what_to_write(words: str, said: str, folder: Path) -> None:
    before = sorted(folder.iterdir())
    done = run(*words.split())
    assert (done.status, done.out) == (2, "")
    assert said in " ".join(done.err.split())
    assert sorted(folder.iterdir()) == before


def test_the_place_of_a_snapshot_is_tried_before_the_work(folder: Path) -> None:
    done = run("track", "--snapshot", "nowhere/state", "day.ndjson")
    assert (done.status, done.out, done.err) == (2, "", "bankhook: nowhere/state: no such file or directory\n")
    assert run("track", "--snapshot", "state", "none.ndjson", "day.ndjson").status == 2
    assert sorted(one.name for one in folder.iterdir()) == ["day.ndjson", "empty.ndjson"]


@pytest.mark.parametrize("words", ["check", "check --json", "track --changes", "track --json"])
def test_findings_stay_findings_where_the_reader_leaves_early(words: str, folder: Path) -> None:
    (folder / "long.ndjson").write_bytes(faulty_archive() * 300)
    limit = [] if "--json" in words else ["--limit", "0"]
    script = '"$@" | head -1 >/dev/null; exit "${PIPESTATUS[0]}"'
    done = subprocess.run(
        ["bash", "-c", script, "-", COMMAND, *words.split(), *limit, "long.ndjson"], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"")


def test_options_stand_in_groups() -> None:
    text = run("check", "--help").out
    groups = {name: text.index(f"\n{name}:\n") for name in ("Options", "Archives", "Output")}
    assert list(groups.values()) == sorted(groups.values())
    assert groups["Options"] < text.index("--strict") < groups["Archives"] < text.index("--at ") < groups["Output"]
    assert groups["Output"] < text.rindex("--json") < text.rindex("--help")
