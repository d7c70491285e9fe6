# SPDX-License-Identifier: MIT
"""mypy and pyright accept the package, its tests and the snippets of the README, and refuse what is used wrongly."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import bankhook
import pytest

from typed.checkers import CHECKERS, ROOT, Fault, Misuse, misuses_in, run

# Copies, where the settings of the checkers do not leave them out; in one place, because mypy's cache remembers places.
APART = ROOT / "build" / "typed" / "misuses"
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
MISUSES = [misuse for path in sorted((Path(__file__).parent / "misuses").glob("*.py")) for misuse in misuses_in(path)]


@pytest.fixture(scope="session")
def faults() -> dict[str, list[Fault]]:
    """All that each checker says of everything, found in one run of each."""
    shutil.rmtree(APART.parent, ignore_errors=True)
    shutil.copytree(Path(__file__).parent / "misuses", APART)
    # A reader of the page goes on from one snippet to the next.
    (APART.parent / "readme.py").write_text("\n".join(SNIPPETS), encoding="utf-8")
    folders = (ROOT / name for name in ("python", "tests", "examples", "notebooks", "benchmarks"))
    paths = [path for path in (*folders, APART.parent) if any(path.rglob("*.py"))]
    return {checker: run(checker, paths) for checker in CHECKERS}


@pytest.mark.parametrize("checker", CHECKERS)
def test_package_tests_and_snippets_are_clean(checker: str, faults: dict[str, list[Fault]]) -> None:
    assert [fault for fault in faults[checker] if fault.path.parent != APART] == []


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("misuse", MISUSES, ids=lambda misuse: f"{misuse.path.stem}:{misuse.line}")
def test_a_wrong_use_is_refused_with_its_reason(checker: str, misuse: Misuse, faults: dict[str, list[Fault]]) -> None:
    place = (APART / misuse.path.name, misuse.line)
    said = [fault.message for fault in faults[checker] if fault[:2] == place]
    assert any(misuse.expected[checker] in message for message in said), said


@pytest.mark.parametrize("checker", CHECKERS)
def test_what_stands_beside_a_wrong_use_is_accepted(checker: str, faults: dict[str, list[Fault]]) -> None:
    marked = {(APART / misuse.path.name, misuse.line) for misuse in MISUSES}
    assert [fault for fault in faults[checker] if fault.path.parent == APART and fault[:2] not in marked] == []


def test_every_public_name_is_used_where_the_checkers_look() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
    assert [name for name in bankhook.__all__ if not re.search(rf"\b{name}\b", text)] == []


def test_there_are_snippets_and_every_wrong_use_says_what_both_checkers_say() -> None:
    assert len(SNIPPETS) > 1
    assert len(MISUSES) > 25
    assert all(set(misuse.expected) == set(CHECKERS) for misuse in MISUSES)
