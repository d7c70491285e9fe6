# SPDX-License-Identifier: MIT
"""Whole archives: the findings in their lines, and what their events mean to a tracker, summed part by part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeVar

from bankhook import _core
from bankhook._archive._findings import LineFindings, LinesReport
from bankhook._archive._source import Container, is_source, open_source
from bankhook._core import Tracker, Verdict
from bankhook._records.errors import check_whole, suggest_keywords
from bankhook._records.lines import AppliedLines, Encoding, Format, LineOutcome, Source, VerdictCount

R = TypeVar("R", LinesReport, AppliedLines)
# Of each listed name, and of the others.
_NAMES: Final[tuple[str | None, ...]] = (*_core._event_names, None)
_NO_EVENTS: Final[dict[str | None, int]] = dict.fromkeys(_NAMES, 0)
NOTHING_CHECKED: Final = LinesReport(0, _NO_EVENTS, 0, 0, ())
NOTHING_APPLIED: Final = AppliedLines(0, _NO_EVENTS, 0, None, 0, 0, {}, (), ())


def check_source(function: str, source: object) -> None:
    """Raise TypeError if no archive can be read from this."""
    if not is_source(source):
        expected = "a path, a buffer or a binary file"
        raise TypeError(f"{function}() expects {expected}, found {type(source).__name__}")


def check_limit(function: str, limit: int | None) -> None:
    """Raise TypeError or ValueError for what is not a limit."""
    if limit is not None:
        check_whole(f"{function}: limit", limit, 0)


@suggest_keywords
def diagnose_lines(
    source: Source,
    *,
    limit: int | None = None,
    at: str | None = None,
    encoding: Encoding | None = None,
    format: Format | None = None,
) -> LinesReport:
    """Return the lines of an archive that have findings, and how many events there are of each name.

    The result is that of `diagnose` for each event, at the speed of `parse`: findings are made when they are asked for. Lines are
    read without the interpreter's lock.

    Parameters
    ----------
    source
        A source as `parse_lines` takes it.
    limit
        How many lines `unclean` lists at most, the first ones; None lists all. All lines are checked and counted.
    at, encoding, format
        What contains the events, as in `parse_lines`.

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
    for part in diagnosed_parts(open_source(source, Container.of(at, encoding, format))):
        total = added(total, part, unclean=())
        unclean += part.unclean if limit is None else part.unclean[: limit - len(unclean)]
    return total.replace(unclean=tuple(unclean))


def diagnosed_parts(opened: object) -> Iterator[LinesReport]:
    """Yield a report for each part of an archive."""
    reader = _core._read_archive(opened, None, None, False)
    before = 0
    while (part := _core._diagnose_part(reader)) is not None:
        lines, events, rejected, unclean = part
        found = tuple(LineFindings(*line) for line in unclean)
        yield LinesReport(lines - before, dict(zip(_NAMES, events, strict=True)), rejected, len(found), found)
        before = lines


def apply_lines(
    tracker: Tracker, source: Source, report: Verdict | str, member: str | None, limit: int | None, *container: str | None
) -> AppliedLines:
    """Apply an archive to a tracker, as `Tracker.apply_lines`."""
    check_source("Tracker.apply_lines", source)
    check_limit("Tracker.apply_lines", limit)
    total, outcomes = NOTHING_APPLIED, list[LineOutcome]()
    opened = open_source(source, Container.of(*container))
    for part in applied_parts(tracker, opened, report=report, member=member):
        total = added_outcomes(total, part)
        outcomes += part.outcomes if limit is None else part.outcomes[: limit - len(outcomes)]
    return total.replace(outcomes=tuple(outcomes))


def applied_parts(tracker: Tracker, opened: object, *, report: Verdict | str, member: str | None) -> Iterator[AppliedLines]:
    """Apply an archive part by part, and yield what each meant."""
    reader = _core._read_archive(opened, None, None, False)
    before = 0
    while (part := _core._apply_part(tracker, reader, report, member)) is not None:
        lines, events, *counts, verdict_counts, outcomes = part
        verdicts = tuple(VerdictCount(*count) for count in verdict_counts)
        rest: Any = (*counts, verdicts, tuple(LineOutcome(*outcome) for outcome in outcomes))
        yield AppliedLines(lines - before, dict(zip(_NAMES, events, strict=True)), *rest)
        before = lines


def added_outcomes(total: AppliedLines, part: AppliedLines) -> AppliedLines:
    """Return the sum of the counts, with no outcomes; the first lines are those of `total`, if it has some."""
    verdicts = {one._key(): one for one in total.verdict_counts}
    for one in part.verdict_counts:
        before = verdicts.setdefault(key := one._key(), one.replace(events=0))
        verdicts[key] = before.replace(events=before.events + one.events)
    rejected = part.first_rejected if total.first_rejected is None else total.first_rejected
    return added(total, part, first_rejected=rejected, verdict_counts=tuple(verdicts.values()), outcomes=())


def added(total: R, part: R, **others: Any) -> R:
    """Return the sums of what is counted, with the fields that are no counts as they are given."""
    for name in set(total.__match_args__) - set(others):
        before, more = getattr(total, name), getattr(part, name)
        is_dict = isinstance(more, dict)
        others[name] = {one: before.get(one, 0) + more.get(one, 0) for one in before | more} if is_dict else before + more
    return total.replace(**others)
