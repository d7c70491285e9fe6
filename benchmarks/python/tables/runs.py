# SPDX-License-Identifier: MIT
"""The readers that are compared, each with the schema given, and what they take."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import bankhook
from models import msgspec_union

__all__ = ["Seconds", "memory_over_input", "readers", "seconds", "speeds"]

pyarrow: Any = importlib.import_module("pyarrow")
pyarrow_json: Any = importlib.import_module("pyarrow.json")
duckdb: Any = importlib.import_module("duckdb")
polars: Any = importlib.import_module("polars")
msgspec: Any = importlib.import_module("msgspec")

_KEYS = 4  # source, line, eventIndex, memberId


class Seconds(NamedTuple):
    """What a reader takes in one round."""

    processor: float
    wall: float


def readers(path: Path, name: str) -> dict[str, Callable[[], object]]:
    """What is measured; each reads the file to its end and keeps all columns."""
    schema = _plain_schema(name, pyarrow.float64())
    exact = _plain_schema(name, pyarrow.decimal128(38, 4))
    columns = {field.name: _duckdb_type(field.type) for field in schema}
    connection = duckdb.connect(config={"threads": 1})
    polars_schema = polars.from_arrow(schema.empty_table()).schema
    options = pyarrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    decoder = msgspec.json.Decoder(msgspec_union(gc=False))

    def with_msgspec() -> object:
        with path.open("rb") as file:
            rows = [msgspec.to_builtins(decoder.decode(line), builtin_types=(Decimal,)) for line in file]
        return pyarrow.Table.from_pylist(rows, schema=exact)

    return {
        "bankhook": lambda: _read(path, name, 1),
        "bankhook, two threads": lambda: _read(path, name, 2),
        "bankhook.diagnose_lines (parse alone)": lambda: bankhook.diagnose_lines(path),
        "polars": lambda: polars.read_ndjson(path, schema=polars_schema),
        "DuckDB": lambda: connection.read_json(str(path), columns=columns, format="newline_delimited").fetch_arrow_table(),
        "pyarrow": lambda: pyarrow_json.read_json(
            path, parse_options=options, read_options=pyarrow_json.ReadOptions(use_threads=False, block_size=16 << 20)
        ),
        "msgspec and pyarrow": with_msgspec,
    }


def _read(path: Path, name: str, threads: int) -> int:
    table = getattr(bankhook.tables(path, threads=threads), name)
    return sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(table))


def _plain_schema(name: str, amount: Any) -> Any:
    """The columns of the events, with times as text and amounts as floats: less work than ours, and what all of them have."""
    schema = pyarrow.schema(getattr(bankhook.tables(b""), name))
    return pyarrow.schema([_plain(field, amount) for field in list(schema)[_KEYS:]])


def _plain(field: Any, amount: Any) -> Any:
    return pyarrow.field(field.name, _plain_type(field.type, amount))


def _plain_type(given: Any, amount: Any) -> Any:
    types = pyarrow.types
    if types.is_struct(given):
        return pyarrow.struct([_plain(field, amount) for field in given if field.name != "dateLocal"])
    if types.is_list(given):
        return pyarrow.list_(_plain_type(given.value_type, amount))
    if types.is_decimal(given):
        return amount
    if types.is_temporal(given):
        return pyarrow.string()
    return pyarrow.int64() if types.is_integer(given) else given


def _duckdb_type(given: Any) -> str:
    types = pyarrow.types
    if types.is_struct(given):
        fields = ", ".join(f'"{field.name}" {_duckdb_type(field.type)}' for field in given)
        return f"STRUCT({fields})"
    if types.is_list(given):
        return f"{_duckdb_type(given.value_type)}[]"
    return {"double": "DOUBLE", "int64": "BIGINT", "bool": "BOOLEAN"}.get(str(given), "VARCHAR")


def seconds(runs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[Seconds]]:
    """Calls each once a round, in turns. A first round, which is not counted, warms up."""
    taken: dict[str, list[Seconds]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            gc.collect()
            before = time.process_time(), time.perf_counter()
            result = run()
            spent = Seconds(time.process_time() - before[0], time.perf_counter() - before[1])
            del result
            if number > 0:
                taken[name].append(spent)
    return taken


def speeds(paths: Mapping[int, Path], name: str, rounds: int) -> dict[int, list[float]]:
    """Bytes a second of processor time, of one thread, in each round. In a round, a small file is read again and again."""
    sizes = {size: path.stat().st_size for size, path in paths.items()}
    times = {size: max(1, 64_000_000 // exact) for size, exact in sizes.items()}

    def read(size: int) -> None:
        for _ in range(times[size]):
            _read(paths[size], name, 1)

    taken = seconds({str(size): partial(read, size) for size in paths}, rounds)
    return {size: [times[size] * sizes[size] / one.processor for one in taken[str(size)]] for size in paths}


def memory_over_input(path: Path, name: str) -> int:
    """The most memory, in bytes, that reading all batches takes in a process of its own, over one that reads none."""
    code = (
        "import sys, bankhook, pyarrow\n"
        "table = getattr(bankhook.tables(sys.argv[1]), sys.argv[2])\n"
        "for batch in pyarrow.RecordBatchReader.from_stream(table): pass\n"
        "print(*(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))\n"
    )
    empty, full = (
        1024 * int(subprocess.run([sys.executable, "-c", code, given, name], check=True, capture_output=True).stdout)
        for given in ("/dev/null", str(path))
    )
    return full - empty
