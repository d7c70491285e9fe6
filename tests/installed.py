# SPDX-License-Identifier: MIT
"""What is not installed: a test that needs it is skipped with the reason, and fails where all tests have to run."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

__all__ = ["missing", "need_packages", "need_programs", "need_screenshots"]


def missing(name: str) -> NoReturn:
    """Skip the test, or the file that is imported; fail under `./dev test --all`, which sets the variable."""
    if "BANKHOOK_TEST_ALL" in os.environ:
        pytest.fail(f"{name} is not installed", pytrace=False)
    pytest.skip(f"{name} is not installed", allow_module_level=True)


def need_packages(*names: str) -> None:
    """Go on only if these packages are installed; what the test imports itself needs no such line."""
    for name in names:
        if importlib.util.find_spec(name) is None:
            missing(name)


def need_programs(*names: str) -> None:
    """Go on only if these programs are installed; what the test starts itself needs no such line."""
    for name in names:
        if shutil.which(name) is None:
            missing(name)


def need_screenshots() -> None:
    """Go on only where the screenshots are: the source distribution leaves them out."""
    if not any((Path(__file__).parents[1] / "docs" / "pictures").glob("*.png")):
        missing("docs/pictures/*.png")
