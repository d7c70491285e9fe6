# SPDX-License-Identifier: MIT
"""`bankhook table` killed among many archives: what has a name is complete, and the next run goes on."""

from __future__ import annotations

import importlib
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from bankhook import Sandbox
from bankhook.sandbox import Faults
from cli.command import COMMAND, run

pytestmark = pytest.mark.soak

ARCHIVES = 20
parquet: Any = importlib.import_module("pyarrow.parquet")


def written(folder: Path) -> Path:
    """Archives that differ, with faults."""
    folder.mkdir()
    for number in range(ARCHIVES):
        deliveries = Sandbox(number, members=5, faults=Faults(truncate=0.05, future=0.05)).deliveries(200)
        lines = [delivery.payload.replace(b"\n", b" ") for delivery in deliveries]
        (folder / f"{number}.ndjson").write_bytes(b"\n".join(lines))
    return folder


def killed(archives: Path, out: Path, done: int) -> None:
    """Start a run, and kill it as soon as this many archives are written."""
    with subprocess.Popen([COMMAND, "table", archives, "-o", out], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and sum(note.stat().st_size > 0 for note in (out / ".written").glob("[!.]*")) < done:
            time.sleep(0.001)
        process.kill()
    assert process.returncode == -signal.SIGKILL


def tables_in(out: Path) -> dict[str, Any]:
    """What each file has, by its place."""
    return {str(path.relative_to(out)): parquet.read_table(path) for path in out.glob("*/*.parquet")}


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_complete_files_and_the_next_one_goes_on(tmp_path: Path) -> None:
    archives, out = written(tmp_path / "archives"), tmp_path / "out"
    assert run("table", archives, "-o", tmp_path / "whole").status == 1
    whole = tables_in(tmp_path / "whole")
    for done in (1, 3):
        killed(archives, out, done)
        found = tables_in(out)
        assert 0 < len(found) < len(whole)
        assert all(table.equals(whole[place]) for place, table in found.items())
    last = run("table", archives, "-o", out)
    skipped = re.search(r"(\d+) of 20 archives were written before", last.out)
    assert skipped is not None and 3 <= int(skipped[1]) < ARCHIVES
    assert tables_in(out) == whole
    assert not list(out.rglob("*.incomplete"))
