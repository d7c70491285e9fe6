# SPDX-License-Identifier: MIT
"""Hostile input of growing size through everything public: `./dev bench --complexity`."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from complexity.measure import Measured, measured
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
    options.add_argument("--shape", default="", help="text in the names of the shapes")
    options.add_argument("--made", default="", help="when, and by which state of the sources")
    options.add_argument("--results", type=Path, help="where to write PATH.md and PATH.svg")
    chosen = options.parse_args()
    operations = [operation for operation in OPERATIONS if chosen.only in operation.name]
    controls: dict[str, list[Measured]] = {operation.name: [] for operation in operations}
    shapes: dict[str, dict[str, Measured]] = {operation.name: {} for operation in operations}
    of_controls = [(shape, kind) for kind, of_kind in CONTROLS.items() for shape in of_kind]
    with ThreadPoolExecutor(chosen.at_once) as pool:
        for shape, kind in [*of_controls, *((shape, None) for shape in SHAPES if chosen.shape in shape.name)]:
            inputs = [shape.of(int(size * 1e6)) for size in sorted(chosen.sizes)]
            wanted = [
                one for one in operations if kind in (None, one.kind) and not (shape.is_lines and one.kind == "payload")
            ]
            for operation, one in zip(wanted, pool.map(partial(measured, inputs), wanted), strict=True):
                if kind is None:
                    shapes[operation.name][shape.name] = one
                else:
                    controls[operation.name].append(one)
            print(shape.name, file=sys.stderr)
    taken = [Taken(operation, controls[operation.name], shapes[operation.name]) for operation in operations]
    page = written_page(taken, len(SHAPES), chosen.made)
    print(page)
    if chosen.results is not None:
        chosen.results.with_suffix(".md").write_text(page, encoding="utf-8")
        written_chart(taken, chosen.results.with_suffix(".svg"))
    return any(not one.is_within for one in taken)


if __name__ == "__main__":
    sys.exit(main())
