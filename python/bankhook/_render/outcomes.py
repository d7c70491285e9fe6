# SPDX-License-Identifier: MIT
"""The outcomes of a tracker: the verdict, its reason, and the changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bankhook._records.findings import Rule
from bankhook._records.tracking import Change, Outcome
from bankhook._records.transitions import FinalState, Transition
from bankhook._render.findings import listed_findings
from bankhook._render.markup import code, evidence_pill, note, pill, plural, safe, table, tag, word
from bankhook._render.values import NULL, value_of

__all__ = ["change", "outcome"]

LIMIT = 50  # of changes


def change(value: Change) -> str:
    """Return one change."""
    return _changes([value])


def outcome(value: Outcome) -> str:
    """Return what an event means for the tracked state."""
    pills = [pill(value.verdict, value.verdict)]
    if value.repeat:
        pills.append(pill("repeat", title="contains nothing new"))
    if not value.accepted:
        pills.append(pill("not taken", "bad", title="a create or created of what is already known"))
    if value.seen_before:
        pills.append(pill("seen before", title="this very event changed something earlier"))
    head = tag("div", tag("span", "Outcome", "class") + "".join(pills), "head")
    nothing = "" if value.repeat or not value.accepted else note("Nothing changes.")
    return head + _reason(value.reason) + (_changes(value.changes) or nothing) + listed_findings(value.findings)


def _reason(reason: Rule | Transition[Any, Any] | FinalState[Any] | None) -> str:
    if reason is None:
        return ""
    evidence = evidence_pill(reason.evidence) + word(f" section {reason.section}")
    if isinstance(reason, Rule):
        said = code(reason.id) + word(f" {reason.sentence} ", "")
    elif isinstance(reason, Transition):
        to = pill(reason.to, "enum") if reason.to is not None else word("never")
        begin = pill(reason.from_, "enum") if reason.from_ is not None else word("start")
        said = f"{begin} {word('→')} {code(reason.trigger)} {word('→')} {to} "
    else:
        said = f"{pill(reason.state, 'enum')} {word('is final ')}"
    return tag("div", word("rests on ") + said + evidence, "basis")


def _changes(changes: Sequence[Change]) -> str:
    if not changes:
        return ""
    rows = [
        [
            pill(one.kind.value.replace("_", " "), title=f"ChangeKind.{one.kind.name}"),
            code(one.id) + (word(" of ") + code(one.parent_id) if one.parent_id is not None else ""),
            code(one.field) if one.field is not None else "",
            _side(one.before, one.before_wire, one),
            _side(one.after, one.after_wire, one) + (word(" first event missing") if one.first_event_missing else ""),
        ]
        for one in changes[:LIMIT]
    ]
    rest = len(changes) - LIMIT
    more = note(f"… {safe(plural(rest, 'more change'))}") if rest > 0 else ""
    return table(("change", "of", "field", "before", "after"), rows) + more


def _side(value: Any, written: str | None, one: Change) -> str:
    """Return the values of a change: a whole object has none, and neither has a field that is null or absent."""
    if value is None:
        return NULL if one.field is not None else ""
    return value_of(value, written)
