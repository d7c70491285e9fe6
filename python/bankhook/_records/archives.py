# SPDX-License-Identifier: MIT
"""How `Tracker.apply_lines` opens a source: what reads archives is loaded when it is called, and named here alone."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bankhook._core import Tracker, Verdict
    from bankhook._records.lines import AppliedLines, Source

__all__ = ["apply_lines"]


def apply_lines(
    tracker: Tracker,
    source: Source,
    /,
    *,
    report: Verdict | str = "contradicts",
    member: str | None = None,
    limit: int | None = None,
) -> AppliedLines:
    """Apply the events of an archive to a tracker and return what they meant, counted."""
    answer: AppliedLines = import_module("bankhook.archive").apply_lines(
        tracker, source, report=report, member=member, limit=limit
    )
    return answer
