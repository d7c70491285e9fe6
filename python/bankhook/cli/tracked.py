# SPDX-License-Identifier: MIT
"""The report of `bankhook track`: outcomes as they are found, then a summary."""

from __future__ import annotations

import collections
import datetime
import itertools
import sys
from collections.abc import Iterable, Iterator

import bankhook
from bankhook._archive._reports import applied_parts
from bankhook._records.closest import did_you_mean
from bankhook._render.progress import Bar
from bankhook.cli import members
from bankhook.cli.archives import Archive, read_each
from bankhook.cli.attention import LISTED, attention_lines, attention_of
from bankhook.cli.member import member_lines
from bankhook.cli.outcomes import outcome_as_object, outcome_lines, reason_as_object, reason_parts, rests
from bankhook.cli.terminal import complain, plain, say, say_json, styled, wrapped

__all__ = ["TrackingReport"]

_Reason = bankhook.types.Rule | bankhook.types.Transition[str, str] | None
_VerdictKey = tuple[str, _Reason, bool]
_MEANINGS = {
    "contradicts": "against a rule that the specification states",
    "unspecified": "not described by the specification",
    "assumed": "as bankhook assumes, because the specification does not say",
    "specified": "as the specification states",
}
"""What the verdicts mean, the worst first."""
_MAX_COMPARED = 10_000
"""Ids that an unknown one is compared with: more of them would take longer than the answer is worth."""


