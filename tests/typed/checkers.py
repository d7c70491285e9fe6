# SPDX-License-Identifier: MIT
"""Both type checkers, run over files, and what files that are wrong on purpose say is expected of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from installed import need_packages

__all__ = ["CHECKERS", "ROOT", "Fault", "Misuse", "misuses_in", "run"]

ROOT = Path(__file__).resolve().parents[2]
CHECKERS = ("mypy", "pyright")

_EXPECTED = re.compile(r"\s*# (mypy|pyright) says: (.+)")


class Fault(NamedTuple):
    """One thing that a checker says of a line."""

    path: Path
    line: int
    message: str


class Misuse(NamedTuple):
    """A line that is wrong on purpose, and a part of what each checker has to say of it."""

    path: Path
    line: int
    expected: dict[str, str]


def run(checker: str, paths: Iterable[Path]) -> list[Fault]:
    """All that a checker says of these files and folders."""
    return {"mypy": _mypy, "pyright": _pyright}[checker]([str(path) for path in paths])


def _mypy(paths: list[str]) -> list[Fault]:
    said = _said("mypy", "--config-file", "pyproject.toml", "--output", "json", *paths)
    faults = [json.loads(line) for line in said.splitlines()]
    return [Fault((ROOT / fault["file"]).resolve(), fault["line"], fault["message"]) for fault in faults]


def _pyright(paths: list[str]) -> list[Fault]:
    settings = ("-p", "pyproject.toml", "--pythonpath", sys.executable)
    report = json.loads(_said("pyright", *settings, "--outputjson", *paths))
    assert report["summary"]["filesAnalyzed"] >= len(paths)
    faults: list[dict[str, Any]] = report["generalDiagnostics"]
    places = ((Path(fault["file"]).resolve(), fault["range"]["start"]["line"] + 1) for fault in faults)
    return [Fault(*place, fault["message"]) for place, fault in zip(places, faults, strict=True)]


def _said(module: str, *arguments: str) -> str:
    # pyright's wrapper uses the Node and the pyright that pip installed, and asks nobody whether there are newer ones.
    offline = {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1", "PYRIGHT_PYTHON_GLOBAL_NODE": "0"}
    need_packages(module)
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | offline, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr  # clean, or not; anything else is a broken run
    return done.stdout


def misuses_in(path: Path) -> list[Misuse]:
    """The lines of a file that comments below them, one a checker, say to be wrong."""
    found: list[Misuse] = []
    wrong = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = _EXPECTED.fullmatch(line)
        if mark is None:
            wrong = number
        elif found and found[-1].line == wrong:
            found[-1].expected[mark[1]] = mark[2]
        else:
            found.append(Misuse(path, wrong, {mark[1]: mark[2]}))
    return found
