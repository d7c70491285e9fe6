# SPDX-License-Identifier: MIT
"""Archives in files beside the same bytes in memory: what reading a file takes from each function that reads archives."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import bankhook
from bars import Bar
from corpus import Corpus
from measure import in_turns

__all__ = ["measured_files"]

_BAR = 0.7
_KINDS = ("transaction", "bank everyday")


def measured_files(corpora: list[Corpus], rounds: int) -> Iterator[Bar]:
    """How quick each function is on a file that is in the system's cache, as a share of its speed in memory."""
    for corpus in corpora:
        if corpus.is_varying or corpus.kind not in _KINDS:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "archive.ndjson"
            path.write_bytes(corpus.archive)
            runs = {
                f"{name}, {where}": partial(run, source)
                for name, run in _READERS.items()
                for where, source in (("file", path), ("memory", corpus.archive))
            }
            taken = in_turns(runs, len(corpus.payloads), rounds)
        for name in _READERS:
            share = taken[f"{name}, memory"].nanoseconds / taken[f"{name}, file"].nanoseconds
            yield Bar(f"{corpus.name}, `{name}` of a file: times as in memory", f"{_BAR}", f"{share:.2f}", share >= _BAR)


def _parsed(source: Any) -> None:
    deque(bankhook.parse_lines(source), maxlen=0)


def _read_as_tables(source: Any) -> None:
    pyarrow: Any = import_module("pyarrow")
    archive = bankhook.tables(source)
    for table in (archive.initial_transaction_update, archive.bank_connections_update_v2):
        deque(pyarrow.RecordBatchReader.from_stream(table), maxlen=0)


_READERS: dict[str, Callable[[Any], object]] = {
    "diagnose_lines": bankhook.diagnose_lines,
    "parse_lines": _parsed,
    "tables": _read_as_tables,
}
