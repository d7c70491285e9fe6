# SPDX-License-Identifier: MIT
"""Records in words, the same in a notebook and in a terminal: numbers of things, reasons of verdicts, rows of lifecycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bankhook._records.findings import Rule
from bankhook._records.transitions import Transition

_LISTED = 5  # values of a list that are shown


def counted(count: int, noun: str, nouns: str = "") -> str:
    """Return `1 account`, `10,000 accounts`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def listed(values: Sequence[object], between: str = ", ") -> str:
    """Return the first of many values: `1, 2, 3, 4, 5 and 10 more`."""
    rest = len(values) - _LISTED
    return between.join(map(str, values[:_LISTED])) + (f" and {rest:,} more" if rest > 0 else "")


def basis(reason: Rule | Transition[Any, Any]) -> str:
    """Return the evidence of a reason."""
    return (reason.evidence if isinstance(reason, Rule) else reason.basis).value


def reason_text(reason: Rule | Transition[Any, Any] | None, *, repeat: bool = False) -> str:
    """Return the reason of a verdict as a sentence."""
    if repeat:
        return "repeat: contains nothing new (the specification does not describe retries)"
    if reason is None:
        return "no row of the lifecycle covers it"
    if isinstance(reason, Rule):
        return reason.sentence
    before = reason.from_ or "start"
    if reason.to is None:
        return f"{reason.trigger} changes nothing after {before}"
    text = f"{before} → {reason.to} by {reason.trigger}"
    return text if reason.is_expected else f"{text}, of which nothing is known"


def row_text(row: Transition[Any, Any]) -> str:
    """Return a row of a lifecycle in one line: the step, its trigger, and what is known of it."""
    steps = f"{row.from_ or '(start)'} → {row.to or 'not applied'}"
    known = "" if row.before == "stated" else f", state before {row.before}"
    return f"{steps:24} {row.trigger:18} {row.evidence}{known}, section {row.section}"
