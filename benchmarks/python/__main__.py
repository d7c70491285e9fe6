# SPDX-License-Identifier: MIT
"""bankhook and its peers over the same events in one process: `./dev bench --python`."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import version

import bankhook

from command import print_command
from corpus import Corpus, corpora
from measure import Figure, in_turns
from peers import LINES, PEERS
from start import print_start
from workloads import EVENTS, FEW, WORKLOADS, compiled

# How many times as fast as msgspec (at its best) each has to be.
BARS = {"parse": 4.0, "five members": 2.0, "select five": 3.0, "all members": 1.2, "archive": 5.0}


def main() -> None:
    """Prints a table for each corpus, and each bar with what was reached."""
    options = argparse.ArgumentParser(prog="benchmarks/python", description=__doc__)
    options.add_argument("--rounds", type=int, default=9, help="how often each is measured (default: %(default)s)")
    options.add_argument("--megabytes", type=int, default=15, help="the size of each corpus (default: %(default)s)")
    chosen = options.parse_args()
    print(f"CPython {platform.python_version()};", ", ".join(f"{peer} {version(peer)}" for peer in _distributions()))
    print(f"Processor time of one thread, ns an event: median of {chosen.rounds} rounds in turns and its spread")
    bars: list[str] = []
    for corpus in corpora(chosen.megabytes * 1_000_000):
        figures = in_turns(_runs(corpus), len(corpus.payloads), chosen.rounds)
        _print_table(corpus, figures)
        bars += _bars(corpus.name, figures)
    print("\nNot checked there:")
    for peer in PEERS[1:]:
        print(f"  {peer.name:<16} {peer.unchecked}")
    print("\nTimes as fast as msgspec, the faster of both")
    print(*bars, sep="\n")
    print_start()
    print_command()


def _distributions() -> tuple[str, ...]:
    return ("bankhook", "msgspec", "pydantic", "orjson")


def _runs(corpus: Corpus) -> dict[str, Callable[[], object]]:
    """What is measured, by `library: workload`."""
    event = EVENTS[corpus.name]
    runs: dict[str, Callable[[], object]] = {}
    for peer in PEERS:
        for workload in WORKLOADS:
            loop = compiled(event, workload, peer.access)
            runs[f"{peer.name}: {workload}"] = partial(loop, corpus.payloads, peer.decode)
    select = bankhook.select(*FEW[event])
    runs["bankhook: select five"] = partial(compiled(event, "parse", PEERS[0].access), corpus.payloads, select)
    for name, lines in LINES.items():
        runs[f"{name}: archive"] = partial(lines, corpus.archive)
    return runs


def _print_table(corpus: Corpus, figures: dict[str, Figure]) -> None:
    count = len(corpus.payloads)
    print(f"\n{corpus.name}: {count} events of {corpus.size // count} bytes, {corpus.size / 1e6:.1f} MB")
    columns = (*WORKLOADS, "select five", "archive")
    print(" " * 16, *(f"{column:>16}" for column in columns))
    for peer in PEERS:
        cells = (figures.get(f"{peer.name}: {column}") for column in columns)
        print(f"{peer.name:<16}", *(f"{_cell(figure):>16}" for figure in cells))


def _cell(figure: Figure | None) -> str:
    return "" if figure is None else f"{figure.median:.0f} ±{figure.spread / 2:.0%}"


def _bars(name: str, figures: dict[str, Figure]) -> list[str]:
    lines = []
    for workload, bar in BARS.items():
        theirs = "five members" if workload == "select five" else workload
        best = min(figures[f"{peer}: {theirs}"].median for peer in ("msgspec", "msgspec gc=False"))
        reached = best / figures[f"bankhook: {workload}"].median
        lines.append(f"  {name:<14} {workload:<13} {reached:5.1f}  bar {bar}  {'ahead' if reached >= bar else 'BEHIND'}")
    return lines


if __name__ == "__main__":
    main()
