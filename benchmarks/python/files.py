# SPDX-License-Identifier: MIT
"""Archives in files beside the same bytes in memory, and events in containers beside the same on lines: what that takes."""

from __future__ import annotations

import base64
import csv
import io
import json
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import bankhook
from bars import Bar
from corpus import Corpus
from measure import in_turns

__all__ = ["measured_containers", "measured_files"]

_BAR = 0.7
_CONTAINER_BAR = 0.5
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


def measured_containers(corpora: list[Corpus], rounds: int) -> Iterator[Bar]:
    """How quick each function is on events in something, as a share of its speed on lines of them."""
    for corpus in corpora:
        if corpus.is_varying or corpus.kind not in _KINDS:
            continue
        archives = {name: (write(corpus.payloads), options) for name, (write, options) in _CONTAINERS.items()}
        archives["lines"] = (corpus.archive, {})
        for reader, run in _READERS.items():
            runs = {name: partial(run, source, **options) for name, (source, options) in archives.items()}
            taken = in_turns(runs, len(corpus.payloads), rounds)
            for name in _CONTAINERS:
                share = taken["lines"].nanoseconds / taken[name].nanoseconds
                what = f"{corpus.name}, `{reader}` of {name}: times as of lines"
                yield Bar(what, f"{_CONTAINER_BAR}", f"{share:.2f}", share >= _CONTAINER_BAR)


def _lines(write: Callable[[Any], object]) -> Callable[[Sequence[Any]], bytes]:
    return lambda payloads: b"\n".join(json.dumps(write(one)).encode() for one in payloads)


def _in_arrays(payloads: Sequence[bytes]) -> bytes:
    tens = (payloads[at : at + 10] for at in range(0, len(payloads), 10))
    return _lines(lambda some: {"Records": [{"body": one.decode()} for one in some]})([*tens])


def _csv(payloads: Sequence[bytes]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([["id", "payload"], *([at, one.decode()] for at, one in enumerate(payloads))])
    return file.getvalue().encode()


_CONTAINERS: dict[str, tuple[Callable[[Sequence[bytes]], bytes], dict[str, str]]] = {
    "texts": (_lines(lambda one: {"body": one.decode()}), {"at": "body"}),
    "objects": (_lines(lambda one: {"data": json.loads(one)}), {"at": "data"}),
    "arrays of texts": (_in_arrays, {"at": "Records[].body"}),
    "CSV": (_csv, {"at": "payload", "format": "csv"}),
    "base64": (_lines(lambda one: {"data": base64.b64encode(one).decode()}), {"at": "data", "encoding": "base64"}),
}


def _parsed(source: Any, **options: Any) -> None:
    deque(bankhook.parse_lines(source, **options), maxlen=0)


def _read_as_tables(source: Any, **options: Any) -> None:
    pyarrow: Any = import_module("pyarrow")
    archive = bankhook.tables(source, **options)
    for table in (archive.initial_transaction_update, archive.bank_connections_update_v2):
        deque(pyarrow.RecordBatchReader.from_stream(table), maxlen=0)


_READERS: dict[str, Callable[[Any], object]] = {
    "diagnose_lines": bankhook.diagnose_lines,
    "parse_lines": _parsed,
    "tables": _read_as_tables,
}
