# SPDX-License-Identifier: MIT
"""The report of `bankhook track`: outcomes as they are found, then a summary."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import bankhook
from bankhook._archive._reports import NOTHING_APPLIED, added_outcomes, applied_parts
from bankhook._records.closest import did_you_mean
from bankhook._records.words import counted, listed
from bankhook._render.progress import Bar
from bankhook.cli import members
from bankhook.cli.archives import Archive, counts_of, lacks_events, name_of
from bankhook.cli.options import Chosen
from bankhook.cli.outcomes import outcome_as_object, reason_as_object, reason_of, rests, say_outcome
from bankhook.cli.shapes import MEMBER, TRACKED, VERDICTS, shaped
from bankhook.cli.terminal import complain, gap, say, say_json, so_far

_MEANINGS = {
    "contradicts": "against a rule that the specification states",
    "unspecified": "not described by the specification",
    "assumed": "as bankhook assumes, because the specification does not say",
    "specified": "as the specification states",
}
"""What the verdicts mean, the worst first."""

_UNNAMED_PLACE = "place_id_exactly_without_store_external_id", "assumed"
"""The rule that each event of a store without an id breaks, unless the field has its name, and the rule's evidence then."""


def _ids_of(member: bankhook.types.TrackedMember) -> tuple[str, str]:
    return member.customer.id, member.customer.external_id


