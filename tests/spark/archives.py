# SPDX-License-Identifier: MIT
"""An archive that a cluster reads, and the rows that one machine finds in it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]

import bankhook

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["KEYS", "TABLES", "one_machine", "rows", "written"]

TABLES = [
    "bank_connections_update_v2",
    "initial_transaction_update",
    "unknown_events",
    "connections",
    "accounts",
    "rejected",
]
KEYS = ["source", "block", "eventIndex"]
FAULTS = bankhook.sandbox.Faults(truncate=0.1, duplicate=0.1, future=0.1)
BODIES = [one.payload.replace(b"\n", b" ") for one in bankhook.Sandbox(seed=11, members=9, faults=FAULTS).deliveries(300)]
HOSTILE = [b"", b"\0" * 40, b'{"event":"\xff"}', b"[]", b" ", b'{"event":"new_event"}\r', BODIES[0] + b"\r"]


def written(folder: Path) -> list[str]:
    """An archive of three files: a plain one, one that is compressed, and one of lines that are no events."""
    (folder / "plain.ndjson").write_bytes(b"\n".join(BODIES[:200]))
    (folder / "packed.ndjson.gz").write_bytes(gzip.compress(b"\n".join(BODIES[200:]) + b"\n"))
    (folder / "hostile.ndjson").write_bytes(b"\n".join(HOSTILE) + b"\n")
    return sorted(map(str, folder.iterdir()))


def rows(df: DataFrame, schema: Any) -> list[dict[str, Any]]:
    """The rows that Spark has, with the types of this Arrow schema, in the order of their keys."""
    found = df.toArrow()
    fields = [
        pa.field("source", pa.string()),
        pa.field("block", pa.int64()),
        *(one for one in schema if one.name != "source"),
    ]
    table = found.cast(pa.schema(fields)).sort_by([(name, "ascending") for name in KEYS])
    return [{**row, "source": "/" + row["source"].removeprefix("file:").lstrip("/")} for row in table.to_pylist()]


def one_machine(path: str, name: str) -> tuple[Any, list[dict[str, Any]]]:
    """The schema and the rows of a table of one file, as `rows` gives them for a file that is not split."""
    table = pa.table(getattr(bankhook.tables(path), name))
    return table.schema, [{**row, "source": path, "block": 0} for row in table.to_pylist()]
