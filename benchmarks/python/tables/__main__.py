# SPDX-License-Identifier: MIT
"""An archive as a table of Arrow columns, beside the readers of polars, DuckDB, pyarrow and msgspec: `./dev bench --tables`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from corpus import Corpus, corpora
from tables.page import Memory, Result, written_chart, written_page
from tables.runs import memory_over_input, readers, seconds, speeds

_SIZES = [1, 4, 16, 64, 256, 1024, 4096]
_TABLES = {"transaction": "initial_transaction_update", "bank everyday": "bank_connections_update_v2"}


def main() -> None:
    """Prints the page of results, and writes it and its picture where `--results` says."""
    options = argparse.ArgumentParser(prog="benchmarks/python/tables", description=__doc__)
    options.add_argument("--rounds", type=int, default=5, help="how often each is measured (default: %(default)s)")
    options.add_argument("--megabytes", type=int, default=64, help="the size of each archive (default: %(default)s)")
    options.add_argument("--sizes", type=int, nargs="+", default=_SIZES, help="megabytes, for the plot")
    options.add_argument("--varying", type=Path, required=True, help="the program that prints events whose texts vary")
    options.add_argument("--made", default="", help="when, and by which state of the sources")
    options.add_argument("--results", type=Path, help="where to write PATH.md and PATH.svg")
    chosen = options.parse_args()
    results = [
        _result(corpus, chosen.megabytes, sorted(chosen.sizes), chosen.rounds)
        for corpus in corpora(10_000_000, chosen.varying)
        if corpus.is_varying and corpus.kind in _TABLES
    ]
    page = written_page(results, chosen.rounds, chosen.made)
    print(page)
    if chosen.results is not None:
        chosen.results.with_suffix(".md").write_text(page, encoding="utf-8")
        written_chart(results, chosen.results.with_suffix(".svg"))


def _result(corpus: Corpus, megabytes: int, sizes: list[int], rounds: int) -> Result:
    table = _TABLES[corpus.kind]
    archive = corpus.archive
    with tempfile.TemporaryDirectory() as folder:
        paths = {size: Path(folder) / f"{size}.ndjson" for size in {megabytes, *sizes}}
        for size, path in paths.items():
            _write(path, archive, size)
        taken = seconds(readers(paths[megabytes], table), rounds)
        largest = paths[sizes[-1]]
        memory = Memory(largest.stat().st_size, memory_over_input(largest, table))
        by_size = speeds({size: paths[size] for size in sizes}, table, rounds)
        return Result(corpus.name, paths[megabytes].stat().st_size, taken, by_size, memory)


def _write(path: Path, archive: bytes, megabytes: int) -> None:
    """Writes the lines of the archive again and again, as many as this size has room for."""
    left = megabytes * 1_000_000
    with path.open("wb") as file:
        while left >= len(archive):
            left -= file.write(archive)
        file.write(archive[: archive.rfind(b"\n", 0, left) + 1])


if __name__ == "__main__":
    main()
