# SPDX-License-Identifier: MIT
"""Commands in real terminals of several widths: each caret is under the byte that its finding names, and no line is too long."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import bankhook
from bankhook.cli.terminal import plain
from cli.command import COMMAND, faulty_archive, objects, run

pytestmark = pytest.mark.slow

WIDTHS = (60, 80, 100, 120)
_HEIGHT = 2000
_SERVERS = itertools.count()


def screen(width: int, *arguments: str | os.PathLike[str], folder: Path) -> list[str]:
    """Return the lines of a terminal of this width in which the command has run to its end.

    A line that was too long for the screen, and goes on in the next one there, is returned as one line.
    """
    words = shlex.join([COMMAND, *(os.fspath(argument) for argument in arguments)])
    tmux = ["tmux", "-f", "/dev/null", "-S", str(folder / f"tmux-{next(_SERVERS)}")]
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "TMUX")}
    script = f"{words}; tmux wait-for -S done; exec cat"
    start = [*tmux, "new-session", "-d", "-x", str(width), "-y", str(_HEIGHT), script]
    subprocess.run(start, check=True, timeout=60, env={**environment, "LC_ALL": "C.UTF-8"})
    try:
        subprocess.run([*tmux, "wait-for", "done"], check=True, timeout=120)
        seen = subprocess.run([*tmux, "capture-pane", "-p", "-J"], check=True, capture_output=True, timeout=60)
    finally:
        subprocess.run([*tmux, "kill-server"], check=False, timeout=60, capture_output=True)
    return [line.rstrip() for line in seen.stdout.decode().rstrip("\n").split("\n")]


def carets(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the number of the line in the file, what stands before the caret's place, and what stands there and after."""
    for line, below in itertools.pairwise(lines):
        if below.endswith("^") and (gutter := re.match(r" *(\d+) \| ", line)):
            assert re.fullmatch(r" *\| *\^", below)
            assert below.index("|") == gutter[0].index("|")
            yield int(gutter[1]), line[gutter.end() : len(below) - 1], line[len(below) - 1 :]


def places(archive: bytes) -> list[tuple[int, str, str]]:
    """Return for each finding of an archive its line, and the text before and after the byte that it names."""
    found = []
    for number, line in enumerate(archive.splitlines(), 1):
        for finding in bankhook.diagnose(line):
            offset = finding.offset or 0
            found.append((number, plain(line[:offset].decode()), plain(line[offset:].decode())))
    return found


def assert_carets_are_under_their_places(lines: list[str], expected: list[tuple[int, str, str]]) -> None:
    shown = list(carets(lines))
    assert [number for number, *_ in shown] == [number for number, *_ in expected]
    for (_, before, after), (_, all_before, all_after) in zip(shown, expected, strict=True):
        assert all_before.endswith(before.removeprefix("…"))
        assert all_after.startswith(after.rstrip().removesuffix("…"))
        assert before.startswith("…") or before == all_before
        assert after or not all_after


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "archive.ndjson"
    path.write_bytes(faulty_archive())
    return path


@pytest.mark.parametrize("width", WIDTHS)
def test_check_has_each_caret_under_the_byte_that_its_finding_names(width: int, archive: Path, tmp_path: Path) -> None:
    lines = screen(width, "check", "--show-values", "--limit", "0", archive, folder=tmp_path)
    assert_carets_are_under_their_places(lines, places(faulty_archive()))
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_show_has_each_caret_under_the_byte_that_its_finding_names(width: int, archive: Path, tmp_path: Path) -> None:
    expected = places(faulty_archive())
    for number in sorted({number for number, *_ in expected})[:3]:
        lines = screen(width, "show", archive, "--line", str(number), folder=tmp_path)
        assert_carets_are_under_their_places(lines, [place for place in expected if place[0] == number])
        assert max(map(len, lines)) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_track_fits_the_terminal_and_cuts_no_id(width: int, archive: Path, tmp_path: Path) -> None:
    lines = screen(width, "track", "--changes", "--members", "0", archive, folder=tmp_path)
    assert max(map(len, lines)) <= width
    members = [
        row["member"] for row in objects(run("track", "--json", "--members", "0", archive)) if row["type"] == "member"
    ]
    section = lines[lines.index("Members") : lines.index("Verdicts")]
    assert [row.split()[0] for row in section if row.split()[:1] and row.split()[0] in members] == members


def test_demo_fits_the_terminal_and_its_carets_stand_where_they_do_without_one(tmp_path: Path) -> None:
    lines = screen(WIDTHS[0], "demo", folder=tmp_path)
    assert max(map(len, lines)) <= WIDTHS[0]
    shown, whole = (list(carets(text)) for text in (lines, run("demo").out.splitlines()))
    assert len(shown) == len(whole) > 1
    for (_, before, after), (_, all_before, all_after) in zip(shown, whole, strict=True):
        assert all_before.endswith(before.removeprefix("…")) or before.endswith(all_before.removeprefix("…"))
        assert all_after[:10].startswith(after[:10].removesuffix("…"))


def test_a_terminal_of_20_columns_shows_everything_in_short_lines(archive: Path, tmp_path: Path) -> None:
    hostile = "n" * 70 + "\u202e\x1b[31m"
    archive.write_bytes(faulty_archive() + b'{"event":"x","%b":1}\n' % hostile.encode().replace(b"\x1b", b"\\u001b"))
    for arguments in (["check", "--limit", "0"], ["show", "--line", "14"], ["track", "--changes"]):
        lines = screen(20, *arguments, archive, folder=tmp_path)
        assert max(map(len, lines)) <= 20
        assert len(lines) > 10
