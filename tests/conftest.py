# SPDX-License-Identifier: MIT
"""Set-up of all Python tests: Ctrl-C reaches what they start, and what is not installed is skipped with a reason."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[1] / "build" / ".hypothesis"))

# What the command asks the environment about its terminal: each test says it itself.
for name in (
    *("FORCE_COLOR", "NO_COLOR", "COLUMNS", "COLORTERM", "TERM_PROGRAM", "VTE_VERSION"),
    *("KONSOLE_VERSION", "WT_SESSION", "DOMTERM", "KITTY_WINDOW_ID"),
):
    os.environ.pop(name, None)

# A shell starts what runs in its background with the signal ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


_TESTS = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts a server of NATS, by whatever way a test asks for it."""
    for item in items:
        if "nats" in (*getattr(item, "fixturenames", ()), *getattr(getattr(item, "callspec", None), "params", {}).values()):
            item.add_marker("nats")


def _skip_what_is_missing(error: BaseException | None) -> None:
    """Skip if a package is not installed, unless all tests have to run: `./dev test --all` sets the variable."""
    if isinstance(error, ModuleNotFoundError) and error.name and "BANKHOOK_TEST_ALL" not in os.environ:
        package = error.name.partition(".")[0]
        if package != "bankhook" and not (_TESTS / package).exists() and importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed", allow_module_level=True)


class _Module(pytest.Module):
    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return super().collect()
        except self.CollectError as error:
            _skip_what_is_missing(error.__cause__)
            raise


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    """Collect a file whose imports may be missing."""
    return _Module.from_parent(parent, path=module_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Run a test whose imports may be missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        _skip_what_is_missing(error)
        raise
