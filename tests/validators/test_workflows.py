# SPDX-License-Identifier: MIT
"""The workflows are what GitHub takes, as actionlint knows it."""

from __future__ import annotations

from pathlib import Path

from validators.outside import actionlint

WORKFLOWS = sorted((Path(__file__).parents[2] / ".github" / "workflows").glob("*.yml"))


def test_the_workflows_have_no_error() -> None:
    assert WORKFLOWS
    assert actionlint({path.name: path.read_text(encoding="utf-8") for path in WORKFLOWS}) == []


def test_an_error_in_a_workflow_is_found() -> None:
    text = "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ matrix.none }}\n"
    (found,) = actionlint({"wrong.yml": text})
    assert found["line"] == 6
