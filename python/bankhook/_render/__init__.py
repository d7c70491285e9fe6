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
from bankhook._records.display import Printer
from bankhook._records.errors import ParseError
from bankhook._records.findings import Finding, Findings
from bankhook._records.lifecycles import Drawing
from bankhook._records.timeline import Timeline
from bankhook._records.tracking import Change, Outcome
from bankhook._render import findings, lifecycles, outcomes, timeline, tracker, tree
from bankhook._render.markup import page
from bankhook.archive import LineFindings, ParsedLines, Rejected
from bankhook.tracking import JointAccounts

__all__ = ["chart", "html", "plain", "pretty", "svg"]

REPR_LIMIT = 4_000  # characters

Shows: TypeAlias = Callable[[Any], str]

_SHOWS: dict[type, Shows] = {
    Change: outcomes.change,
    Drawing: lifecycles.drawing,
    Finding: findings.finding,
    Findings: findings.findings,
    JointAccounts: tracker.joint_accounts,
    Outcome: outcomes.outcome,
    ParseError: findings.error,
    LineFindings: findings.rejected,
    ParsedLines: findings.parsed_lines,
    Rejected: findings.rejected,
    Timeline: timeline.timeline,
    Tracker: tracker.tracker,
}


def html(value: object) -> str:
    """An object of the library as a piece of HTML with its own styles."""
    for cls in type(value).__mro__:
        if cls in _SHOWS:
            return page(_SHOWS[cls](value))
    return page(tree.tree(value))


def pretty(value: object, printer: Printer) -> None:
    """The repr for IPython, which stores it in a notebook beside the HTML: shortened with a word of how much."""
    text = repr(value)
    rest = len(text) - REPR_LIMIT
    printer.text(text if rest <= 0 else f"{text[:REPR_LIMIT]}… {rest:,} more characters")


def plain(drawing: Drawing) -> str:
    """A lifecycle as lines of text."""
    return lifecycles.plain(drawing.lifecycle, drawing.state)


def svg(value: Drawing | Timeline) -> str | None:
    """A picture as an `<svg>` element; None if what draws it is not installed."""
    return timeline.svg(value) if isinstance(value, Timeline) else lifecycles.svg(value.lifecycle, value.state)


def chart(value: Timeline) -> Any:
    """A timeline as a chart of Altair, which may be missing."""
    from bankhook._render.charts import chart

    return chart(value)
