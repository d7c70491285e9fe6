# SPDX-License-Identifier: MIT
"""The outcomes of a tracker as lines and as JSON objects: the verdict, its reason, the changes."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import bankhook
from bankhook import _core
from bankhook._handlers._conditions import EVENTS, enumerated
from bankhook.cli.terminal import Style, plain, wrapped

if TYPE_CHECKING:
    from bankhook.types import Change, LineOutcome, Outcome, Rule, Transition

__all__ = ["COLOURS", "outcome_as_object", "outcome_lines", "reason_as_object", "reason_parts", "rests"]

COLOURS = {"specified": "green", "assumed": "cyan", "unspecified": "yellow", "contradicts": "red"}
_BROKEN = ("unspecified", "contradicts")
"""The verdicts whose reason, if it is a rule, is one that the event breaks; with the others the event comes as the rule says."""
_WHOLE = (bankhook.types.ChangeKind.ADDED, bankhook.types.ChangeKind.MISSING)
_HIDDEN = "···"
_LISTED = frozenset(value for event in EVENTS for _, listed in enumerated(event).values() for value in listed or ())


class _Subject(NamedTuple):
    """Which event it is and which resource and member it is about."""

    event: str
    event_type: str | None
    id: str | None
    member: str | None
    date: str | None
    """As written on the wire; events of connections have none."""


def _subject(raw: bytes) -> _Subject:
    event = bankhook.parse(raw)
    match event:
        case bankhook.BankConnectionsUpdateV2():
            return _Subject(event.event, str(event.event_type), event.connection.id, event.customer.id, None)
        case bankhook.InitialTransactionUpdate():
            purchase = event.initial_transaction
            date = _core._written(purchase, "date")
            return _Subject(event.event, str(event.event_type), purchase.id, event.customer.id, date)
        case _:
            return _Subject(event.event, None, None, None, None)


def reason_text(reason: Rule | Transition[str, str] | None, *, repeat: bool = False) -> str:
    """Return the reason of a verdict as a sentence."""
    if repeat:
        return "repeat: contains nothing new (the specification does not describe retries)"
    if reason is None:
        return "no row of the lifecycle covers it"
    if isinstance(reason, bankhook.types.Rule):
        return reason.sentence
    before = "start" if reason.from_ is None else str(reason.from_)
    if reason.to is None:
        return f"{reason.trigger} changes nothing after {before}"
    text = f"{before} → {reason.to} by {reason.trigger}"
    return text if reason.is_expected else f"{text}, of which nothing is known"


def reason_parts(verdict: str, reason: Rule | Transition[str, str] | None, *, repeat: bool = False) -> tuple[str, Style]:
    """Return the reason of a verdict with the id that `bankhook rule` explains; a rule says whether it is broken."""
    text = reason_text(reason, repeat=repeat)
    if repeat or not isinstance(reason, bankhook.types.Rule):
        return text, {}
    return f"{'breaks' if verdict in _BROKEN else 'by'} the rule {reason.id}: {text}", {"rule": reason.id}


def _basis(reason: Rule | Transition[str, str]) -> str:
    return (reason.evidence if isinstance(reason, bankhook.types.Rule) else reason.basis).value


def rests(verdict: str, reason: Rule | Transition[str, str] | None) -> list[str]:
    """Return the section of a verdict's reason, and its evidence unless that is clear."""
    if reason is None:
        return []
    # "stated" is what one expects, and beside "specified" it would read like a second verdict.
    evidence = _basis(reason)
    known = [] if evidence in (verdict, "stated") else [evidence]
    return [f"section {reason.section}", *known]


def reason_as_object(reason: Rule | Transition[str, str] | None, *, repeat: bool = False) -> dict[str, Any] | None:
    """Return the reason as a JSON object; None if the specification does not cover the event."""
    if reason is None:
        return None
    named = {"rule": reason.id} if isinstance(reason, bankhook.types.Rule) else {}
    about = {"section": reason.section, "evidence": _basis(reason), "sentence": reason_text(reason, repeat=repeat)}
    return {**named, **about}


