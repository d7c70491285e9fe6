# SPDX-License-Identifier: MIT
"""What the columns of a table are: names, types and meanings, without pyarrow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from bankhook import _core

Keep: TypeAlias = tuple[tuple[str, bool], ...]
"""What is kept of envelopes: names, and whether it is a time."""
Request: TypeAlias = tuple[str, tuple[str, ...], int, bool, Keep]
"""The name of a table, its columns or none for all, their types, and what is kept of envelopes."""

_TYPES = {
    "l": "int64",
    "L": "uint64",
    "u": "string",
    "Z": "large_binary",
    "b": "bool",
    "tdD": "date32[day]",
    "tsu:": "timestamp[us]",
    "tsu:UTC": "timestamp[us, tz=UTC]",
    "tsn:": "timestamp[ns]",
    "tsn:UTC": "timestamp[ns, tz=UTC]",
    "+s": "struct",
}
"""The types by what Arrow's C interface calls them, as pyarrow prints them."""


class Column(NamedTuple):
    """A column, or a field within one."""

    path: str
    """As `select` takes it."""
    type: str
    is_nullable: bool
    meaning: str


def columns_of(request: Request) -> list[Column]:
    """Return the columns of a table in their order, each followed by the fields within it."""
    rows = _core._table_columns(request)
    return [Column(path, _type(format), is_nullable, meaning) for path, format, is_nullable, meaning in rows]


def in_lines(columns: Iterable[Column]) -> str:
    """Return a line for each column: its path and its type."""
    shown = list(columns)
    width = max(len(column.path) for column in shown)
    return "\n".join(
        f"  {column.path:{width}}  {column.type}{' or null' if column.is_nullable else ''}" for column in shown
    )


def _type(format: str) -> str:
    if format.startswith("+l"):
        return f"list<{_type(format[2:])}>"
    if format.startswith("d:"):
        return f"decimal128({format[2:].replace(',', ', ')})"
    return _TYPES[format]
