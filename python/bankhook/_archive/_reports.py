# SPDX-License-Identifier: MIT
"""Whole archives: the findings in their lines, and what their events mean to a tracker, summed part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from bankhook import _core
from bankhook._archive._findings import LineFindings, LinesReport
from bankhook._archive._source import is_source, open_source
from bankhook._records.errors import suggest_keywords
from bankhook._records.lines import AppliedLines, LineOutcome, Source, VerdictCount

__all__ = ["applied_parts", "apply_lines", "check_source", "diagnose_lines", "diagnosed_parts"]

# Of each listed name, and of the others.
_NO_EVENTS: Final[dict[str | None, int]] = dict.fromkeys((*_core._event_names, None), 0)


def check_source(function: str, source: object) -> None:
    """Raise TypeError if no archive can be read from this."""
    if not is_source(source):
        expected = "a path, a buffer or a binary file"
        raise TypeError(f"{function}() expects {expected}, found {type(source).__name__}")


def check_limit(function: str, limit: int | None) -> None:
    """Raise ValueError for a negative limit."""
    if limit is not None and limit < 0:
        raise ValueError(f"{function}: limit: expected 0 or more, or None")


@suggest_keywords
def diagnose_lines(source: Source, *, limit: int | None = None) -> LinesReport:
    """Return the lines of an archive that have findings, and how many events there are of each name.

    The result is that of `diagnose` for each event, at the speed of `parse`: findings are made on the first access. Lines are
    read without the interpreter's lock.

    Parameters
    ----------
    source
        A source as `parse_lines` takes it.
    limit
        How many lines `unclean` lists at most, the first ones; None lists all. All lines are checked and counted.

    Returns
    -------
    LinesReport
        The counts, and the findings of the lines that have some.

    Raises
    ------
    TypeError
        If `source` is something else.
    ValueError
        If `limit` is negative.
    OSError
        If the source cannot be read to its end, is damaged, or is a binary file.

    Examples
    --------
    >>> import bankhook
    >>> [line.line for line in bankhook.diagnose_lines(b'{"event": 7}').unclean]
    [1]
    """
    check_source("diagnose_lines", source)
    check_limit("diagnose_lines", limit)
    opened = open_source(source)
    lines, events, rejected = 0, Counter(_NO_EVENTS), 0
    unclean_lines, unclean = 0, list[LineFindings]()
    for part in diagnosed_parts(opened):
        lines = part.lines
        events.update(part.events)
        rejected += part.rejected
        unclean_lines += part.unclean_lines
        unclean += part.unclean if limit is None else part.unclean[: limit - len(unclean)]
    return LinesReport(lines, dict(events), rejected, unclean_lines, tuple(unclean))


def diagnosed_parts(opened: object) -> Iterator[LinesReport]:
    """Yield a report for each part of an archive; `lines` counts the lines up to the end of that part."""
    reader = _core._read_archive(opened)
    while (part := _core._diagnose_part(reader)) is not None:
        lines, events, rejected, unclean = part
        found = tuple(LineFindings(line, raw, offset, column) for line, column, offset, raw in unclean)
        yield LinesReport(lines, events, rejected, len(found), found)


def apply_lines(
    tracker: _core.Tracker, source: Source, *, report: _core.Verdict | str, member: str | None, limit: int | None
) -> AppliedLines:
    """Apply an archive to a tracker, as `Tracker.apply_lines`."""
    check_source("Tracker.apply_lines", source)
    check_limit("Tracker.apply_lines", limit)
    total = Applied()
    outcomes: list[LineOutcome] = []
    for part in applied_parts(tracker, open_source(source), report=report, member=member):
        total.add(part)
        outcomes += part.outcomes if limit is None else part.outcomes[: limit - len(outcomes)]
    return total.lines(outcomes)


def applied_parts(
    tracker: _core.Tracker, opened: object, *, report: _core.Verdict | str, member: str | None
) -> Iterator[AppliedLines]:
    """Apply an archive part by part; `lines` counts the lines up to the end of that part."""
    reader = _core._read_archive(opened)
    while (part := _core._apply_part(tracker, reader, report, member)) is not None:
        lines, events, rejected, first_rejected, repeats, not_accepted, changes, verdict_counts, outcomes = part
        yield AppliedLines(
            lines,
            events,
            rejected,
            first_rejected,
            repeats,
            not_accepted,
            changes,
            tuple(VerdictCount(*count) for count in verdict_counts),
            tuple(LineOutcome(*outcome) for outcome in outcomes),
        )


class Applied:
    """The sum of the parts of an archive."""

    def __init__(self) -> None:
        self._lines = self._rejected = self._repeats = self._not_accepted = 0
        self._first_rejected: int | None = None
        self._events = Counter(_NO_EVENTS)
        self._changes = Counter[str]()
        self._verdicts: dict[tuple[object, ...], VerdictCount] = {}

    def add(self, part: AppliedLines) -> None:
        """Add the next part."""
        self._lines = part.lines
        self._rejected += part.rejected
        self._repeats += part.repeats
        self._not_accepted += part.not_accepted
        if self._first_rejected is None:
            self._first_rejected = part.first_rejected
        self._events.update(part.events)
        self._changes.update(part.changes)
        for count in part.verdict_counts:
            key = count.verdict, count.reason, count.repeat
            before = self._verdicts.get(key)
            first, events = (count.first_line, 0) if before is None else (before.first_line, before.events)
            self._verdicts[key] = VerdictCount(*key, events + count.events, first)

    def lines(self, outcomes: list[LineOutcome]) -> AppliedLines:
        """Return the sum, with these outcomes."""
        return AppliedLines(
            self._lines,
            dict(self._events),
            self._rejected,
            self._first_rejected,
            self._repeats,
            self._not_accepted,
            dict(self._changes),
            tuple(self._verdicts.values()),
            tuple(outcomes),
        )
