# SPDX-License-Identifier: MIT
"""Hostile input of growing size through everything public: `./dev bench --complexity`."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from pathlib import Path

from complexity.measure import ALL_SHAPES, Measured, Task, measured
from complexity.operations import OPERATIONS
from complexity.page import Taken, written_chart, written_page
from complexity.shapes import CONTROLS, SHAPES

_SIZES = [1, 2, 4, 8, 16]


def main() -> int:
    """Prints the page of results, and writes it and its chart where `--results` says; 1 if a bound is exceeded."""
    options = argparse.ArgumentParser(prog="benchmarks/python/complexity", description=__doc__)
    options.add_argument("--sizes", type=float, nargs="+", default=_SIZES, help="megabytes (default: %(default)s)")
    options.add_argument("--at-once", type=int, default=os.cpu_count(), help="processes (default: one for each core)")
    options.add_argument("--only", default="", help="text in the names of the operations to measure")
    options.add_argument("--made", default="", help="when, and by which state of the sources")
    options.add_argument("--results", type=Path, help="where to write PATH.md and PATH.svg")
    chosen = options.parse_args()
    wanted = [number for number, one in enumerate(OPERATIONS) if chosen.only in one.name]
    figures = {(number, shape): Measured({}, {}) for number in wanted for shape in range(len(ALL_SHAPES))}
    taken: list[Taken] = []
    for size in sorted(chosen.sizes):
        tasks = [
            Task(
                shape, int(size * 1e6), [one for one in wanted if _is_for(one, shape) and not figures[one, shape].is_enough]
            )
            for shape in range(len(ALL_SHAPES))
        ]
        with multiprocessing.get_context("fork").Pool(chosen.at_once, maxtasksperchild=1) as pool:
            for task, results in pool.imap_unordered(measured, tasks):
                for number, (count, seconds, memory) in results.items():
                    figures[number, task.shape].seconds[count] = seconds
                    figures[number, task.shape].memory[count] = memory
        taken = [_taken(number, figures) for number in wanted]
        page = written_page(taken, len(SHAPES), chosen.made)
        print(f"{size:g} MB", file=sys.stderr)
        if chosen.results is not None:  # after each size: whoever stops it has the smaller ones
            chosen.results.with_suffix(".md").write_text(page, encoding="utf-8")
            written_chart(taken, chosen.results.with_suffix(".svg"))
    print(written_page(taken, len(SHAPES), chosen.made))
    return any(not one.is_within for one in taken)


def _is_for(operation: int, shape: int) -> bool:
    """Controls are for their kind of operations; lines for those that read archives."""
    kinds = [kind for kind, of_kind in CONTROLS.items() for _ in of_kind]
    kind = OPERATIONS[operation].kind
    return kinds[shape] == kind if shape < len(kinds) else not (ALL_SHAPES[shape].is_lines and kind == "payload")


def _taken(operation: int, figures: dict[tuple[int, int], Measured]) -> Taken:
    controls = len(ALL_SHAPES) - len(SHAPES)
    of_shapes = {shape: one for (number, shape), one in figures.items() if number == operation and one.seconds}
    return Taken(
        OPERATIONS[operation],
        [one for shape, one in of_shapes.items() if shape < controls],
        {ALL_SHAPES[shape].name: one for shape, one in of_shapes.items() if shape >= controls},
    )


if __name__ == "__main__":
    sys.exit(main())
