# SPDX-License-Identifier: MIT
"""The check of phrases: it finds each phrase in words and in names, in every file that git does not ignore."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from phrases import Line, Phrase, findings, is_checked, lines, phrases

PHRASES = {phrase.text: phrase for phrase in phrases()}


@pytest.mark.parametrize("phrase", PHRASES.values(), ids=lambda phrase: phrase.text)
def test_a_phrase_is_found_in_words_and_in_names(phrase: Phrase) -> None:
    for line in (phrase.text, f"It is {phrase.text.capitalize()}.", f"auto x = {phrase.text.replace(' ', '_')}_x(y);"):
        assert phrase.is_in(line), line
    assert not phrase.is_in(f"un{phrase.text}ly")
    assert not any(phrase.is_in(allowed) for allowed in phrase.allowed)


def test_what_is_right_is_not_found() -> None:
    right = [
        "A domain kit.",
        "std::floor(1.5)",
        "floor<days>(now)",
        "if x is None:",
        "toolkit",
        "the beginning",
        "warehouse",
    ]
    assert list(findings(Line("a.md", 1, line) for line in right)) == []
    assert list(findings([Line("a.md", 7, "the kit of a domain kit")])) == ['a.md:7: "kit"; write: library']


def test_payloads_and_the_list_itself_are_left_out() -> None:
    assert is_checked("include/bankhook/parse.hpp") and is_checked("dev")
    assert not any(map(is_checked, ("tests/data/valid/a.json", "tests/data/findings.tsv", "tools/phrases.tsv", "a.png")))


def test_every_file_is_checked_that_git_does_not_ignore(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text("ignored.md\n", encoding="utf-8")
    for name in ("tracked.md", "new.md", "ignored.md"):
        (tmp_path / name).write_text("x\nanew\n", encoding="utf-8")
    subprocess.run(["git", "add", "tracked.md"], cwd=tmp_path, check=True)
    assert sorted(finding.partition(": ")[0] for finding in findings(lines(tmp_path))) == ["new.md:2", "tracked.md:2"]
