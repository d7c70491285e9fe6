# SPDX-License-Identifier: MIT
"""The progress bar: of bytes or of things that are counted, on a terminal only, and out of the way of other output."""

from __future__ import annotations

import io
import sys
import time

import pytest

from bankhook._render import progress
from bankhook._render.progress import Bar


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("counts", "shown"), [(True, "30/100"), (False, "30/100 bytes")])
def test_it_shows_how_much_is_done(counts: bool, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    with Bar(100, counts=counts) as bar:
        bar.update(30)
    assert " ".join(shown.split()) in " ".join(screen.getvalue().split())


def test_without_a_terminal_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := io.StringIO())
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    with Bar(100, counts=True) as bar:
        bar.update(30)
    assert screen.getvalue() == ""


@pytest.mark.parametrize(
    ("counts", "line"), [(True, "bankhook: 30,000,000 of 100,000,000"), (False, "bankhook: 30 MB of 100 MB")]
)
def test_without_a_terminal_there_is_a_line_a_minute(counts: bool, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(sys, "stderr", screen := io.StringIO())
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with Bar(100_000_000, counts=counts) as bar:
        for seconds in (0.0, 59.0, 60.0, 61.0, 119.0, 125.0):
            now = seconds
            bar.update(30_000_000)
    assert screen.getvalue().splitlines() == [f"{line} after {minutes} min" for minutes in (1, 2)]
