# SPDX-License-Identifier: MIT
"""The sources of archives, and what their events meant to a tracker."""

from __future__ import annotations

import os
from collections import Counter
from importlib import import_module
from typing import IO, TYPE_CHECKING, Literal, TypeAlias

from bankhook._records.display import pretty_text
from bankhook._records.errors import suggest_keywords
from bankhook._records.findings import Rule
from bankhook._records.record import Record
from bankhook._records.tracking import Outcome
from bankhook._records.transitions import Transition

if TYPE_CHECKING:
    from typing_extensions import Buffer as Buffer

    from bankhook._core import Tracker, Verdict
else:
    Buffer = bytes | bytearray | memoryview  # `collections.abc` has it from Python 3.12 on

Source: TypeAlias = str | os.PathLike[str] | Buffer | IO[bytes]
"""A path, "-" for standard input, a buffer or a binary file; plain, gzip or Zstandard."""


Encoding: TypeAlias = Literal["base64"]
Format: TypeAlias = Literal["csv", "json"]


class VerdictCount(Record):
    """How many events had this verdict for this reason, and where the first of them is."""

    verdict: Verdict
    """The verdict on these events."""
    reason: Rule | Transition[str, str] | None
    """The rule, or the row of a lifecycle, that the verdict rests on."""
    repeat: bool
    """Whether the events contained nothing new."""
    events: int
    """How many events."""
    first_line: int
    """The line number of the first of them."""

    def _key(self) -> tuple[object, ...]:
        """Return what tells it from others: quick to hash, as a reason is not."""
        reason = self.reason
        named = reason.id if isinstance(reason, Rule) else None if reason is None else (reason.from_, reason.trigger)
        return self.verdict, named, self.repeat


class LineOutcome(Record):
    """An event of an archive and its outcome."""

    line: int
    """The number of the line on which it starts, counted from 1, blank lines included."""
    raw: bytes
    """Its bytes, without a line break at the end."""
    outcome: Outcome
    """Its outcome when it was applied."""


class AppliedLines(Record):
    """What `Tracker.apply_lines` returns."""

    lines: int
    """How many lines the archive has, blank ones included."""
    events: dict[str | None, int]
    """How many events there were of each listed name; None for those of other names."""
    rejected: int
    """How many lines `parse` rejects: they are not events and change nothing."""
    first_rejected: int | None
    """The number of the first rejected line; None if no line was rejected."""
    repeats: int
    """How many events contained nothing new."""
    not_accepted: int
    """How many events the tracker did not accept."""
    changes: dict[str, int]
    """How many changes there were of each label."""
    verdict_counts: tuple[VerdictCount, ...]
    """The verdicts and their reasons, counted, in the order of their first lines."""
    outcomes: tuple[LineOutcome, ...]
    """The outcomes that `report` and `member` asked for."""

    def __str__(self) -> str:
        """Return a summary in one line; the repr has every field."""
        counts = [f"{self.lines:,} lines", f"{self.rejected:,} rejected", f"{self.repeats:,} repeats"]
        counts += [f"{events:,} {verdict}" for verdict, events in self._verdicts().items()]
        lacks_events = self.rejected and not any(self.events.values())
        hint = "; no line is an event: print(bankhook.diagnose_lines(...)) says why" if lacks_events else ""
        return f"{', '.join(counts)}; {len(self.outcomes):,} outcomes{hint}"

    def _verdicts(self) -> Counter[str]:
        """Return how many events had each verdict."""
        verdicts: Counter[str] = Counter()
        for count in self.verdict_counts:
            verdicts[count.verdict.value] += count.events
        return verdicts

    _repr_pretty_ = pretty_text


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
    encoding: Encoding | None = None,
    format: Format | None = None,
) -> AppliedLines:
    """Apply the events of an archive to a tracker: the reader of archives is loaded on the first call, and named only here."""
    archive = import_module("bankhook._archive")
    applied: AppliedLines = archive.apply_lines(tracker, source, report, member, limit, at, encoding, format)
    return applied
