# SPDX-License-Identifier: MIT
"""The outcomes of a tracker as lines and as JSON objects: the verdict, its reason, the changes."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import bankhook
from bankhook._handlers._conditions import EVENTS
from bankhook._records.words import basis, reason_text
from bankhook._render.values import written
from bankhook.cli.shapes import CHANGE, OUTCOME, REASON, shaped
from bankhook.cli.terminal import Part, say

if TYPE_CHECKING:
    from bankhook.types import Change, LineOutcome, Rule, Transition

_COLOURS = {"unspecified": "yellow", "contradicts": "red"}
"""Of the verdicts whose reason, if it is a rule, is one that the event breaks; with the others it comes as the rule says."""
_HIDDEN = "···"
_CLASSES = (*EVENTS, bankhook.Account, bankhook.Connection, bankhook.InitialTransaction)
_FIELDS = [field for class_ in _CLASSES for field in bankhook.fields(class_)]
_NULLABLE = {field.wire_name for field in _FIELDS if field.nullable}
_LISTED = {(field.wire_name, value) for field in _FIELDS for value in field.values}


def _subject(raw: bytes) -> dict[str, Any]:
    """Return which event it is, which resource and member it is about, and the date as written: that of a transaction."""
    event: Any = bankhook.parse(raw)
    subject: dict[str, Any] = dict.fromkeys(("event_type", "id", "member", "date")) | {"event": event.event}
    if not isinstance(event, bankhook.UnknownEvent):
        transaction = getattr(event, "initial_transaction", None)
        about = transaction or event.connection
        subject |= {"event_type": str(event.event_type), "id": about.id, "member": event.customer.id}
        subject["date"] = transaction and written(transaction, "date")
    return subject


def reason_of(verdict: str, reason: Rule | Transition[str, str] | None, *, repeat: bool = False) -> str:
    """Return the reason of a verdict with the id that `bankhook rule` explains; a rule says whether it is broken."""
    text = reason_text(reason, repeat=repeat)
    if repeat or not isinstance(reason, bankhook.types.Rule):
        return text
    return f"{'breaks' if verdict in _COLOURS else 'by'} the rule {reason.id}: {text}"


def rests(verdict: str, reason: Rule | Transition[str, str] | None) -> list[str]:
    """Return the section of a verdict's reason, and its evidence unless that is clear."""
    if reason is None:
        return []
    # "stated" is what one expects, and beside "specified" it would read like a second verdict.
    evidence = basis(reason)
    return [f"section {reason.section}", *([] if evidence in (verdict, "stated") else [evidence])]


def reason_as_object(reason: Rule | Transition[str, str] | None, *, repeat: bool = False) -> dict[str, Any] | None:
    """Return the reason as a JSON object; None if the specification does not cover the event."""
    if reason is None:
        return None
    named = {"rule": reason.id} if isinstance(reason, bankhook.types.Rule) else {}
    sentence = reason_text(reason, repeat=repeat)
    return shaped(REASON, **named, section=reason.section, evidence=basis(reason), sentence=sentence)


def say_outcome(numbered: LineOutcome, made: dict[str, Any]) -> None:
    """Print, from its JSON object, `file:line:` and which event of whom an outcome is about, its changes, and why it is so:
    `created → rejected by store_not_set_up [assumed, ...]`.
    """
    outcome, verdict, type_ = numbered.outcome, made["verdict"].value, made["event_type"]
    about = f" of {made['id']}, member {made['member']}" if made["id"] is not None else ""
    dated = f", purchase created {made['date']}" if made["date"] else ""
    say((f"{made['file']}:{made['line']}:", "bold"), f"{made['event']} {type_ or ''}".rstrip() + about + dated, rest=4)
    for change in made["changes"]:
        say(*_change_parts(change, made["member"]), first=4, rest=6)
    if isinstance(outcome.reason, bankhook.types.Transition) and not outcome.accepted and type_ is not None:
        text = f"late or a repeat: {type_} after {outcome.reason.from_ or 'the start'}"
    else:
        text = reason_of(verdict, outcome.reason, repeat=outcome.repeat)
    ending = f"[{', '.join([verdict, *rests(verdict, outcome.reason)])}]"
    say(text if outcome.accepted else f"{text}, so it is ignored", (ending, _COLOURS.get(verdict, "")), first=2, rest=4)


def _change_parts(change: dict[str, Any], member: str | None) -> Iterator[Part]:
    text, field = f"{change['label']} {change['id']}", change["field"]
    if change["parent_id"] not in (None, member):
        text += f" of {change['parent_id']}"
    if field is not None:
        absence = "null" if field in _NULLABLE else "absent"
        sides = [change.get(side, _HIDDEN) for side in ("before", "after")]
        before, after = (absence if side is None else str(side) for side in sides)
        if change["kind"] in (bankhook.types.ChangeKind.ADDED, bankhook.types.ChangeKind.MISSING):
            text += f", {field}: {after}"
        elif before == after == _HIDDEN:
            text += f", {field} changed (--show-values shows it)"
        else:
            text += f", {field}: {before} → {after}"
    yield text
    if change["first_event_missing"]:
        yield "(its first event is missing)", "yellow"


def outcome_as_object(file: str, numbered: LineOutcome, *, show_values: bool) -> dict[str, Any]:
    """Return the outcome as a JSON object; redacted values are left out."""
    outcome = numbered.outcome
    return shaped(
        OUTCOME,
        outcome,
        file=file,
        line=numbered.line,
        **_subject(numbered.raw),
        reason=reason_as_object(outcome.reason, repeat=outcome.repeat),
        changes=[_change_as_object(change, show_values=show_values) for change in outcome.changes],
        findings=[finding.rule for finding in outcome.findings],
    )


def _change_as_object(change: Change, *, show_values: bool) -> dict[str, Any]:
    """Return the change without values that may be personal; an error code names a kind of error."""
    values: dict[str, Any] = {}
    for name, value, wire in (("before", change.before, change.before_wire), ("after", change.after, change.after_wire)):
        is_unlisted = isinstance(value, str) and (change.field, value) not in _LISTED and change.field != "errorCode"
        if change.field is not None and (show_values or not (isinstance(value, Decimal) or is_unlisted)):
            values[name] = value if isinstance(value, int) else wire
    return shaped(CHANGE, change, **values)
