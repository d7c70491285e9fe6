# SPDX-License-Identifier: MIT
"""The outcomes of a tracker: the verdict, its reason, and the changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bankhook._records.findings import Rule
from bankhook._records.tracking import Change, Outcome
from bankhook._records.words import basis, reason_text
from bankhook._render.findings import blocks
from bankhook._render.markup import code, evidence_pill, head, more, note, pill, table, tag, word
from bankhook._render.values import NULL, value_of

LIMIT = 50  # of changes


def change(value: Change) -> str:
    """Return one change."""
    return _changes([value])


def outcome(value: Outcome) -> str:
    """Return what an event means for the tracked state."""
    pills = [pill(value.verdict, "bad" if value.verdict == "contradicts" else f"plain {value.verdict}")]
    if value.repeat:
        pills.append(pill("repeat", title="contains nothing new"))
    if not value.accepted:
        pills.append(pill("ignored", "bad", title="late, a repeat, or against itself"))
    if value.seen_before:
        pills.append(pill("seen before", title="this very event was accepted earlier"))
    nothing = "" if value.repeat or not value.accepted else note("Nothing changes.")
    changes = _changes(value.changes) or nothing
    return head("Outcome", "".join(pills)) + _reason(value) + changes + blocks(value.findings)


def _reason(value: Outcome) -> str:
    """Return why it is so, in sentences, and what that rests on."""
    reason = value.reason
    rule = f"The rule {reason.id}: " if isinstance(reason, Rule) and not value.repeat else ""
    pieces = [word(f"{rule}{reason_text(reason, repeat=value.repeat)}.")]
    if not value.accepted:
        pieces.append(word("The event was ignored."))
    if reason is not None:
        pieces += (word(f"Section {reason.section},"), evidence_pill(type(reason.evidence)(basis(reason))))
    return tag("div", word(" ").join(pieces), "basis")


def _changes(changes: Sequence[Change]) -> str:
    if not changes:
        return ""
    rows = [
        [
            pill(one.label.replace("_", " "), title=f"{one.subject}, {one.kind}"),
            code(one.id) + (word(" of ") + code(one.parent_id) if one.parent_id is not None else ""),
            code(one.field) if one.field is not None else "",
            _side(one.before, one.before_wire, one),
            _side(one.after, one.after_wire, one) + (word(" first event missing") if one.first_event_missing else ""),
        ]
        for one in changes[:LIMIT]
    ]
    return table(("change", "what", "field", "before", "after"), rows) + more(len(changes) - LIMIT, "change")


def _side(value: Any, written: str | None, one: Change) -> str:
    """Return the values of a change: a whole object has none, and neither has a field that is null or absent."""
    if value is None:
        return NULL if one.field is not None else ""
    return value_of(value, written)
