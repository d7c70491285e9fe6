# SPDX-License-Identifier: MIT
"""Whole archives: the findings in their lines, and what their events mean to a tracker, summed part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

from bankhook import _core
from bankhook._archive._findings import LineFindings, LinesReport
from bankhook._archive._source import is_source, open_source
from bankhook._records.errors import suggest_keywords
from bankhook._records.lines import AppliedLines, LineOutcome, Source, VerdictCount

__all__ = [
    "NOTHING_APPLIED",
    "NOTHING_CHECKED",
    "added_findings",
    "added_outcomes",
    "applied_parts",
    "apply_lines",
    "check_source",
    "diagnose_lines",
    "diagnosed_parts",
]

K = TypeVar("K")
# Of each listed name, and of the others.
_NO_EVENTS: Final[dict[str | None, int]] = dict.fromkeys((*_core._event_names, None), 0)
NOTHING_CHECKED: Final = LinesReport(0, _NO_EVENTS, 0, 0, ())
NOTHING_APPLIED: Final = AppliedLines(0, _NO_EVENTS, 0, None, 0, 0, {}, (), ())


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
def diagnose_lines(source: Source, *, limit: int | None = None, at: str | None = None) -> LinesReport:
    """Return the lines of an archive that have findings, and how many events there are of each name.

    The result is that of `diagnose` for each event, at the speed of `parse`: findings are made on the first access. Lines are
    read without the interpreter's lock.

    Parameters
    ----------
    source
        A source as `parse_lines` takes it.
    limit
        How many lines `unclean` lists at most, the first ones; None lists all. All lines are checked and counted.
    at
        Where the events are in the lines of an archive of envelopes: `body` for `{"headers": ..., "body": EVENT}`, several names
        with dots between them. The event may be an object or a text. A line without a value there is checked itself.

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
    total, unclean = NOTHING_CHECKED, list[LineFindings]()
    for part in diagnosed_parts(open_source(source, at)):
        total = added_findings(total, part)
        unclean += part.unclean if limit is None else part.unclean[: limit - len(unclean)]
    return total.replace(unclean=tuple(unclean))


def diagnosed_parts(opened: object) -> Iterator[LinesReport]:
    """Yield a report for each part of an archive."""
    reader = _core._read_archive(opened)
    before = 0
    while (part := _core._diagnose_part(reader)) is not None:
        lines, events, rejected, unclean = part
        found = tuple(LineFindings(line, raw, offset, column) for line, column, offset, raw in unclean)
        yield LinesReport(lines - before, events, rejected, len(found), found)
        before = lines


def added_findings(total: LinesReport, part: LinesReport) -> LinesReport:
    """Return the sum of the counts, with no lines."""
    return LinesReport(
        total.lines + part.lines,
        _sum(total.events, part.events),
        total.rejected + part.rejected,
        total.unclean_lines + part.unclean_lines,
        (),
    )


def apply_lines(
    tracker: _core.Tracker,
    source: Source,
    *,
    report: _core.Verdict | str,
    member: str | None,
    limit: int | None,
    at: str | None,
) -> AppliedLines:
    """Apply an archive to a tracker, as `Tracker.apply_lines`."""
    check_source("Tracker.apply_lines", source)
    check_limit("Tracker.apply_lines", limit)
    total, outcomes = NOTHING_APPLIED, list[LineOutcome]()
    for part in applied_parts(tracker, open_source(source, at), report=report, member=member):
        total = added_outcomes(total, part)
        outcomes += part.outcomes if limit is None else part.outcomes[: limit - len(outcomes)]
    return total.replace(outcomes=tuple(outcomes))


def applied_parts(
    tracker: _core.Tracker, opened: object, *, report: _core.Verdict | str, member: str | None
) -> Iterator[AppliedLines]:
    """Apply an archive part by part, and yield what each meant."""
    reader = _core._read_archive(opened)
    before = 0
    while (part := _core._apply_part(tracker, reader, report, member)) is not None:
        lines, events, rejected, first_rejected, repeats, not_accepted, changes, verdict_counts, outcomes = part
        yield AppliedLines(
            lines - before,
            events,
            rejected,
            first_rejected,
            repeats,
            not_accepted,
            changes,
            tuple(VerdictCount(*count) for count in verdict_counts),
            tuple(LineOutcome(*outcome) for outcome in outcomes),
        )
        before = lines


def added_outcomes(total: AppliedLines, part: AppliedLines) -> AppliedLines:
    """Return the sum of the counts, with no outcomes; the first lines are those of `total`, if it has some."""
    verdicts = {one._key(): one for one in total.verdict_counts}
    for one in part.verdict_counts:
        before = verdicts.get(key := one._key())
        events, first = (one.events, one.first_line) if before is None else (before.events + one.events, before.first_line)
        verdicts[key] = VerdictCount(one.verdict, one.reason, one.repeat, events, first)
    return AppliedLines(
        total.lines + part.lines,
        _sum(total.events, part.events),
        total.rejected + part.rejected,
        part.first_rejected if total.first_rejected is None else total.first_rejected,
        total.repeats + part.repeats,
        total.not_accepted + part.not_accepted,
        _sum(total.changes, part.changes),
        tuple(verdicts.values()),
        (),
    )


def _sum(counts: Mapping[K, int], more: Mapping[K, int]) -> dict[K, int]:
    return {
        name: counts.get(name, 0) + more.get(name, 0) for name in (*counts, *(one for one in more if one not in counts))
    }
