# SPDX-License-Identifier: MIT
"""Set-up of all Python tests: what they leave lies in build/, Ctrl-C reaches what they start, some run only in a soak run."""

from __future__ import annotations

import os
import signal
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `./dev test --soak` runs."""
    left_out = [item for item in items if item.get_closest_marker("soak")]
    if left_out and "BANKHOOK_SOAK_ROUNDS" not in os.environ:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
