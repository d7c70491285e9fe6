# SPDX-License-Identifier: MIT
"""The results as a page of Markdown, whose summary others copy, and as a chart."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from bars import Bar
from machine import this_machine
from measure import Figure
from peers import PEERS

__all__ = ["Measured", "written_chart", "written_page"]


class Measured(NamedTuple):
    """One corpus and how long each library took for each workload, by `library: workload`."""

    name: str
    kind: str
    events: int
    bytes: int
    figures: Mapping[str, Figure]

    def times(self, workload: str, *peers: str) -> float:
        """How many times as long the fastest of the peers takes; for `select`, to parse and read."""
        theirs = {"select five": "five members", "select all": "all members"}.get(workload, workload)
        best = min(self.figures[f"{peer}: {theirs}"].nanoseconds for peer in peers)
        return best / self.figures[f"bankhook: {workload}"].nanoseconds


_MSGSPEC = ("msgspec", "msgspec gc=False")
_ROWS = {
    "parse": ("`parse`", 4.0),
    "five members": ("`parse`, five fields read", 2.0),
    "select five": ("`select` of the same five", 3.0),
    "all members": ("`parse`, all fields read", 1.3),
    "select all": ("`select` of all fields", 2.0),
    "in dicts": ("`parse`, `to_dict`", 1.5),
    "to_json": ("`to_json`", 2.5),
    "to_json, held": ("`to_json` of events that were read long before", 2.0),
    "archive": ("`parse_lines` over an archive", 5.0),
}
"""What each workload is called, and how many times as fast as msgspec (at its best) it has to be."""


def written_page(measured: list[Measured], others: list[Bar], rounds: int, made: str) -> str:
    """The page; `others` are the bars beside those of the corpora; `made` says when, and by which state of the sources."""
    peers = ", ".join(f"{name} {version(name)}" for name in ("bankhook", "msgspec", "pydantic", "orjson"))
    lines = [
        "# The Python package",
        "",
        f"Processor time of one thread: of {rounds} rounds in turns the lower quartile, because another program only ever",
        "adds to a round, and how far that is above the quickest. Made by `./dev bench --python`.",
        "",
        "<!-- python:begin -->",
        *_summary(measured, others),
        "",
        f"CPython {platform.python_version()}, {peers}, {this_machine()}, {made}.",
        "<!-- python:end -->",
    ]
    for corpus in measured:
        lines += ["", *_figures(corpus)]
    lines += ["", "## What the others leave unchecked", "", *_table(["", ""], ([p.name, p.unchecked] for p in PEERS[1:]))]
    lines += ["", "## Bars", "", *_bars([*_times_bars(measured), *others])]
    return "\n".join(lines) + "\n"


def written_chart(measured: list[Measured], path: Path) -> None:
    """Bars of the time to parse, each corpus on a scale of its own."""
    # Imported here: the garbage collector would walk through all that it allocates while others are measured.
    altair: Any = import_module("altair")
    rows = [
        {
            "corpus": corpus.name,
            "library": peer.name,
            "microseconds": corpus.figures[f"{peer.name}: parse"].nanoseconds / 1000,
        }
        for corpus in measured
        for peer in PEERS
    ]
    chart = (
        altair.Chart(altair.Data(values=rows))
        .mark_bar()
        .encode(
            x=altair.X("microseconds:Q", title="microseconds per event, shorter is faster"),
            y=altair.Y("library:N", sort=[peer.name for peer in PEERS], title=None),
            color=altair.condition("datum.library == 'bankhook'", altair.value("#1b7f5c"), altair.value("#9aa5b1")),
            row=altair.Row("corpus:N", sort=[corpus.name for corpus in measured], title=None),
        )
        .properties(title="Time to parse an event, by library", width=560, height=110)
        .resolve_scale(x="independent")
    )
    chart.save(path)


def _summary(measured: list[Measured], others: list[Bar]) -> Iterator[str]:
    kinds = {corpus.kind: [one for one in measured if one.kind == corpus.kind] for corpus in measured}
    sizes = (f"{kind}, {of_kind[0].bytes // of_kind[0].events} bytes" for kind, of_kind in kinds.items())
    rows = ([row, *(_times(of_kind, key) for of_kind in kinds.values())] for key, (row, _) in _ROWS.items())
    yield from _table(["times as fast as msgspec (as pydantic)", *sizes], rows)
    yield ""
    yield "The least of the sandbox's events and of those whose texts vary."
    yield ""
    yield from _table(["", "processor time"], ([bar.name, bar.reached] for bar in others))


def _times(corpora: list[Measured], workload: str) -> str:
    def least(*peers: str) -> float:
        return min(corpus.times(workload, *peers) for corpus in corpora)

    pydantic = "" if workload == "archive" else f" ({least('pydantic'):.0f})"
    return f"{least(*_MSGSPEC):.1f}{pydantic}"


def _figures(corpus: Measured) -> Iterator[str]:
    yield f"## {corpus.name}: {corpus.events} events of {corpus.bytes // corpus.events} bytes, {corpus.bytes / 1e6:.1f} MB"
    yield ""
    rows = ([p.name, *(_cell(corpus.figures.get(f"{p.name}: {c}")) for c in _ROWS)] for p in PEERS)
    yield from _table(["ns an event", *_ROWS], rows)


def _cell(figure: Figure | None) -> str:
    return "" if figure is None else f"{figure.nanoseconds:.0f} +{figure.spread:.0%}"


def _times_bars(measured: list[Measured]) -> Iterator[Bar]:
    for corpus in measured:
        for workload, (_, bar) in _ROWS.items():
            reached = corpus.times(workload, *_MSGSPEC)
            yield Bar(f"{corpus.name}, {workload}: times msgspec", f"{bar}", f"{reached:.1f}", reached >= bar)


def _bars(bars: list[Bar]) -> Iterator[str]:
    rows = ([bar.name, bar.bar, bar.reached, "met" if bar.is_met else "**missed**"] for bar in bars)
    return _table(["bar", "at least, or at most", "reached", ""], rows)


def _table(head: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'--:|' * (len(head) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
