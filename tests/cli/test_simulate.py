# SPDX-License-Identifier: MIT
"""`bankhook simulate`: it writes the same bytes as the sandbox, and which line has which fault."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest

import bankhook
from cli.command import run, shaped


def test_it_writes_what_the_sandbox_delivers() -> None:
    expected = bankhook.Sandbox(seed=9, members=4, faults={"drop": 0.1}).deliveries(50)
    done = run("simulate", "-n", "50", "--seed", "9", "--members", "4", "--faults", "drop=0.1")
    assert (done.status, done.err) == (0, "")
    assert done.out.encode() == b"".join(delivery.payload + b"\n" for delivery in expected)


def test_an_archive_without_faults_is_clean(tmp_path: Path) -> None:
    done = run("simulate", "-o", tmp_path / "a.ndjson")
    assert done == (0, "", f"1,000 deliveries written to {tmp_path / 'a.ndjson'}\n")
    assert run("simulate", "-n", "1", "-o", tmp_path / "b.ndjson").err.startswith("1 delivery written to ")
    assert run("simulate", "-n", "1").err == ""
    assert run("check", tmp_path / "a.ndjson").status == 0


def test_labels_say_which_line_has_which_fault(tmp_path: Path) -> None:
    archive, labels = tmp_path / "a.ndjson", tmp_path / "labels.ndjson"
    assert run("simulate", "--faults", "0.1", "--labels", labels, "-o", archive).status == 0
    lines = archive.read_bytes().split(b"\n")
    written = shaped("labels", [json.loads(line) for line in labels.read_text().splitlines()])
    deliveries = bankhook.Sandbox(faults=0.1).deliveries(1000)
    expected = [delivery for delivery in deliveries if delivery.fault is not None]
    assert len(written) == len(expected) > 100
    for label, delivery in zip(written, expected, strict=True):
        start = label["line"] - 1
        assert b"\n".join(lines[start : start + label["lines"]]) == delivery.payload
        assert delivery.fault is not None
        assert (label["kind"], label["rule"]) == (delivery.fault.kind, delivery.fault.rule)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--faults", "lost=0.1"],
        ["--faults", "drop=2"],
        ["--faults", "drop"],
        ["--faults", "drop=1"],
        ["--members", "0"],
        ["--seed", "-1"],
        ["-n", "-1"],
    ],
)
def test_wrong_values_are_wrong_usage(arguments: list[str]) -> None:
    done = run("simulate", *arguments)
    assert (done.status, done.out) == (2, "")
    assert "Error: " in done.err
    assert "Traceback" not in done.err


def test_a_history_spans_the_time_that_is_asked_for() -> None:
    done = run("simulate", "-n", "40", "--start", "2027-03-01T09:30:00", "--pace", "1.5d")
    start, pace = datetime.datetime(2027, 3, 1, 9, 30), datetime.timedelta(days=1.5)
    expected = bankhook.Sandbox(start=start.replace(tzinfo=datetime.UTC), pace=pace).deliveries(40)
    assert done.out.encode() == b"".join(delivery.payload + b"\n" for delivery in expected)


@pytest.mark.parametrize("wrong", ["10", "s", "-1s", "1e9d", "999999999d", "25d", "0ms", "nans"])
def test_a_wrong_pace_is_wrong_usage(wrong: str) -> None:
    done = run("simulate", "-n", "1", f"--pace={wrong}")
    assert done.status == 2
    assert "pace" in done.err
