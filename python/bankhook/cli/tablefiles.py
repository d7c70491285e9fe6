# SPDX-License-Identifier: MIT
"""Files of tables: Parquet, Arrow IPC and CSV, each complete under its name or not there at all; needs pyarrow."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

import click
import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import csv, parquet as pq  # pyright: ignore[reportMissingTypeStubs]

from bankhook._render.progress import Bar, size_of
from bankhook._tables import Table, Tables
from bankhook.cli.archives import name_of
from bankhook.cli.files import binary_output, complete

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


def write_tables(found: Tables, files: dict[str, str], columns: tuple[str, ...], kind: str) -> tuple[dict[str, int], int]:
    """Write tables of all archives, each into its file, and return how many rows each has, and how many lines were rejected.

    What an earlier run wrote there is no archive.
    """
    old = set(map(os.path.realpath, files.values()))
    inputs = tuple(one for one in found._inputs if os.path.realpath(one.name) not in old)
    names, rows = [one.name for one in inputs], dict[str, int]()
    archives = "\n".join(names)
    with Bar(size_of(names * len({*files, "rejected"}))) as bar:
        found = Tables(inputs, found._options, lambda: bar)
        for name, path in files.items():
            table: Table = getattr(found, name)
            rows[name] = _write(table.select(*columns) if columns else table, path, kind, archives)
        if "rejected" in rows:
            return rows, rows["rejected"]
        return rows, sum(some.num_rows for some in _groups(found.rejected.select("line"), archives))


def _write(table: Table, path: str, kind: str, archives: str) -> int:
    """Write all batches, then give the file its name; return how many rows."""
    schema = pa.schema(table)
    if kind == "csv":
        schema = _flattened(schema.empty_table()).schema
    metadata = {**(schema.metadata or {}), "bankhook.table": table.name, "bankhook.source": archives}
    schema = schema.with_metadata(metadata)
    rows = 0
    with binary_output(path) if path == "-" else complete(path) as file, _writer(kind, file, schema) as writer:
        for some in _ahead(_groups(table, archives)):
            writer.write_table((_flattened(some) if kind == "csv" else some).cast(schema))
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


def _flattened(table: Any) -> Any:
    """Return a table whose structs are columns of their own, `customer.id`; CSV has no lists."""
    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    for index, field in enumerate(table.schema):
        if pa.types.is_large_binary(field.type):
            texts = [one.decode(errors="backslashreplace") for one in table.column(index).to_pylist()]
            table = table.set_column(index, field.with_type(pa.string()), pa.array(texts, pa.string()))
        if pa.types.is_list(field.type):
            raise click.UsageError(f"CSV has no lists: leave out {field.name} with --select, or write parquet")
    return table
