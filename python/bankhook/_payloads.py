# SPDX-License-Identifier: MIT
"""Where the sample payloads are, and all of them."""

from __future__ import annotations

import importlib.resources
import pathlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def payload_folder() -> Traversable:
    """Return the payloads in the installed package, else those of the source tree that has this file."""
    installed = importlib.resources.files("bankhook") / "_samples"
    return installed if installed.is_dir() else pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"


def payloads() -> dict[str, bytes]:
    """Return the payloads by their files, `valid/unknown_event.json`."""
    folders = [payload_folder() / name for name in ("valid", "broken_rules", "invalid")]
    files = [(f"{folder.name}/{file.name}", file) for folder in folders for file in folder.iterdir()]
    return {name: file.read_bytes() for name, file in files if name.endswith(".json")}
