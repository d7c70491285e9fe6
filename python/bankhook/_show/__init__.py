# SPDX-License-Identifier: MIT
"""How objects of the library show themselves in a notebook; loaded when one of them is shown, and not before.

All of it is HTML without scripts and without anything from elsewhere; what comes from a payload is escaped, shortened,
and its control characters are made visible. The colours are mixtures of the page's own ink, so that light and dark
themes are both readable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from bankhook._core import Tracker
from bankhook._drawing import Printer
from bankhook._follow import Change, Outcome
from bankhook._joint_accounts import JointAccounts
from bankhook._lines import ParsedLines, Rejected
from bankhook._show import _findings, _follow, _tracker, _tree
from bankhook._show._markup import page
from bankhook._values import Finding, Findings, ParseError

__all__ = ["html", "pretty"]

REPR_LIMIT = 4_000  # characters

Shows: TypeAlias = Callable[[Any], str]

_SHOWS: dict[type, Shows] = {
    Change: _follow.change,
    Finding: _findings.finding,
    Findings: _findings.findings,
    JointAccounts: _tracker.joint_accounts,
    Outcome: _follow.outcome,
    ParseError: _findings.error,
    ParsedLines: _findings.parsed_lines,
    Rejected: _findings.rejected,
    Tracker: _tracker.tracker,
}


def html(value: object) -> str:
    """An object of the library as a piece of HTML with its own styles."""
    for cls in type(value).__mro__:
        if cls in _SHOWS:
            return page(_SHOWS[cls](value))
    return page(_tree.tree(value))


def pretty(value: object, printer: Printer) -> None:
    """The repr for IPython, which stores it in a notebook beside the HTML: shortened with a word of how much."""
    text = repr(value)
    rest = len(text) - REPR_LIMIT
    printer.text(text if rest <= 0 else f"{text[:REPR_LIMIT]}… {rest:,} more characters")
