# SPDX-License-Identifier: MIT
"""The outcomes of a tracker as lines and as JSON objects: the verdict, its reason, the changes."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import bankhook
from bankhook.cli.terminal import plain, styled
from bankhook.handlers._conditions import EVENTS, enumerated

if TYPE_CHECKING:
    from bankhook import Change, FinalState, LineOutcome, Rule, Transition

__all__ = ["COLOURS", "outcome_as_object", "outcome_lines", "reason_as_object", "reason_text"]

COLOURS = {"specified": "green", "assumed": "cyan", "unspecified": "yellow", "contradicts": "red"}
_LISTED = frozenset(value for event in EVENTS for _, listed in enumerated(event).values() for value in listed or ())


class _Subject(NamedTuple):
    """Which event it is and which resource and member it is about."""

    event: str
    event_type: str | None
    id: str | None
    member: str | None


def _subject(raw: bytes) -> _Subject:
    event = bankhook.parse(raw)
    if isinstance(event, bankhook.UnknownEvent):
        return _Subject(event.event, None, None, None)
    about: str | None
    match event:
        case bankhook.BankConnectionsUpdateV2():
            about = event.connection.id
        case bankhook.InitialTransactionUpdate():
            about = event.initial_transaction.id
        case _:
            about = None
    return _Subject(event.event, str(event.event_type), about, event.customer.id)


def reason_text(reason: Rule | Transition[str, str] | FinalState[str] | None, *, repeat: bool = False) -> str:
    """Return the reason of a verdict as a sentence."""
    if repeat:
        return "the event contains nothing new; the document does not show retries"
    if reason is None:
        return "the specification does not cover it"
    if isinstance(reason, bankhook.Rule):
        return reason.sentence
    if isinstance(reason, bankhook.FinalState):
        return f"no state is shown to follow {reason.state}"
    before = "start" if reason.from_ is None else str(reason.from_)
    return f"{before} → {reason.to} by {reason.trigger}" if reason.to else f"{reason.trigger} never follows {before}"


def reason_as_object(
    reason: Rule | Transition[str, str] | FinalState[str] | None, *, repeat: bool = False
) -> dict[str, Any] | None:
    """Return the reason as a JSON object; None if the specification does not cover the event."""
    if reason is None:
        return None
    named = {"rule": reason.id} if isinstance(reason, bankhook.Rule) else {}
    about = {"section": reason.section, "evidence": reason.evidence.value, "sentence": reason_text(reason, repeat=repeat)}
    return {**named, **about}


def outcome_lines(file: str, numbered: LineOutcome, *, show_values: bool) -> Iterator[str]:
    """Yield `file:line: verdict: reason (section 3.1, assumed)`, then the subject, and a line for each change."""
    outcome, subject = numbered.outcome, _subject(numbered.raw)
    reason = outcome.reason
    rests = f" (section {reason.section}, {reason.evidence})" if reason is not None else ""
    place = styled(f"{plain(file)}:{numbered.line}:", bold=True)
    verdict = styled(f"{outcome.verdict}:", bold=True, fg=COLOURS[outcome.verdict])
    kept = "" if outcome.accepted else "; not accepted"
    yield f"{place} {verdict} {reason_text(reason, repeat=outcome.repeat)}{kept}{rests}"
    about = f" of {subject.id}, member {subject.member}" if subject.id is not None else ""
    yield f"  {plain(f'{subject.event} {subject.event_type or str()}'.rstrip() + about)}"
    for change in outcome.changes:
        yield f"    {_change_text(change, subject.member, show_values=show_values)}"


def _change_text(change: Change, member: str | None, *, show_values: bool) -> str:
    text = f"{change.kind} {plain(change.id)}"
    if change.parent_id not in (None, member):
        text += f" of {plain(change.parent_id or '')}"
    if change.field is not None:
        before, after = (
            _value_text(value, written, show_values=show_values)
            for value, written in ((change.before, change.before_wire), (change.after, change.after_wire))
        )
        text += f", {change.field}: {before} → {after}"
    return text + (styled(", its first event is missing", fg="yellow") if change.first_event_missing else "")


def _is_shown(value: object, *, show_values: bool) -> bool:
    is_personal = isinstance(value, Decimal) or (isinstance(value, str) and value not in _LISTED)
    return show_values or not is_personal


def _value_text(value: object, written: str | None, *, show_values: bool) -> str:
    if written is None:
        return "nothing"
    return plain(written) if _is_shown(value, show_values=show_values) else "···"


def outcome_as_object(file: str, numbered: LineOutcome, *, show_values: bool) -> dict[str, Any]:
    """Return the outcome as a JSON object; redacted values are left out."""
    outcome, subject = numbered.outcome, _subject(numbered.raw)
    return {
        "type": "outcome",
        "file": file,
        "line": numbered.line,
        **subject._asdict(),
        "verdict": outcome.verdict.value,
        "reason": reason_as_object(outcome.reason, repeat=outcome.repeat),
        "accepted": outcome.accepted,
        "repeat": outcome.repeat,
        "seen_before": outcome.seen_before,
        "changes": [_change_as_object(change, show_values=show_values) for change in outcome.changes],
        "findings": [finding.rule for finding in outcome.findings],
    }


def _change_as_object(change: Change, *, show_values: bool) -> dict[str, Any]:
    values = {
        name: value if isinstance(value, int) else written
        for name, value, written in (
            ("before", change.before, change.before_wire),
            ("after", change.after, change.after_wire),
        )
        if change.field is not None and _is_shown(value, show_values=show_values)
    }
    head = {"kind": change.kind.value, "id": change.id, "parent_id": change.parent_id, "field": change.field}
    return {**head, **values, "first_event_missing": change.first_event_missing}
