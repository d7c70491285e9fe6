# SPDX-License-Identifier: MIT
"""Set-up of all Python tests: Ctrl-C reaches what they start, and what is not installed is skipped with a reason."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pty
import signal
import traceback
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from installed import missing

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[1] / "build" / ".hypothesis"))

# What Hypothesis draws may take as long as it takes: no test may fail because a machine is slow.
with contextlib.suppress(ModuleNotFoundError):
    from hypothesis import HealthCheck, settings

    settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("tests")

# What the command asks the environment about its terminal: each test says it itself.
for name in (
    *("FORCE_COLOR", "NO_COLOR", "COLUMNS", "COLORTERM", "TERM_PROGRAM", "VTE_VERSION"),
    *("KONSOLE_VERSION", "WT_SESSION", "DOMTERM", "KITTY_WINDOW_ID"),
):
    os.environ.pop(name, None)

# A shell starts what runs in its background with the signal ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


_TESTS = Path(__file__).parent


def _skip_what_is_missing(error: BaseException | None) -> None:
    """Skip if the error is that a package is not installed, or the program of a process, or that there are no terminals."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        if package != "bankhook" and not (_TESTS / package).exists() and importlib.util.find_spec(package) is None:
            missing(package)
    if isinstance(error, FileNotFoundError) and traceback.extract_tb(error.__traceback__)[-1].name == "_execute_child":
        if "/" not in str(error.filename):
            missing(error.filename)
    if isinstance(error, OSError) and any(
        frame.filename == pty.__file__ for frame in traceback.extract_tb(error.__traceback__)
    ):
        pytest.skip("this system has no pseudo-terminals: /dev/pts is not mounted")


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
def pytest_runtest_setup() -> Generator[None, None, None]:
    """Set up a test, whose fixtures may need what is missing."""
    yield from _skipping()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Run a test that may need what is missing."""
    yield from _skipping()


def _skipping() -> Generator[None, None, None]:
    try:
        yield
    except (ModuleNotFoundError, OSError) as error:
        _skip_what_is_missing(error)
        raise
