# SPDX-License-Identifier: MIT
"""What tables show of their columns without pyarrow: names, types and meanings are those of their schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import bankhook
from bankhook._tables._columns import columns_of
from python.table_rows import TABLES, pyarrow

ARCHIVE = b'{"event":"a"}'
TRACKED = ("members", "connections", "transactions")


def schema_of(fields: Any, start: str = "") -> Iterator[tuple[str, str, bool, bytes]]:
    """Yield what pyarrow says of each column and of the fields within it; what is within a struct is not part of its type."""
    for field in fields:
        is_list = pyarrow.types.is_list(field.type)
        inner = field.type.value_type if is_list else field.type
        is_struct = pyarrow.types.is_struct(inner)
        name = "struct" if is_struct else str(inner)
        yield start + field.name, f"list<{name}>" if is_list else name, field.nullable, field.metadata[b"bankhook.meaning"]
        if is_struct:
            yield from schema_of(inner, f"{start}{field.name}.")


def all_tables(**options: Any) -> list[bankhook.types.Table]:
    of_archives, of_tracker = bankhook.tables(ARCHIVE, **options), bankhook.tables(bankhook.Tracker(), **options)
    return [*(getattr(of_archives, name) for name in TABLES), *(getattr(of_tracker, name) for name in TRACKED)]


@pytest.mark.parametrize("options", [{}, {"scale": 12, "unit": "ns"}])
def test_the_columns_of_a_table_are_those_of_its_schema(options: dict[str, Any]) -> None:
    for table in all_tables(**options):
        shown = [(one.path, one.type, one.is_nullable, one.meaning.encode()) for one in columns_of(table._request())]
        assert shown == list(schema_of(pyarrow.schema(table)))


def test_a_table_prints_its_columns_with_their_types() -> None:
    table = bankhook.tables(ARCHIVE).initial_transaction_update.select(
        "line", "initialTransaction.id", "initialTransaction.placeId"
    )
    assert str(table).splitlines() == [
        "initial_transaction_update",
        "  line                        int64",
        "  initialTransaction          struct",
        "  initialTransaction.id       string",
        "  initialTransaction.placeId  string or null",
    ]


def test_a_table_has_its_columns_in_a_repr_of_one_line() -> None:
    archive = bankhook.tables(ARCHIVE)
    assert repr(archive.unknown_events) == "<bankhook.types.Table unknown_events: source, line, eventIndex, event, raw>"
    assert repr(archive) == "<bankhook.types.Tables of 1 source>"


def test_all_tables_print_a_line_for_each_table_with_its_columns() -> None:
    archive, tracked = bankhook.tables(ARCHIVE), bankhook.tables(bankhook.Tracker())
    first, *lines = str(archive).splitlines()
    assert first == repr(archive)
    assert [line.split(":")[0].strip() for line in lines] == list(TABLES)
    assert "  unknown_events: source, line, eventIndex, event, raw" in lines
    assert str(tracked).splitlines()[1] == "  members: memberId, customer, membership"


def test_a_notebook_shows_the_columns() -> None:
    class Shown:
        said = ""

        def text(self, text: str) -> None:
            self.said += text

    archive, tracked = bankhook.tables(ARCHIVE), bankhook.tables(bankhook.Tracker())
    for value in (archive, archive.findings, tracked):
        shown = Shown()
        value._repr_pretty_(shown, False)
        assert shown.said == str(value)
