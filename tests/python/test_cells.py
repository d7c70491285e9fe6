# SPDX-License-Identifier: MIT
"""Carets and lines are measured in the cells of a terminal, in `explain` and in the command alike."""

from __future__ import annotations

import io
import re
import sys
import unicodedata
from itertools import chain, pairwise

import pytest

import bankhook
from bankhook import _core
from bankhook.cli import findings, terminal

# Latin, Greek, Cyrillic, Hebrew, Arabic, Chinese, Japanese and Korean text; other marks count as a cell.
MEASURED = (
    *(range(0x20, 0x711), range(0x1100, 0x1200), range(0x1E00, 0x231A), range(0x2E80, 0xA4D0), range(0xA960, 0xA980)),
    *(range(0xAC00, 0xD800), range(0xF900, 0xFB00), range(0xFE10, 0x10000), range(0x20000, 0x30000)),
)
CHANGED = range(0x4DC0, 0x4E00)  # wide only since Unicode 16, which the Python at hand may not have
NAMES = ("ab", "é", "e\u0301\u0323", "日本語の名前", "한국어", "🛒🛒", "\u200b\u202e\u0301", "ﾊﾝｶｸ", "日" * 40)


def cells(text: str) -> int:
    """Return the width of a text by what Python knows about its characters."""
    return sum(
        0
        if unicodedata.category(one) in ("Mn", "Me") or "\u1160" <= one <= "\u11ff" or "\ud7b0" <= one <= "\ud7ff"
        else 2
        if unicodedata.east_asian_width(one) in "WF"
        else 1
        for one in text
    )


@pytest.mark.slow
def test_characters_of_the_measured_scripts_are_as_wide_as_python_knows_them_to_be() -> None:
    hidden = re.compile(f"[{_core._hidden_characters}]")
    for code_point in chain(*MEASURED):
        one = chr(code_point)
        if unicodedata.category(one) not in ("Cn", "Co", "Cs") and code_point not in CHANGED and not hidden.match(one):
            assert _core._cells(one) == cells(one), hex(code_point)


def payload(name: str, value: str) -> bytes:
    return f'{{"event":"x","{name}":"{value}","eventType":@}}'.encode()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [20, 40, 60, 80, 130])
def test_explain_and_the_command_put_the_caret_under_the_same_cell(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(findings, "width", lambda: width)
    broken = payload(name, name)
    found = bankhook.diagnose(broken)
    text = bankhook.explain(found, broken, show_values=True, width=width).splitlines()
    for one in findings.shown(found, broken, 1, show_values=True):
        findings.say_excerpt(one)
    shown = capsys.readouterr().out.splitlines()
    carets = [(line, below) for line, below in pairwise(text) if below.endswith("^")]
    assert carets == list(zip(shown[::2], shown[1::2], strict=True))
    assert max(map(cells, text)) <= width
    for finding, (line, below) in zip(found, carets, strict=True):
        place = broken[finding.offset :].decode()[:1]
        ends = [end for end in range(len(line) + 1) if cells(line[:end]) == len(below) - 1]
        assert any(line[end:].startswith(place) for end in ends), f"the caret is not under its place:\n{line}\n{below}"


@pytest.mark.parametrize("name", NAMES)
def test_words_of_wide_characters_fit_the_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "width", lambda: 20)
    monkeypatch.setattr(sys, "stdout", printed := io.StringIO())
    terminal.say(f"{name} {name * 9}", "end", first=2, rest=4)
    lines = printed.getvalue().splitlines()
    assert max(map(cells, lines)) <= 20
    assert "".join(line.strip() for line in lines).replace(" ", "") == terminal.plain(f"{name}{name * 9}end")
