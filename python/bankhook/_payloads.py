# SPDX-License-Identifier: MIT
"""Where the sample payloads are, and what is listed of their findings."""

from __future__ import annotations

import csv
import importlib.resources
import pathlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def payload_folder() -> Traversable:
    """Return the payloads in the installed package, else those of the source tree that has this file."""
    installed = importlib.resources.files("bankhook") / "_samples"
    return installed if installed.is_dir() else pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"


def rows_of_findings() -> list[dict[str, str]]:
    """Return the listed findings: `file` is `valid/unknown_event.json`."""
    lines = (payload_folder() / "findings.tsv").read_text(encoding="utf-8").split("\n")
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
