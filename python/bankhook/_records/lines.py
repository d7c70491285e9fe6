# SPDX-License-Identifier: MIT
"""What archives are read from, and what their events meant to a tracker."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, TypeAlias

from bankhook._records.findings import Rule
from bankhook._records.record import Record
from bankhook._records.tracking import Outcome
from bankhook._records.transitions import FinalState, Transition

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from bankhook._core import ChangeKind, Verdict

__all__ = ["AppliedLines", "LineOutcome", "Source", "VerdictCount"]

Source: TypeAlias = "str | os.PathLike[str] | Buffer | IO[bytes]"
"""A path, "-" for standard input, a buffer or a binary file; plain, gzip or Zstandard."""


class VerdictCount(Record):
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


class LineOutcome(Record):
    """An event of an archive and what it meant."""

    line: int
    """Where it begins: the number of its line, counted from 1, blank lines included."""
    raw: bytes
    """Its bytes; of a line, without its end."""
    outcome: Outcome
    """What it meant when it was applied."""


class AppliedLines(Record):
    """What `Tracker.apply_lines` returns."""

    lines: int
    """How many lines the archive has, blank ones included."""
    events: dict[str | None, int]
    """How many events there were of each listed name; None for those of other names."""
    refused: int
    """How many lines `parse` rejects: they are no events and change nothing."""
    first_refused: int | None
    """The number of the first of them."""
    repeats: int
    """How many events contained nothing new."""
    not_accepted: int
    """How many events the tracker did not accept."""
    changes: dict[ChangeKind, int]
    """How many changes there were of each kind."""
    verdict_counts: tuple[VerdictCount, ...]
    """What the verdicts rested on, in the order of their first lines."""
    outcomes: tuple[LineOutcome, ...]
    """The outcomes that were asked for."""

    def __hash__(self) -> int:
        """Return a hash of all fields but those that hold a dict, which has none."""
        return hash((self.lines, self.refused, self.verdict_counts, self.outcomes))
