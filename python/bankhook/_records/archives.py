# SPDX-License-Identifier: MIT
"""How `Tracker.apply_lines` opens a source: the reader of archives is loaded on the first call, and named only here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bankhook._records.errors import suggest_keywords

if TYPE_CHECKING:
    from bankhook._core import Tracker, Verdict
    from bankhook._records.lines import AppliedLines, Source


@suggest_keywords
def apply_lines(
    tracker: Tracker,
    source: Source,
    /,
    *,
    report: Verdict | str = "contradicts",
    member: str | None = None,
    limit: int | None = None,
    at: str | None = None,
) -> AppliedLines:
    """Apply the events of an archive to a tracker and return counts of what they meant."""
    applied: AppliedLines = import_module("bankhook._archive").apply_lines(tracker, source, report, member, limit, at)
    return applied
