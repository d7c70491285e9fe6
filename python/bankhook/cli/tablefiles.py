# SPDX-License-Identifier: MIT
"""Files of tables: Parquet, Arrow IPC and CSV, each complete under its name or not there at all."""

from __future__ import annotations

import collections
import contextlib
import importlib
import json
import os
from collections.abc import Callable, Generator, Iterable
from typing import IO, Any, NamedTuple

import click

from bankhook._render.progress import Bar
from bankhook.columns import Table, Tables

__all__ = ["FORMATS", "Written", "format_of", "write_folder", "write_one"]

FORMATS = {"parquet": (".parquet",), "arrow": (".arrow", ".feather", ".ipc"), "csv": (".csv",)}
_DONE = ".written.jsonl"


class Written(NamedTuple):
    """What was written."""

    rows: dict[str, int]
    rejected: int
    """How many rejected lines the archives have."""
    archives: int
    skipped: int


def format_of(output: str) -> str | None:
    """Return the format that the name of a file says; None for a folder."""
    if os.path.isdir(output):
        return None
    return next((kind for kind, endings in FORMATS.items() if output.lower().endswith(endings)), None)


def write_one(found: Tables, name: str, columns: tuple[str, ...], output: str, kind: str) -> Written:
    """Write one table of all archives into one file."""
    passes = 1 if name == "rejected" else 2
    with Bar(_size_of(found.sources, passes)) as bar:
        found = found._reporting(bar)
        rows = _write(_table(found, name, columns), output, kind, ", ".join(found.sources))
        rejected = rows if name == "rejected" else _count(found.rejected)
    return Written({name: rows}, rejected, len(found.sources), 0)


def write_folder(found: Tables, names: tuple[str, ...], columns: tuple[str, ...], output: str, kind: str) -> Written:
    """Write the tables of each archive into files of their own; archives that were written before are skipped."""
    total = collections.Counter[str](dict.fromkeys(names, 0))
    rejected = skipped = 0
    how = {"tables": names, "columns": columns, "format": kind, "scale": found._scale, "unit": found._unit}
    with _writing(output), Bar(_size_of(found.sources, len({*names, "rejected"}))) as bar:
        os.makedirs(output, exist_ok=True)
        done = _done(os.path.join(output, _DONE))
        for one, stem in zip(found._each(), _stems(found.sources), strict=True):
            state = json.loads(json.dumps({"archive": one.sources[0], **_state_of(one.sources[0]), **how}))
            paths = {name: os.path.join(output, name, stem + FORMATS[kind][0]) for name in names}
            before = done.get(stem)
            if before is not None and before["state"] == state and all(map(os.path.exists, paths.values())):
                skipped += 1
                rejected += before["rejected"]
                continue
            rows: dict[str, int] = {}
            one = one._reporting(bar)
            for name, path in paths.items():
                os.makedirs(os.path.dirname(path), exist_ok=True)
                rows[name] = _write(_table(one, name, columns), path, kind, one.sources[0])
            bad = rows["rejected"] if "rejected" in rows else _count(one.rejected)
            total.update(rows)
            rejected += bad
            with open(os.path.join(output, _DONE), "a", encoding="utf-8") as log:
                log.write(json.dumps({"stem": stem, "rejected": bad, "state": state}) + "\n")
    return Written(dict(total), rejected, len(found.sources), skipped)


def _table(found: Tables, name: str, columns: tuple[str, ...]) -> Table:
    table: Table = getattr(found, name)
    return table.select(*columns) if columns else table


def _count(table: Table) -> int:
    pyarrow: Any = importlib.import_module("pyarrow")
    return sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(table.select("line")))


def _write(table: Table, path: str, kind: str, archives: str) -> int:
    """Write all batches, then give the file its name; return how many rows."""
    pyarrow: Any = importlib.import_module("pyarrow")
    reader = pyarrow.RecordBatchReader.from_stream(table)
    flat = _flattened if kind == "csv" else _unchanged
    schema = flat(reader.schema.empty_table()).schema
    metadata = {**(schema.metadata or {}), "bankhook.table": table.name, "bankhook.source": archives}
    schema = schema.with_metadata(metadata)
    rows = 0
    with _complete(path) as file, _writer(kind)(file, schema) as writer:
        for batch in reader:
            writer.write_table(flat(pyarrow.Table.from_batches([batch])).cast(schema))
            rows += batch.num_rows
    return rows


def _writer(kind: str) -> Callable[[IO[bytes], Any], Any]:
    if kind == "parquet":
        parquet: Any = importlib.import_module("pyarrow.parquet")
        return lambda file, schema: parquet.ParquetWriter(file, schema, compression="zstd")
    if kind == "arrow":
        ipc: Any = importlib.import_module("pyarrow.ipc")
        return lambda file, schema: ipc.new_file(file, schema)
    csv: Any = importlib.import_module("pyarrow.csv")
    return lambda file, schema: csv.CSVWriter(file, schema)


def _unchanged(table: Any) -> Any:
    return table


def _flattened(table: Any) -> Any:
    """Return a table whose structs are columns of their own, `customer.id`; CSV has no lists."""
    types: Any = importlib.import_module("pyarrow.types")
    while any(types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    for field in table.schema:
        if types.is_list(field.type):
            raise click.UsageError(f"CSV has no lists: leave out {field.name} with --select, or write parquet")
    return table


@contextlib.contextmanager
def _complete(path: str) -> Generator[IO[bytes], None, None]:
    """Open a file that gets its name when all is written and durable; what is incomplete is removed."""
    incomplete = f"{path}.incomplete"
    with _writing(path):
        try:
            with open(incomplete, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(incomplete, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.remove(incomplete)
            raise


@contextlib.contextmanager
def _writing(path: str) -> Generator[None, None, None]:
    try:
        yield
    except OSError as error:
        raise click.FileError(path, error.strerror or str(error)) from None


def _done(path: str) -> dict[str, Any]:
    """Return what was written before, by archive; a line that was not written to its end does not count."""
    done: dict[str, Any] = {}
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as log:
        for line in log:
            with contextlib.suppress(ValueError):
                entry = json.loads(line)
                done[entry["stem"]] = entry
    return done


def _state_of(path: str) -> dict[str, int | None]:
    try:
        found = os.stat(path)
    except OSError:
        return {"size": None, "modified": None}
    return {"size": found.st_size, "modified": found.st_mtime_ns}


def _stems(paths: Iterable[str]) -> list[str]:
    """Return a file name for each archive: its own, and with a number where several have the same."""
    seen = collections.Counter[str]()
    stems: list[str] = []
    for path in paths:
        stem = os.path.basename(path).strip("<>")
        for ending in (".gz", ".zst", ".ndjson", ".jsonl", ".json"):
            stem = stem.removesuffix(ending)
        seen[stem] += 1
        stems.append(stem if seen[stem] == 1 else f"{stem}-{seen[stem]}")
    return stems


def _size_of(paths: Iterable[str], passes: int) -> int | None:
    sizes = [_state_of(path)["size"] for path in paths]
    return None if None in sizes else passes * sum(size or 0 for size in sizes)
