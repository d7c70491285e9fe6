# SPDX-License-Identifier: MIT
"""The snippets of the README run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def snippets(language: str) -> list[str]:
    """The fenced blocks of the README in this language, in order."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def run(*command: str | Path) -> str:
    """Runs a command, shows what it says where it fails, and gives its output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build_and_run(source: str, folder: Path) -> str:
    """Compiles one snippet as a user would, without a warning, and runs it."""
    unit, program = folder / "snippet.cpp", folder / "snippet"
    unit.write_text(source, encoding="utf-8")
    compiler = os.environ.get("CXX", "g++")
    run(compiler, "-std=c++23", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "include", unit, "-o", program)
    return run(program)


def test_the_readme_has_snippets_of_both_languages() -> None:
    assert len(snippets("cpp")) == 2
    assert len(snippets("python")) == 2


def test_the_first_cpp_snippet_prints_the_event_it_parsed(tmp_path: Path) -> None:
    lines = build_and_run(snippets("cpp")[0], tmp_path).splitlines()
    assert lines[0] == "it-0001: 19.90"
    assert lines[1].startswith('{"event":"initial_transaction_update","eventType":"validated",')


def test_the_second_cpp_snippet_is_checked_by_the_compiler(tmp_path: Path) -> None:
    assert build_and_run(snippets("cpp")[1], tmp_path) == ""


def test_a_wrong_payload_in_the_second_snippet_does_not_compile(tmp_path: Path) -> None:
    wrong = snippets("cpp")[1].replace("2026-01-15", "2026-02-30")
    with pytest.raises(AssertionError, match="expected_date"):
        build_and_run(wrong, tmp_path)


def test_the_python_snippet_prints_the_same_event_and_the_error_it_promises() -> None:
    snippet = snippets("python")[0]
    lines = run(sys.executable, "-c", snippet).splitlines()
    assert lines[0] == "it-0001 19.90"
    assert lines[1].startswith('{"event":"initial_transaction_update","eventType":"validated",')
    promised = re.search(r"print\(error\)  # (.*)", snippet)
    assert promised is not None
    assert lines[2] == promised[1]


def test_the_second_python_snippet_judges_follows_and_plays() -> None:
    lines = run(sys.executable, "-c", snippets("python")[1]).splitlines()
    assert lines[:5] == [
        "specified False ['member_added', 'connection_added']",
        "specified False ['connection_event_received', 'account_added']",
        "specified False ['transaction_added']",
        "unspecified True []",
        "unspecified False ['transaction_status_changed', 'transaction_changed']",
    ]
    assert lines[5] == "status_equals_event_type stated 6.3"
    assert "stateDiagram-v2" in lines
