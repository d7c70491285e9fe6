# SPDX-License-Identifier: MIT
"""Files of tables: Parquet, Arrow IPC and CSV, each complete under its name or not there at all; needs pyarrow."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

import click
import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import csv, parquet as pq  # pyright: ignore[reportMissingTypeStubs]

import bankhook
from bankhook._archive._reports import applied_parts
from bankhook._render.progress import Bar, size_of
from bankhook._tables import Table, Tables
from bankhook._tables._sources import LateSources
from bankhook.cli.archives import name_of
from bankhook.cli.files import binary_output, complete

_compute: Any = importlib.import_module("pyarrow.compute")
FORMATS = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".csv": "csv"}
"""By the endings of names."""
_ROWS = 1 << 16  # that are written at once: Parquet compresses and skips by groups of rows
_BYTES = 1 << 26


def format_of(output: str) -> str | None:
    """Return the format that a name says, CSV for standard output; None for a folder. UsageError for another ending."""
    ending = os.path.splitext(output)[1].lower()
    if output == "-" or ending in FORMATS:
        return FORMATS.get(ending, "csv")
    if ending and not os.path.isdir(output):
        raise click.UsageError(
            f"{ending} is no ending of a table: name a file {', '.join(FORMATS)}, or a folder that is there"
        )
    return None


def spooled(source: str) -> Any:
    """Return a source that can be read several times: what can be read only once is copied to a temporary file."""
    if source != "-" and (os.path.isfile(source) or os.path.isdir(source) or not os.path.exists(source)):
        return source
    copy: Any = tempfile.TemporaryFile()
    with contextlib.nullcontext(sys.stdin.buffer) if source == "-" else open(source, "rb") as stream:
        shutil.copyfileobj(stream, copy)
    copy.seek(0)
    copy.raw.name = name_of(source)
    return copy


def table_of(found: Tables, tracker: bankhook.Tracker, name: str) -> Table:
    """Return a table by its name: of archives, or of what is tracked."""
    scale, is_nano, _ = found._options.types
    tracked = bankhook.tables(tracker, scale=scale, unit="ns" if is_nano else "us")
    table: Table = getattr(tracked if name.startswith("tracked_") else found, name.removeprefix("tracked_"))
    return table


def write_tables(
    found: Tables, files: dict[str, str], columns: tuple[str, ...], kind: str, formulas: str = "escape"
) -> tuple[dict[str, int], int]:
    """Write tables of all archives, each into its file, and return how many rows each has, and how many lines were rejected.

    What an earlier run wrote there is no archive.
    """
    old = set(map(os.path.realpath, files.values()))
    inputs = tuple(one for one in found._inputs if os.path.realpath(one.name) not in old)
    names, rows = [one.name for one in inputs], dict[str, int]()
    archives = "\n".join(names)
    with Bar(size_of(names * len({*files, "rejected"}))) as bar:
        found, tracker = Tables(inputs, found._options, lambda: bar), bankhook.Tracker()
        if any(name.startswith("tracked_") for name in files):
            for archive in LateSources(inputs, lambda: bar, found._options.container):
                with contextlib.suppress(OSError):  # a row of `rejected` says why an archive ends there
                    deque(applied_parts(tracker, archive, report="contradicts", member=None), 0)
        for name, path in files.items():
            table = table_of(found, tracker, name)
            rows[name] = _write(table.select(*columns) if columns else table, path, kind, archives, formulas)
        if "rejected" in rows:
            return rows, rows["rejected"]
        return rows, sum(some.num_rows for some in _groups(found.rejected.select("line"), archives))


def _write(table: Table, path: str, kind: str, archives: str, formulas: str) -> int:
    """Write all batches, then give the file its name; return how many rows."""
    schema = pa.schema(table)
    if kind == "csv":
        schema = _flattened(schema.empty_table(), formulas).schema
    metadata = {**(schema.metadata or {}), "bankhook.table": table.name, "bankhook.source": archives}
    schema = schema.with_metadata(metadata)
    rows = 0
    with binary_output(path) if path == "-" else complete(path) as file, _writer(kind, file, schema) as writer:
        for some in _ahead(_groups(table, archives)):
            writer.write_table((_flattened(some, formulas) if kind == "csv" else some).cast(schema))
            rows += some.num_rows
    return rows


def _ahead(groups: Iterator[Any]) -> Iterator[Any]:
    """Yield the groups, each of which is read while the one before it is written."""
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, groups, None)
        while (some := coming.result()) is not None:
            coming = reader.submit(next, groups, None)
            yield some


def _groups(table: Table, archives: str) -> Iterator[Any]:
    """Yield rows that are worth being written at once."""
    some, rows, size = list[Any](), 0, 0
    try:
        for batch in pa.RecordBatchReader.from_stream(table):
            some.append(batch)
            rows, size = rows + batch.num_rows, size + batch.nbytes
            if rows >= _ROWS or size >= _BYTES:
                yield pa.Table.from_batches(some)
                some, rows, size = [], 0, 0
    except OSError as error:  # not of the file that is written, although both are open
        raise click.FileError(archives.replace("\n", ", "), str(error)) from None
    if some:
        yield pa.Table.from_batches(some)


def _writer(kind: str, file: IO[bytes], schema: Any) -> Any:
    if kind == "parquet":
        return pq.ParquetWriter(file, schema, compression="zstd")
    return pa.ipc.new_file(file, schema) if kind == "arrow" else csv.CSVWriter(file, schema)


def _flattened(table: Any, formulas: str) -> Any:
    """Return a table whose structs are columns of their own, `customer.id`; CSV has no lists, and obeys no text."""
    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    for index, field in enumerate(table.schema):
        if pa.types.is_large_binary(field.type):
            texts = [one.decode(errors="backslashreplace") for one in table.column(index).to_pylist()]
            table = table.set_column(index, field.with_type(pa.string()), pa.array(texts, pa.string()))
        if pa.types.is_list(field.type):
            raise click.UsageError(f"CSV has no lists: leave out {field.name} with --select, or write parquet")
        if pa.types.is_string(table.schema.field(index).type) and formulas != "keep":
            column = table.column(index)
            if _compute.any(_compute.match_substring_regex(column, _UNFIT)).as_py():
                if formulas == "refuse":
                    raise click.ClickException(f"{field.name} has a text that a spreadsheet or a terminal would obey")
                texts = [None if one is None else _harmless(one) for one in column.to_pylist()]
                table = table.set_column(index, table.schema.field(index), pa.array(texts, pa.string()))
    return table


# Controls and marks of writing direction: as Arrow's expressions write them, and Python's.
_CONTROLS = "\\x00-\\x08\\x0b-\\x1f\\x7f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNFIT = f"^[=+@\\t\\r-]|[{_CONTROLS}]"


def _harmless(text: str) -> str:
    shown = re.sub(f"[{_CONTROLS}]", lambda found: ascii(found[0])[1:-1], text)
    return f"'{shown}" if text[:1] in tuple("=+-@\t\r") else shown
