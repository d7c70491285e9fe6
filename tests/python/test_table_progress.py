# SPDX-License-Identifier: MIT
"""The progress bar of tables: how much of all archives a stream has read, on a terminal only."""

from __future__ import annotations

import gzip
import io
import re
import sys
from pathlib import Path

import pytest

from bankhook import tables
from bankhook._render import progress
from python.table_rows import rows_of

EVENTS = b'{"event":"a"}\n' * 100_000


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def archives(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "a.ndjson", tmp_path / "b.ndjson.gz", tmp_path / "c.ndjson"]
    for path in paths:
        path.write_bytes(gzip.compress(EVENTS) if path.suffix == ".gz" else EVENTS)
    return paths


@pytest.mark.parametrize("threads", [1, 2])
def test_each_stream_has_a_bar_from_the_start_to_the_end(
    archives: list[Path], threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    table = tables(archives, threads=threads, progress=True).unknown_events.select("line")
    total = f"{sum(path.stat().st_size for path in archives) / 1e6:.1f}"
    for _ in range(2):
        monkeypatch.setattr(sys, "stderr", screen := Terminal())
        assert len(rows_of(table)) == 300_000
        shown = [float(done) for done in re.findall(rf"([\d.]+)/{total}\s+MB", screen.getvalue())]
        assert shown[0] < 1 and shown[-1] == float(total)
        assert shown == sorted(shown)


def test_without_a_terminal_nothing_is_shown(archives: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", screen := io.StringIO())
    assert len(rows_of(tables(archives, progress=True).unknown_events.select("line"))) == 300_000
    assert screen.getvalue() == ""
