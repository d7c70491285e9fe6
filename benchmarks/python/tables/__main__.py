# SPDX-License-Identifier: MIT
"""An archive as a table of Arrow columns, beside the readers of polars, DuckDB, pyarrow and msgspec: `./dev bench --tables`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from corpus import corpora
from tables.page import Result, written_page
from tables.runs import memory_over_input, readers, seconds

_TABLES = {"transaction": "initial_transaction_update", "bank everyday": "bank_connections_update_v2"}


def main() -> None:
    """Prints the page of results, and writes it where `--results` says."""
    options = argparse.ArgumentParser(prog="benchmarks/python/tables", description=__doc__)
    options.add_argument("--rounds", type=int, default=5, help="how often each is measured (default: %(default)s)")
    options.add_argument("--megabytes", type=int, default=64, help="the size of each archive (default: %(default)s)")
    options.add_argument("--sizes", type=int, nargs="*", default=[1, 4, 16, 64, 256, 1024], help="megabytes, for the plot")
    options.add_argument("--varying", type=Path, required=True, help="the program that prints events whose texts vary")
    options.add_argument("--made", default="", help="when, and by which state of the sources")
    options.add_argument("--results", type=Path, help="where to write PATH.md")
    chosen = options.parse_args()
    results: list[Result] = []
    flat: dict[int, float] = {}
    memory = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.ndjson"
        for corpus in corpora(10_000_000, chosen.varying):
            if not corpus.is_varying or corpus.kind not in _TABLES:
                continue
            size = _write(path, corpus.archive, chosen.megabytes)
            found = seconds(readers(path, _TABLES[corpus.kind]), chosen.rounds)
            results.append(Result(corpus.name, size, found))
            if corpus.kind == "transaction":
                for megabytes in chosen.sizes:
                    size = _write(path, corpus.archive, megabytes)
                    run = {"bankhook": readers(path, _TABLES[corpus.kind])["bankhook"]}
                    flat[megabytes] = size / seconds(run, 3)["bankhook"].processor
                memory = memory_over_input(path, _TABLES[corpus.kind]), size
    page = written_page(results, flat, memory, chosen.rounds, chosen.made)
    print(page)
    if chosen.results is not None:
        chosen.results.with_suffix(".md").write_text(page, encoding="utf-8")


def _write(path: Path, archive: bytes, megabytes: int) -> int:
    """Writes the archive again and again, up to this size."""
    lines = archive[: archive.rindex(b"\n", 0, max(megabytes * 1_000_000, 100_000)) + 1]
    with path.open("wb") as file:
        while file.tell() < megabytes * 1_000_000:
            file.write(lines)
        return file.tell()


if __name__ == "__main__":
    main()
