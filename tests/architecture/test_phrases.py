# SPDX-License-Identifier: MIT
"""The check of phrases: it finds each phrase in words and in names, and in added lines only if it is asked for those."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from phrases import Line, Phrase, added_lines, branch_point, findings, is_looked_at, phrases, whole_tree

PHRASES = {phrase.text: phrase for phrase in phrases()}


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path, **files: str) -> None:
    for name, text in files.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    git(root, "add", ".")
    git(root, "commit", "-m", "change")


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
    assert is_looked_at("include/bankhook/parse.hpp") and is_looked_at("dev")
    assert not any(map(is_looked_at, ("tests/data/valid/a.json", "tests/data/findings.tsv", "tools/phrases.tsv", "a.png")))


def test_only_added_lines_are_looked_at_unless_all_are_asked_for(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch=main")
    commit(tmp_path, old="anew\n", changed="a\nb\nc\n")
    git(tmp_path, "switch", "-c", "branch")
    commit(tmp_path, changed="a\nanew\nc\n")
    (tmp_path / "new.md").write_text("x\nanew\n", encoding="utf-8")
    base = branch_point(tmp_path)
    found = list(findings(added_lines(tmp_path, base)))
    assert [finding.partition(": ")[0] for finding in found] == ["changed.md:2", "new.md:2"]
    found = list(findings(whole_tree(tmp_path)))
    assert sorted(finding.partition(": ")[0] for finding in found) == ["changed.md:2", "new.md:2", "old.md:1"]


def test_on_main_the_last_commit_is_looked_at(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch=main")
    commit(tmp_path, a="anew\n")
    commit(tmp_path, b="anew\n")
    found = list(findings(added_lines(tmp_path, branch_point(tmp_path))))
    assert [finding.partition(": ")[0] for finding in found] == ["b.md:1"]
