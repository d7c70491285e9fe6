# SPDX-License-Identifier: MIT
"""How objects of the library are shown in a notebook; loaded when one of them is first shown.

The HTML has no scripts and loads nothing; text from a payload is escaped and shortened, and its control characters are
made visible. The colours are mixed from the text colour of the page, so that light and dark
themes are both readable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from bankhook._archive import LineFindings, LinesReport, ParsedLines, Rejected
from bankhook._core import Tracker
from bankhook._records.display import Printer
from bankhook._records.errors import ParseError
from bankhook._records.findings import Finding, Findings
from bankhook._records.lifecycles import Lifecycle
from bankhook._records.timeline import Timeline
from bankhook._records.tracking import Change, Outcome
from bankhook._render import findings, lifecycles, outcomes, timeline, tracker, tree
from bankhook._render.markup import page
from bankhook._render.wrapping import wrapped
from bankhook._tracking import JointAccounts

REPR_LIMIT = 4_000  # characters

Shows: TypeAlias = Callable[[Any], str]

_SHOWS: dict[type, Shows] = {
    Change: outcomes.change,
    Finding: findings.block,
    Findings: findings.findings,
    JointAccounts: tracker.joint_accounts,
    Outcome: outcomes.outcome,
    ParseError: findings.error,
    LineFindings: findings.rejected,
    LinesReport: findings.lines_report,
    ParsedLines: findings.parsed_lines,
    Rejected: findings.rejected,
    Timeline: timeline.timeline,
    Tracker: tracker.tracker,
}


def html(value: object) -> str:
    """Return an object of the library as a piece of HTML with its own styles."""
    for cls in type(value).__mro__:
        if cls in _SHOWS:
            return page(_SHOWS[cls](value))
    return page(tree.tree(value))


def pretty(value: object, printer: Printer, cycle: bool = False) -> None:
    """Print the repr for IPython, over lines; it is what a notebook stores with the HTML. A long one says how much was cut."""
    text = repr(value)
    if len(text) <= 4 * REPR_LIMIT:
        text = wrapped(text, getattr(printer, "indentation", 0))
    rest = len(text) - REPR_LIMIT
    printer.text(text if rest <= 0 else f"{text[:REPR_LIMIT]}… {rest:,} more characters")


def svg(value: Lifecycle[Any, Any] | Timeline) -> str | None:
    """Return a picture as an `<svg>` element; None if what draws it is not installed."""
    return timeline.svg(value) if isinstance(value, Timeline) else lifecycles.svg(value)


def chart(value: Timeline) -> Any:
    """Return a timeline as a chart of Altair. Raises ImportError if Altair is not installed."""
    from bankhook._render.charts import chart

    return chart(value)