class TrackingReport:
    """What the archives have meant so far."""

    def __init__(self, tracker: bankhook.Tracker, chosen: Chosen) -> None:
        self._tracker, self._chosen = tracker, chosen
        self._applied = NOTHING_APPLIED
        self._first: dict[object, str] = {}  # where the first event with a verdict is, and of None the first rejected line
        self._shown = self.unreadable = 0

    def apply(self, archive: Archive, bar: Bar) -> None:
        """Apply an archive to the tracker, and report the outcomes that were asked for."""
        report = "specified" if self._chosen.changes else "contradicts"
        try:
            for part in applied_parts(self._tracker, archive, report=report, member=self._chosen.member):
                self._applied = added_outcomes(self._applied, part)
                so_far.status |= bool(part.rejected or part._verdicts()["contradicts"])
                if part.outcomes:
                    bar.hide()
                for outcome in part.outcomes:
                    self._show(archive.name, outcome)
                sys.stdout.flush()  # the program at the other end of the pipe may wait for the answer
                bar.update(archive.position)
        finally:
            applied, start = self._applied, f"{archive.name}:" if len(self._chosen.files) > 1 else "line "
            lines = {one._key(): one.first_line for one in applied.verdict_counts} | {None: applied.first_rejected}
            self._first = {key: f"{start}{line}" for key, line in lines.items() if line is not None} | self._first

    def _show(self, file: str, outcome: bankhook.types.LineOutcome) -> None:
        self._shown += 1
        if self._chosen.as_json or self._chosen.limit == 0 or self._shown <= self._chosen.limit:
            made = outcome_as_object(file, outcome, show_values=self._chosen.show_values)
            if self._chosen.as_json:
                say_json(made)
                return
            gap()
            say_outcome(outcome, made)

    def _changes(self) -> list[tuple[str, int]]:
        return sorted(self._applied.changes.items(), key=lambda one: (-one[1], one[0]))

    def close(self) -> int:
        """Print the summary and the state of the members, and return the exit status."""
        wanted = self._chosen.member
        lacks = lacks_events(self._chosen, self._applied, self.unreadable)
        ids = None if wanted is None else [one.customer.id for one in self._tracker.members() if wanted in _ids_of(one)]
        is_unknown = ids == []
        if is_unknown and not lacks:
            files = listed([name_of(one) for one in self._chosen.files])
            close = did_you_mean(str(wanted), (id_ for one in self._tracker.members() for id_ in _ids_of(one)))
            complain(f"{files}: no event is about the member {wanted}{close}")
        self._say_all(ids)
        is_wrong = self._applied._verdicts()["contradicts"] or self._applied.rejected
        return 2 if self.unreadable or lacks or is_unknown else 1 if is_wrong else 0

    def _say_all(self, ids: list[str] | None) -> None:
        chosen, applied = self._chosen, self._applied
        if chosen.as_json:
            for row in members.standings(self._tracker, chosen.rows or 0, ids):
                say_json(shaped(MEMBER, **vars(row)))
            self._say_summary()
            return
        if self.unreadable == len(chosen.files) and not applied.lines:
            return  # the error says it all
        if chosen.limit and self._shown > chosen.limit:
            gap()
            say(f"{self._shown - chosen.limit:,} more events not reported: --limit 0 reports all")
        if ids is not None:
            for id_ in ids:
                members.say_member(self._tracker, id_, show_values=chosen.show_values)
            if applied.rejected:
                they = "it" if applied.rejected == 1 else "they"
                gap()
                say(f"{self._rejected_text()}: {they} may have been about this member")
            return
        if any(applied.events.values()) or applied.rejected:
            gap()
            say((self._headline(), "bold"))
        most = 0 if chosen.rows == 0 else 3
        members.say_attention(self._tracker, chosen.ending, chosen.zone, list(self._remarks()), most)
        members.say_members(self._tracker, 20 if chosen.rows is None else chosen.rows)
        self._say_verdicts()

    def _remarks(self) -> Iterator[str]:
        for one in self._applied.verdict_counts:
            reason = one.reason
            if isinstance(reason, bankhook.types.Rule) and (reason.id, reason.evidence) == _UNNAMED_PLACE:
                lacking = counted(one.events, "event has", "events have")
                yield f"{lacking} no place: if the field has another name, BANKHOOK_PLACE_ID=NAME gives it"
            if isinstance(reason, bankhook.types.Transition) and (reason.from_, reason.trigger) == ("deleted", "listed"):
                lists = counted(one.events, "event lists", "events list")
                yield f"{lists} a connection after its delete, first at {self._first[one._key()]}"

    def _headline(self) -> str:
        applied, contradictions = self._applied, self._applied._verdicts()["contradicts"]
        text = f"{sum(applied.events.values()):,} events, {len(self._tracker):,} members"
        text += f", {applied.repeats:,} repeats" if applied.repeats else ""
        text += f", {applied.not_accepted:,} not applied" if applied.not_accepted else ""
        text += f", {contradictions:,} in conflict with the specification" if contradictions else ""
        return f"{text}; {self._rejected_text()}" if applied.rejected else text

    def _rejected_text(self) -> str:
        what = counted(self._applied.rejected, "line is not an event", "lines are not events")
        return f"{what}, first at {self._first[None]} (see bankhook check)"

    def _say_verdicts(self) -> None:
        if not self._applied.verdict_counts:
            return
        gap()
        say(("Verdicts", "bold"))
        counts = self._applied._verdicts()
        for verdict, meaning in _MEANINGS.items():
            if not counts[verdict]:
                continue
            say((verdict, "bold"), f"({counted(counts[verdict], 'event')}): {meaning}", first=2, rest=4)
            rows = [one for one in self._applied.verdict_counts if one.verdict == verdict]
            for one in sorted(rows, key=lambda one: -one.events):
                about = ", ".join([*rests(verdict, one.reason), f"first at {self._first[one._key()]}"])
                say(f"{one.events:>8,} ", reason_of(verdict, one.reason, repeat=one.repeat), f"[{about}]", rest=10)
        say("`bankhook rule ID` explains a rule, `bankhook lifecycle` what is named after `by`", first=2, rest=4)
        if self._applied.changes:
            gap()
            say(("Changes:", "bold"), ", ".join(f"{count:,} {label}" for label, count in self._changes()))

    def _say_summary(self) -> None:
        say_json(
            shaped(
                TRACKED,
                self._applied,
                **counts_of(self._applied, len(self._chosen.files), self.unreadable),
                members=len(self._tracker),
                changes=dict(self._changes()),
                verdicts=dict(self._applied._verdicts().most_common()),
                verdict_counts=[
                    shaped(VERDICTS, one, reason=reason_as_object(one.reason, repeat=one.repeat))
                    for one in self._applied.verdict_counts
                ],
            )
        )