class TrackingReport:
    """What the archives have meant so far."""

    def __init__(
        self,
        tracker: bankhook.Tracker,
        files: tuple[str, ...],
        member: str | None,
        changes: bool,
        limit: int,
        show_values: bool,
        as_json: bool,
    ) -> None:
        self._tracker, self._member, self._limit = tracker, member, limit
        self._files = files
        self._report = "specified" if changes else "contradicts"
        self._show_values, self._as_json = show_values, as_json
        self._events: collections.Counter[str | None] = collections.Counter()
        self._changes: collections.Counter[str] = collections.Counter()
        self._verdicts: collections.Counter[str] = collections.Counter()
        self._verdict_counts: dict[_VerdictKey, tuple[str, int]] = {}
        self._lines = self._repeats = self._not_accepted = self._shown = 0
        self._first_rejected = ""
        self.rejected = self.unreadable = 0

    @property
    def contradictions(self) -> int:
        """How many events break a stated rule within themselves."""
        return self._verdicts["contradicts"]

    @property
    def is_empty(self) -> bool:
        """Whether files could be read and had no events."""
        return not any(self._events.values()) and not self.rejected and self.unreadable < len(self._files)

    def apply(self, at: str | None, *, follow: bool) -> None:
        """Apply the files to the tracker and report those that cannot be read."""
        self.unreadable = read_each(self._files, self._apply, as_json=self._as_json, at=at, grows=follow)

    def _apply(self, archive: Archive, bar: Bar) -> None:
        lines = 0
        for part in applied_parts(self._tracker, archive, report=self._report, member=self._member):
            self._add(archive.name, part, bar)
            self._lines += part.lines - lines
            lines = part.lines
            sys.stdout.flush()  # the program at the other end of the pipe may wait for the answer
            if not archive.grows:
                bar.update(archive.position)

    def _add(self, file: str, part: bankhook.types.AppliedLines, bar: Bar) -> None:
        self._events.update(part.events)
        self._changes.update(part.changes)
        self._repeats += part.repeats
        self._not_accepted += part.not_accepted
        if part.first_rejected is not None and not self.rejected:
            self._first_rejected = self._place(file, part.first_rejected)
        self.rejected += part.rejected
        for count in part.verdict_counts:
            self._verdicts[count.verdict.value] += count.events
            key = (count.verdict.value, count.reason, count.repeat)
            first, events = self._verdict_counts.get(key, (self._place(file, count.first_line), 0))
            self._verdict_counts[key] = (first, events + count.events)
        if part.outcomes:
            bar.hide()
        for outcome in part.outcomes:
            self._show(file, outcome)

    def _place(self, file: str, line: int) -> str:
        return f"{plain(file)}:{line}" if len(self._files) > 1 else f"line {line}"

    def _show(self, file: str, outcome: bankhook.types.LineOutcome) -> None:
        self._shown += 1
        if self._as_json:
            say_json(outcome_as_object(file, outcome, show_values=self._show_values))
        elif self._limit == 0 or self._shown <= self._limit:
            if self._shown > 1:
                say()
            for line in outcome_lines(file, outcome, show_values=self._show_values):
                say(line)

    def _hint(self, wanted: str) -> str:
        """Return which member may be meant: one with this external id, or with an id like it."""
        for member in self._tracker.members():
            if member.customer.external_id == wanted:
                return f": that is the externalId of {member.customer.id}"
        return did_you_mean(wanted, itertools.islice(self._tracker, _MAX_COMPARED))

    def close(self, rows: int, before: datetime.date) -> None:
        """Print the summary and the state of the members."""
        if self._member is not None and self._member not in self._tracker and not self.is_empty:
            complain(f"no event is about the member {self._member}{self._hint(self._member)}")
        if self._as_json:
            for row in members.standings(self._tracker, rows, self._member):
                say_json({"type": "member", **row._asdict()})
            say_json(self._summary())
            return
        if self.unreadable == len(self._files) and not self._lines:
            return  # the error says it all
        if self._limit and self._shown > self._limit:
            say(f"\n{self._shown - self._limit:,} more events not reported: --limit 0 reports all")
        if self._member is not None:
            self._say_below(member_lines(self._tracker, self._member, show_values=self._show_values))
            if self.rejected:
                they = "it" if self.rejected == 1 else "they"
                self._say_below(wrapped((f"{self._rejected_text()}: {they} may have been about this member", {})))
            return
        if not self.is_empty:
            self._say_below(wrapped((self._headline(), {"bold": True})))
        now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
        attention = attention_of(self._tracker, before, now, self._relisted())
        self._say_below(attention_lines(attention, before, now, LISTED if rows else None))
        self._say_below(self._member_lines(rows))
        self._say_below(self._verdict_lines())

    def _say_below(self, lines: Iterable[str]) -> None:
        """Print a part of the report, after a blank line if it is not the first one."""
        for number, line in enumerate(lines):
            if number == 0 and self._shown:
                say()
            self._shown += 1
            say(line)

    def _relisted(self) -> tuple[int, str] | tuple[()]:
        for (_, reason, _), (first, events) in self._verdict_counts.items():
            if isinstance(reason, bankhook.types.Transition) and (reason.from_, reason.trigger) == ("deleted", "listed"):
                return events, first
        return ()

    def _headline(self) -> str:
        text = f"{sum(self._events.values()):,} events, {len(self._tracker):,} members"
        text += f", {self._repeats:,} repeats" if self._repeats else ""
        if self._not_accepted:
            text += f", {self._not_accepted:,} not applied"
        if self.contradictions:
            text += f", {self.contradictions:,} in conflict with the specification"
        return f"{text}; {self._rejected_text()}" if self.rejected else text

    def _rejected_text(self) -> str:
        what = "line is not an event" if self.rejected == 1 else "lines are not events"
        return f"{self.rejected:,} {what}, first at {self._first_rejected} (see bankhook check)"

    def _member_lines(self, rows: int) -> Iterator[str]:
        standings = list(members.standings(self._tracker, rows))
        if not standings:
            return
        yield styled("Members", bold=True)
        yield from members.table_lines(standings)
        if (more := len(self._tracker) - len(standings)) > 0:
            yield f"{more:,} more members: --members 0 lists all"

    def _verdict_lines(self) -> Iterator[str]:
        if not self._verdict_counts:
            return
        yield styled("Verdicts", bold=True)
        counts = sorted(self._verdict_counts.items(), key=lambda item: -item[1][1])
        named: list[str] = []
        for verdict, meaning in _MEANINGS.items():
            rows = [(reason, repeat, *found) for (one, reason, repeat), found in counts if one == verdict]
            if not rows:
                continue
            events = self._verdicts[verdict]
            head = f"({events:,} event{'' if events == 1 else 's'}): {meaning}"
            yield from wrapped((verdict, {"bold": True}), (head, {}), first=2, rest=4)
            for reason, repeat, first, events in rows:
                about = ", ".join([*rests(verdict, reason), f"first at {first}"])
                parts = reason_parts(verdict, reason, repeat=repeat)
                yield from wrapped((f"{events:>8,} ", {}), parts, (f"[{about}]", {}), rest=10)
                named += [reason.id] if isinstance(reason, bankhook.types.Rule) else []
                named += [reason.trigger] if isinstance(reason, bankhook.types.Transition) else []
        if named:
            text = "`bankhook rule ID` explains a rule, and what is named after `by`; for example:"
            yield from wrapped((text, {}), (f"bankhook rule {named[0]}", {}), first=2, rest=4)
        changes = ", ".join(f"{count:,} {label}" for label, count in self._changes.most_common())
        if changes:
            yield ""
            yield from wrapped(("Changes:", {"bold": True}), (changes, {}), rest=2)

    def _summary(self) -> dict[str, object]:
        return {
            "type": "summary",
            "files": len(self._files),
            "unreadable": self.unreadable,
            "lines": self._lines,
            "events": {name: count for name, count in self._events.items() if name is not None},
            "unlisted_events": self._events[None],
            "rejected": self.rejected,
            "repeats": self._repeats,
            "not_accepted": self._not_accepted,
            "members": len(self._tracker),
            "changes": dict(self._changes.most_common()),
            "verdicts": dict(self._verdicts.most_common()),
            "verdict_counts": [
                {"verdict": verdict, "reason": reason_as_object(reason, repeat=repeat), "repeat": repeat, "events": events}
                for (verdict, reason, repeat), (_, events) in self._verdict_counts.items()
            ],
        }