def outcome_lines(file: str, numbered: LineOutcome, *, show_values: bool, indent: int = 0) -> Iterator[str]:
    """Yield `file:line:` and which event of whom it is, its changes, `created → rejected by store_not_set_up [assumed, ...]`."""
    outcome, subject = numbered.outcome, _subject(numbered.raw)
    verdict = outcome.verdict.value
    about = f" of {subject.id}, member {subject.member}" if subject.id is not None else ""
    dated = f", purchase created {subject.date}" if subject.date else ""
    text = plain(f"{subject.event} {subject.event_type or ''}".rstrip() + about + dated)
    yield from wrapped((f"{plain(file)}:{numbered.line}:", {"bold": True}), (text, {}), first=indent, rest=indent + 4)
    for change in outcome.changes:
        parts = _change_parts(change, subject.member, show_values=show_values)
        yield from wrapped(*parts, first=indent + 4, rest=indent + 6)
    yield from wrapped(
        _outcome_parts(outcome, subject),
        (
            f"[{', '.join([verdict, *rests(verdict, outcome.reason)])}]",
            {"fg": COLOURS[verdict]} if verdict in ("unspecified", "contradicts") else {},
        ),
        first=indent + 2,
        rest=indent + 4,
    )


def _outcome_parts(outcome: Outcome, subject: _Subject) -> tuple[str, Style]:
    """Return what became of the event, then why."""
    reason = outcome.reason
    if isinstance(reason, bankhook.types.Transition) and not outcome.accepted and subject.event_type is not None:
        text, style = f"late or a repeat: {plain(subject.event_type)} after {reason.from_ or 'the start'}", Style()
    else:
        text, style = reason_parts(outcome.verdict.value, reason, repeat=outcome.repeat)
    return text if outcome.accepted else f"{text}, so it is ignored", style


def _change_parts(change: Change, member: str | None, *, show_values: bool) -> Iterator[tuple[str, Style]]:
    text = f"{change.label} {plain(change.id)}"
    if change.parent_id not in (None, member):
        text += f" of {plain(change.parent_id or '')}"
    if change.field is not None:
        before, after = (
            _value_text(change, value, written, show_values=show_values)
            for value, written in ((change.before, change.before_wire), (change.after, change.after_wire))
        )
        if change.kind in _WHOLE:
            text += f", {change.field}: {after}"
        elif before == after == _HIDDEN:
            text += f", {change.field} changed (--show-values shows it)"
        else:
            text += f", {change.field}: {before} → {after}"
    yield text, {}
    if change.first_event_missing:
        yield "(its first event is missing)", {"fg": "yellow"}


def _is_shown(change: Change, value: object, *, show_values: bool) -> bool:
    """Return whether a value is not personal; an error code names a kind of error."""
    is_text = isinstance(value, str) and value not in _LISTED and change.field != "errorCode"
    return show_values or not (isinstance(value, Decimal) or is_text)


def _value_text(change: Change, value: object, written: str | None, *, show_values: bool) -> str:
    if written is None:
        return "null" if change.field in _nullable() else "absent"
    return plain(written) if _is_shown(change, value, show_values=show_values) else _HIDDEN


@functools.cache
def _nullable() -> frozenset[str]:
    """Return the wire names of fields that can be null; not at import, because an option may still name one of them."""
    classes = (bankhook.Account, bankhook.Connection, bankhook.InitialTransaction)
    return frozenset(field.wire_name for class_ in classes for field in bankhook.fields(class_) if field.nullable)


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
        if change.field is not None and _is_shown(change, value, show_values=show_values)
    }
    head = {"kind": change.kind.value, "subject": change.subject.value, "label": change.label, "id": change.id}
    about = {"parent_id": change.parent_id, "field": change.field}
    return {**head, **about, **values, "first_event_missing": change.first_event_missing}
