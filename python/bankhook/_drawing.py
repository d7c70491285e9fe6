# SPDX-License-Identifier: MIT
"""Lifecycles as SVG, for notebooks: a column a step of the way, drawn without network and without dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from bankhook._lifecycles import Edge, Lifecycle

    Machine: TypeAlias = Lifecycle[Any, Any]
    Row: TypeAlias = Edge[Any, Any]

__all__ = ["svg"]

# In pixels: a box of a state, from one box to the next, room around all, from one line of text to the next.
_BOX = (104, 36)
_STEP = (264, 92)
_EDGE = 24
_LINE = 17

_STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #1f2933; text-anchor: middle; }
.small { font-size: 11px; fill: #616e7c; }
.note { font-size: 11px; fill: #616e7c; text-anchor: start; }
.halo { fill: none; stroke: #ffffff; stroke-width: 6px; stroke-linejoin: round; }
.box { fill: #f5f7fa; stroke: #52606d; stroke-width: 1.5px; }
.end { fill: none; stroke: #52606d; stroke-width: 1px; }
.edge { fill: none; stroke: #1f2933; stroke-width: 1.5px; }
.assumed { stroke-dasharray: 6 4; stroke: #9a5b13; }
.example { stroke-dasharray: 2 3; }"""

_ARROW = (
    '<marker id="bankhook-{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"'
    ' orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
)


def svg(machine: Machine) -> str:
    """The picture as an `<svg>` element with its own styles."""
    places = _places(machine)
    routes = [(edge, *_route(places[edge.from_], places[edge.to])) for edge in machine.edges]
    heights = [y for _, y in places.values()] + [y for _, _, (_, y) in routes]
    top, bottom = min(heights) - _BOX[1] // 2 - _EDGE, max(heights) + _BOX[1] // 2 + _EDGE
    width = max(x for x, _ in places.values()) + _BOX[0] // 2 + _EDGE
    shapes = [*(shape for route in routes for shape in _edge(*route)), *_states(machine, places)]
    for note in _notes(machine):
        shapes.append(f'<text class="note" x="{_EDGE}" y="{bottom + _LINE // 2}">{escape(note)}</text>')
        bottom += _LINE
    bottom += _EDGE // 2
    size = f'width="{width}" height="{bottom - top}" viewBox="0 {top} {width} {bottom - top}"'
    arrows = _ARROW.format(name="arrow", colour="#1f2933") + _ARROW.format(name="assumed", colour="#9a5b13")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{escape(repr(machine))}</title>'
    ground = f'<rect y="{top}" width="{width}" height="{bottom - top}" rx="6" fill="#ffffff"/>'
    return "\n".join([head, f"<style>{_STYLE}</style><defs>{arrows}</defs>", ground, *shapes, "</svg>\n"])


def _places(machine: Machine) -> dict[str | None, tuple[int, int]]:
    """The centre of each state; None is the point before the first one."""
    columns: dict[int, list[str]] = {}
    for state, column in _columns(machine).items():
        columns.setdefault(column, []).append(state)
    places: dict[str | None, tuple[int, int]] = {None: (_EDGE + 6, 0)}
    for column, states in columns.items():
        x = _EDGE + 6 + column * _STEP[0] - _BOX[0] // 2
        top = -(len(states) - 1) * _STEP[1] // 2
        places.update((state, (x, top + i * _STEP[1])) for i, state in enumerate(states))
    return places


def _columns(machine: Machine) -> dict[str, int]:
    """The longest way to each state that goes back nowhere, so that an edge never leads past what comes before."""
    columns = {state: max(1, len(machine.path_to(state))) for state in machine.states}
    order = {state: (columns[state], i) for i, state in enumerate(machine.states)}
    forward = [edge for edge in machine.edges if edge.from_ is not None and order[edge.from_] < order[edge.to]]
    for _ in machine.states:
        for edge in forward:
            columns[edge.to] = max(columns[edge.to], columns[edge.from_] + 1)
    return columns


def _states(machine: Machine, places: dict[str | None, tuple[int, int]]) -> Iterator[str]:
    finals = {final.state for final in machine.finals}
    x, y = places[None]
    yield f'<circle cx="{x}" cy="{y}" r="6" fill="#1f2933"/>'
    for state in machine.states:
        x, y = places[state]
        (w, h), left, top = _BOX, x - _BOX[0] // 2, y - _BOX[1] // 2
        yield f'<rect class="box" x="{left}" y="{top}" width="{w}" height="{h}" rx="8"/>'
        if state in finals:
            yield f'<rect class="end" x="{left + 3}" y="{top + 3}" width="{w - 6}" height="{h - 6}" rx="6"/>'
        yield f'<text x="{x}" y="{y + 4}">{escape(state)}</text>'


def _edge(edge: Row, path: str, label: tuple[int, int]) -> Iterator[str]:
    arrow = "assumed" if edge.evidence == "assumed" else "arrow"
    yield f'<path class="edge {edge.evidence}" d="{path}" marker-end="url(#bankhook-{arrow})"/>'
    x, y = label
    for look in ("halo ", ""):  # first white and wide, so that the line does not run through the words
        yield f'<text class="{look}label" x="{x}" y="{y - 7}">{escape(edge.trigger)}</text>'
        yield f'<text class="{look}small" x="{x}" y="{y + 15}">{escape(_basis(edge))}</text>'


def _route(start: tuple[int, int], end: tuple[int, int]) -> tuple[str, tuple[int, int]]:
    """The path of an edge and the place of its label."""
    (x, y), (to_x, to_y) = start, end
    w, h = _BOX[0] // 2, _BOX[1] // 2
    if start == end:
        loop = y - h - 46
        return f"M{x - 18} {y - h}C{x - 44} {loop} {x + 44} {loop} {x + 18} {y - h}", (x, y - h - 56)
    if 0 < to_x - x <= _STEP[0]:
        out, into = x + (6 if x < _BOX[0] else w), to_x - w  # from the point or from a box
        middle = (out + into) // 2
        return f"M{out} {y}C{middle} {y} {middle} {to_y} {into} {to_y}", (middle, (y + to_y) // 2)
    # Past other states: below them forward, above them back.
    side = 1 if (to_x, to_y) > (x, y) else -1
    turn = side * (h + 56)
    path = f"M{x} {y + side * h}C{x} {y + turn} {to_x} {to_y + turn} {to_x} {to_y + side * h}"
    return path, ((x + to_x) // 2, (y + to_y) // 2 + turn - side * 14)


def _basis(edge: Row) -> str:
    return f"{edge.evidence}, {edge.section}"


def _notes(machine: Machine) -> Iterator[str]:
    """What the arrows cannot say: which rows say never, and what the lines mean."""
    never: dict[tuple[str, str], list[str]] = {}
    for edge in machine.denials:
        never.setdefault((edge.trigger, _basis(edge)), []).append(edge.from_ or "the begin")
    for (trigger, basis), states in never.items():
        yield f"{trigger} never happens in {', '.join(states)} ({basis})"
    for final in machine.finals:
        yield f"{final.state} is final ({final.evidence}, {final.section})"
    if any(edge.evidence == "assumed" for edge in machine.edges):
        yield "dashed: assumed, because the specification does not say it"
