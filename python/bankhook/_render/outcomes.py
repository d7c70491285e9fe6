# SPDX-License-Identifier: MIT
"""The outcomes of a tracker: the verdict, its reason, and the changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bankhook._records.findings import Rule
from bankhook._records.tracking import Change, Outcome
from bankhook._records.transitions import FinalState, Transition
from bankhook._render.findings import listed_findings
from bankhook._render.markup import code, evidence_pill, note, pill, plural, safe, state_pill, table, tag, word
from bankhook._render.values import NULL, value_of

__all__ = ["change", "outcome"]

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
        pills.append(pill("not taken", "bad", title="a create or created of what is already known"))
    if value.seen_before:
        pills.append(pill("seen before", title="this very event changed something earlier"))
    head = tag("div", tag("span", "Outcome", "class") + "".join(pills), "head")
    nothing = "" if value.repeat or not value.accepted else note("Nothing changes.")
    return head + _reason(value) + (_changes(value.changes) or nothing) + listed_findings(value.findings)


def _reason(value: Outcome) -> str:
    """Return why it is so, as a sentence, and what that rests on."""
    reason = value.reason
    basis = word(f", section {reason.section} ") + evidence_pill(reason.evidence) if reason is not None else ""
    return tag("div", word(" ").join(_sentence(value, reason)) + basis, "basis")


def _sentence(value: Outcome, reason: Rule | Transition[Any, Any] | FinalState[Any] | None) -> Iterator[str]:
    ignored = "" if value.accepted else "; ignored"
    if value.repeat:
        yield word("a repeat: contains nothing new; the specification does not describe retries")
    elif reason is None:
        yield word(f"the specification does not cover it{ignored}")
    elif isinstance(reason, Rule):
        yield tag("span", safe(f"{reason.sentence}{ignored}"), title=reason.id)
    elif isinstance(reason, FinalState):
        yield from (state_pill(reason.state), word(f"is final: no state is shown to follow{ignored}"))
    elif reason.to is None:
        before = state_pill(reason.from_) if reason.from_ is not None else word("the start")
        yield from (
            code(reason.trigger),
            word("never happens in" if reason.from_ is not None else "never happens at"),
            before + word(f"{ignored}", ""),
        )
    else:
        before = state_pill(reason.from_) if reason.from_ is not None else word("start")
        yield from (before, word("→"), state_pill(reason.to), word("by"), code(reason.trigger) + word(f"{ignored}", ""))


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
    return table(("change", "what", "field", "before", "after"), rows) + more


def _side(value: Any, written: str | None, one: Change) -> str:
    """Return the values of a change: a whole object has none, and neither has a field that is null or absent."""
    if value is None:
        return NULL if one.field is not None else ""
    return value_of(value, written)
