# SPDX-License-Identifier: MIT
"""bankhook and its peers over the same events in one process: `./dev bench --python`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import bankhook
from command import measured_command
from corpus import Corpus, corpora
from files import measured_containers, measured_files
from measure import in_turns
from page import Measured, written_chart, written_page
from peers import LINES, PEERS
from start import measured_start
from workloads import EVENTS, FEW, loop, paths, reads


def main() -> None:
    """Prints the page of results, and writes it and its chart where `--results` says."""
    options = argparse.ArgumentParser(prog="benchmarks/python", description=__doc__)
    options.add_argument("--rounds", type=int, default=9, help="how often each is measured (default: %(default)s)")
    options.add_argument("--megabytes", type=int, default=15, help="the size of each corpus (default: %(default)s)")
    options.add_argument("--varying", type=Path, required=True, help="the program that prints events whose texts vary")
    options.add_argument("--made", default="", help="when, and by which state of the sources")
    options.add_argument("--results", type=Path, help="where to write PATH.md and PATH.svg")
    chosen = options.parse_args()
    events = corpora(chosen.megabytes * 1_000_000, chosen.varying)
    measured = [
        Measured(
            corpus.name,
            corpus.kind,
            len(corpus.payloads),
            corpus.size,
            in_turns(_runs(corpus), len(corpus.payloads), chosen.rounds),
        )
        for corpus in events
    ]
    others = [
        *measured_files(events, chosen.rounds),
        *measured_containers(events, chosen.rounds),
        measured_start(),
        *measured_command(),
    ]
    page = written_page(measured, others, chosen.rounds, chosen.made)
    print(page)
    if chosen.results is not None:
        chosen.results.with_suffix(".md").write_text(page, encoding="utf-8")
        written_chart(measured, chosen.results.with_suffix(".svg"))


def _runs(corpus: Corpus) -> dict[str, Callable[[], object]]:
    """What is measured, by `library: workload`."""
    event = EVENTS[corpus.kind]
    runs: dict[str, Callable[[], object]] = {}
    for peer in PEERS:
        for workload, read in (reads(event, peer.access) | {"in dicts": [peer.in_dicts]}).items():
            run = loop(["event = decode(thing)", *read], decode=peer.decode, call=peer.to_dicts)
            runs[f"{peer.name}: {workload}"] = partial(run, corpus.payloads)
        # Few of them, again and again, are in the cache; all of them are not.
        held = [peer.decode(payload) for payload in corpus.payloads]
        few = list(islice(cycle(held[: len(held) // 8 + 1]), len(held)))
        for workload, events in (("to_json", few), ("to_json, held", held)):
            runs[f"{peer.name}: {workload}"] = partial(loop([peer.written], call=peer.encode), events)
    select: Any = bankhook.select  # by paths that are not written here
    for workload, chosen in (("select five", FEW[event]), ("select all", paths(event))):
        run = loop(["call(thing)"], call=select(*chosen))
        runs[f"bankhook: {workload}"] = partial(run, corpus.payloads)
    for name, lines in LINES.items():
        runs[f"{name}: archive"] = partial(lines, corpus.archive)
    return runs


if __name__ == "__main__":
    main()
