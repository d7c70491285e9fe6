# SPDX-License-Identifier: MIT
"""Lifecycles drawn by Graphviz with the current state marked; without Graphviz, a table of their rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bankhook._records.drawing import Drawing
from bankhook._records.lifecycles import Lifecycle
from bankhook._records.transitions import Transition
from bankhook._records.words import row_text
from bankhook._render.hues import HUES, INK, hue_of
from bankhook._render.markup import code, evidence_pill, fold, head, note, state_pill, table, word

_MISSING = "The picture needs the program `dot` of Graphviz (apt install graphviz, brew install graphviz)."
_FONT = "Helvetica,Arial,sans-serif"
_LOOK = f"""
  graph [bgcolor="transparent", pad=0.15, nodesep=0.35, ranksep=0.5];
  node [fontname="{_FONT}", color="{INK}", fontcolor="{INK}", fontsize=12, height=0.4, margin="0.2,0.08"];
  edge [fontname="{_FONT}", color="{INK}", fontcolor="{INK}", fontsize=10, arrowsize=0.7];
"""
_BEGIN = '  "[*]" [width=0.14, height=0.14, margin=0];\n'
_MARK = '  "{state}" [class="current", style="rounded,filled", color="{hue}", fillcolor="{hue}33", penwidth=2];\n'
# In a page: the text colour of the page, and for the current state a colour that fits light and dark.
_STYLE = (
    ".bankhook svg .node path,.bankhook svg .node polygon,.bankhook svg .edge path{stroke:var(--ink)}"
    ".bankhook svg .node ellipse,.bankhook svg .edge polygon{fill:var(--ink);stroke:var(--ink)}"
    ".bankhook svg .current path:first-of-type{fill:color-mix(in srgb,var(--now) 26%,transparent);stroke:var(--now)}"
    ".bankhook svg .current path{stroke:var(--now)}.bankhook svg .current text{font-weight:600}"
)


def svg(machine: Lifecycle[Any, Any], state: str | None) -> str | None:
    """Return the picture as an `<svg>` element; None without Graphviz."""
    import subprocess  # takes a while to load, and only pictures need it

    rows = machine.to_dot().partition("{")[2].rpartition("}")[0]
    mark = "" if state is None else _MARK.format(state=state, hue=HUES.get(hue_of(state), HUES["gone"]))
    dot = f'digraph "{machine.name}" {{{_LOOK}{rows}{_BEGIN}{mark}}}'
    try:
        drawn = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, check=True, encoding="utf-8").stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    # Without the ids, which the next picture on the same page would repeat.
    return re.sub(r'<!--.*?-->\n?|(?<=<g) id="[^"]*"', "", drawn[drawn.index("<svg") :], flags=re.DOTALL)


def drawing(value: Drawing[Any]) -> str:
    """Return the picture, notes on what its arrows cannot show, and its rows."""
    machine, state = value.lifecycle, value.state
    picture = svg(machine, state)
    title = head(machine.name, word("now") + state_pill(state) if state is not None else "")
    hue = hue_of(state) if state is not None else "plain"
    now = f".bankhook svg{{--now:var(--{hue},var(--dim))}}"
    shown = f"<style>{now}{_STYLE}</style>{picture}" if picture is not None else note(_MISSING)
    rows = fold(word("rows of the table"), _rows(machine), is_open=picture is None)
    return title + shown + "".join(map(note, _notes(machine, state))) + rows


def plain(machine: Lifecycle[Any, Any], state: str | None) -> str:
    """Return the rows as lines of text."""
    rows = (f"{'*' if row.from_ == state is not None else ' '} {row_text(row)}" for row in machine.transitions)
    return "\n".join((machine.name if state is None else f"{machine.name}, now {state}", *rows))


def _rows(machine: Lifecycle[Any, Any]) -> str:
    rows = [
        [
            state_pill(transition.from_) if transition.from_ is not None else word("start"),
            code(transition.trigger),
            state_pill(transition.to) if transition.to is not None else word("never"),
            evidence_pill(transition.evidence),
            word(transition.before),
            transition.section,
        ]
        for transition in machine.transitions
    ]
    return table(("state", "trigger", "leads to", "evidence", "state before", "section"), rows)


def _notes(machine: Lifecycle[Any, Any], state: str | None) -> Iterator[str]:
    """Yield the triggers that are expected here, those that never happen, and what the lines mean."""
    if state is not None:
        allowed = ", ".join(machine.allowed(state))
        yield f"From {state}: {allowed}." if allowed else f"{state} is final."
    never: dict[tuple[str, str], list[str]] = {}
    for transition in machine.transitions:
        if transition.to is not None:
            continue
        never.setdefault((transition.trigger, _basis(transition)), []).append(transition.from_ or "the start")
    for (trigger, basis), states in never.items():
        *others, last = states
        yield f"{trigger} is not allowed in {', '.join(others) + ' or ' if others else ''}{last} ({basis})."
    if any(transition.is_expected and transition.is_assumed for transition in machine.transitions):
        yield "Dashed: assumed, because the specification does not say it, or not from which state."
    if any(transition.before == "unknown" for transition in machine.transitions):
        yield "Not drawn: what never happens, and what nobody expects; the rows have it."


def _basis(transition: Transition[Any, Any]) -> str:
    known = "" if transition.before == "stated" else f", the state before {transition.before}"
    return f"{transition.evidence}{known}, {transition.section}"
