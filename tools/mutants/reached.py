# SPDX-License-Identifier: MIT
"""Which tests of the inbox run a line: a plugin of pytest under coverage.py, and what reads its findings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

__all__ = ["Reached"]

_FILE = Path(__file__).resolve().parents[2] / "build" / "mutants" / "seconds.json"
_seconds, _failed = defaultdict[str, float](float), set[str]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note for each line that it was run by this test."""
    if measured := Coverage.current():
        measured.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how long a test takes."""
    _seconds[report.nodeid] += report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write how long the tests took that passed."""
    if not hasattr(session.config, "workerinput"):
        passed = {test: seconds for test, seconds in _seconds.items() if test not in _failed}
        _FILE.write_text(json.dumps(passed), encoding="utf-8")


class Reached:
    """Which tests run which lines, and how long they take."""

    def __init__(self, covered: Path, package: Path) -> None:
        self._package, self._covered = package, CoverageData(str(covered))
        self._covered.read()
        self.tests: dict[str, float] = json.loads(_FILE.read_text(encoding="utf-8"))

    def by(self, path: str, lines: range) -> list[str]:
        """Return the tests that run one of these lines, short ones first; all of the file for what runs when it is imported."""
        contexts = self._covered.contexts_by_lineno(str(self._package.parent / Path(path).relative_to("python")))
        here = {test for line in lines for test in contexts.get(line, ())}
        if here == {""}:
            here = {test for tests in contexts.values() for test in tests}
        return sorted(here & self.tests.keys(), key=lambda test: ("[sqlite" not in test, self.tests[test]))
