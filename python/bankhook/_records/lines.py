# SPDX-License-Identifier: MIT
"""What whole parts of archives are answered with: lines judged, lines followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bankhook._records.findings import Rule
from bankhook._records.tracking import Outcome
from bankhook._records.transitions import FinalState, Transition

if TYPE_CHECKING:
    from bankhook._core import ChangeKind, Verdict

__all__ = ["AppliedLines", "LineFindings", "LineOutcome", "LinesReport", "VerdictCount"]


class LineFindings(NamedTuple):
    """A line in which `diagnose` finds something."""

    line: int
    """Counted from 1, blank lines included."""
    offset: int
    """Where it begins, in bytes."""
    size: int
    """Bytes without its end."""


class LinesReport(NamedTuple):
    """What `diagnose_lines` answers."""

    lines: int
    """How many lines lie before what follows: those of this part and `before`."""
    end: int
    """Bytes up to the end of the last line that was judged: `start` of the next call where `most` stopped this one."""
    events: dict[str | None, int]
    """How many events there are of each listed name; None for those of other names."""
    refused: int
    """How many lines `parse` refuses; blank ones are none of them."""
    unclean: tuple[LineFindings, ...]
    """The lines in which `diagnose` finds something, refused ones too."""


class VerdictCount(NamedTuple):
    """What verdicts rested on, how often, and where first."""

    verdict: Verdict
    """What the specification says about them."""
    reason: Rule | Transition[str, str] | FinalState[str] | None
    """The rule, or the row of a lifecycle, that the verdict rests on."""
    repeat: bool
    """Whether the events contained nothing new."""
    events: int
    """How many events."""
    first_line: int
    """The number of the line of the first of them."""


class LineOutcome(NamedTuple):
    """An event of an archive and what it meant."""

    line: int
    """Counted from 1, blank lines included."""
    raw: bytes
    """The line without its end."""
    outcome: Outcome
    """What it meant when it was applied."""


class AppliedLines(NamedTuple):
    """What `Tracker.apply_lines` answers."""

    lines: int
    """How many lines lie before what follows: those of this part and `before`."""
    end: int
    """Bytes up to the end of the last line that was applied: `start` of the next call where `most` stopped this one."""
    events: dict[str | None, int]
    """How many events there were of each listed name; None for those of other names."""
    refused: int
    """How many lines `parse` refuses: they are no events and change nothing."""
    first_refused: int | None
    """The number of the first of them."""
    repeats: int
    """How many events said nothing that was not held."""
    not_accepted: int
    """How many events came where the lifecycle says that they never do."""
    changes: dict[ChangeKind, int]
    """How many changes there were of each kind."""
    verdict_counts: tuple[VerdictCount, ...]
    """What the verdicts rested on, in the order of their first lines."""
    outcomes: tuple[LineOutcome, ...]
    """The outcomes that were asked for."""


for _class in (AppliedLines, VerdictCount, LinesReport, LineOutcome, LineFindings):
    _class.__module__ = "bankhook"
