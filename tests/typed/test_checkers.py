# SPDX-License-Identifier: MIT
"""mypy and pyright accept the package, its tests, and the Python of pages and notebooks, and refuse what is used wrongly."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bankhook
from typed.checkers import CHECKERS, ROOT, Fault, Misuse, misuses_in, run
from typed.pages import sources, write_modules

# One run of each checker serves all tests.
pytestmark = [pytest.mark.compiler, pytest.mark.slow]

# Copies, where the settings of the checkers do not leave them out; in one place, because mypy's cache remembers places.
APART = ROOT / "build" / "typed" / "misuses"
PAGES = APART.parent / "pages"
MISUSES = [misuse for path in sorted((Path(__file__).parent / "misuses").glob("*.py")) for misuse in misuses_in(path)]


@pytest.fixture(scope="session")
def faults() -> dict[str, list[Fault]]:
    """All that each checker says of everything, found in one run of each."""
    shutil.rmtree(APART.parent, ignore_errors=True)
    shutil.copytree(Path(__file__).parent / "misuses", APART)
    source = write_modules(PAGES)
    folders = (ROOT / name for name in ("python", "tests", "examples", "benchmarks", "tools"))
    paths = [path for path in (*folders, APART.parent) if any(path.rglob("*.py"))]
    with ThreadPoolExecutor() as both:
        found = dict(zip(CHECKERS, both.map(run, CHECKERS, [paths] * len(CHECKERS)), strict=True))
    return {
        checker: [fault._replace(path=source.get(fault.path, fault.path)) for fault in faults]
        for checker, faults in found.items()
    }


@pytest.mark.parametrize("checker", CHECKERS)
def test_package_and_tests_are_clean(checker: str, faults: dict[str, list[Fault]]) -> None:
    apart = {APART, *(path.parent for path in sources())} - {ROOT}
    assert [fault for fault in faults[checker] if fault.path.parent not in apart] == []


@pytest.mark.parametrize("source", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_python_of_a_page_is_clean(source: Path, faults: dict[str, list[Fault]]) -> None:
    assert [fault for checker in CHECKERS for fault in faults[checker] if fault.path == source] == []


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


def test_there_are_pages_and_every_wrong_use_says_what_both_checkers_say() -> None:
    assert len(sources()) > 10
    assert len(MISUSES) > 25
    assert all(set(misuse.expected) == set(CHECKERS) for misuse in MISUSES)
