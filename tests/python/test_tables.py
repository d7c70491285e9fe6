# SPDX-License-Identifier: MIT
"""Tables of archives: every value is that of `parse`, in each reader of Arrow; and no line is lost."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import duckdb
import pandas
import pytest

import bankhook
from bankhook import tables
from python.table_rows import TABLES, archive, expected, pyarrow, rows_of

ARCHIVE = archive(seed=3, count=1500)
EXPECTED = expected(ARCHIVE)


def in_utc(value: Any) -> Any:
    """The value with one class for UTC, which the readers have classes of their own for."""
    if isinstance(value, dict):
        return {name: in_utc(item) for name, item in value.items()}
    if isinstance(value, list):
        return [in_utc(item) for item in value]
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.UTC)
    return value


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_pyarrow_reads_every_value_that_parse_reads(name: str, seed: int) -> None:
    ndjson = archive(seed, 300)
    found = rows_of(getattr(tables(ndjson), name))
    assert in_utc(found) == expected(ndjson)[name] != []


@pytest.mark.parametrize("name", TABLES)
def test_polars_reads_every_value_that_parse_reads(name: str) -> None:
    frame = getattr(tables(ARCHIVE), name).to_polars()
    assert in_utc(frame.to_dicts()) == EXPECTED[name]


@pytest.mark.parametrize("name", TABLES)
def test_duckdb_reads_every_value_that_parse_reads(name: str) -> None:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.register("archive", getattr(tables(ARCHIVE), name))
        found = connection.sql("FROM archive")
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    assert in_utc(rows) == EXPECTED[name]


@pytest.mark.parametrize("name", ["connections", "accounts", "unknown_events", "rejected", "findings"])
def test_pandas_reads_every_value_that_parse_reads(name: str) -> None:
    """The flat tables: values within structs are pyarrow's own."""
    table = getattr(tables(ARCHIVE), name)
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(EXPECTED[name][0])
    assert frame.astype(object).where(frame.notna(), None).to_dict("records") == EXPECTED[name]


def test_every_line_that_is_not_blank_is_in_one_table() -> None:
    archive = tables(ARCHIVE)
    events = (archive.bank_connections_update_v2, archive.initial_transaction_update, archive.unknown_events)
    lines = sorted(row["line"] for table in (*events, archive.rejected) for row in rows_of(table))
    assert lines == [number for number, line in enumerate(ARCHIVE.split(b"\n"), 1) if line.strip()]


def test_the_tables_have_an_attribute_each() -> None:
    archive = tables(b"")
    assert {name for name in dir(archive) if isinstance(getattr(archive, name), bankhook.types.Table)} == set(TABLES)


def test_a_table_without_rows_has_its_columns() -> None:
    for name in TABLES:
        assert pyarrow.table(getattr(tables(b""), name)).schema == pyarrow.table(getattr(tables(ARCHIVE), name)).schema


@pytest.mark.parametrize("name", TABLES)
def test_columns_name_their_section_and_their_meaning(name: str) -> None:
    for field in pyarrow.schema(getattr(tables(b""), name)):
        assert set(field.metadata) == {b"bankhook.section", b"bankhook.meaning"}
        assert field.metadata[b"bankhook.meaning"]


def test_amounts_have_the_scale_that_is_asked_for() -> None:
    def amounts(scale: int) -> list[Decimal]:
        table = tables(ARCHIVE, scale=scale).initial_transaction_update.select("initialTransaction.amount")
        return [row["initialTransaction"]["amount"] for row in rows_of(table)]

    assert pyarrow.schema(tables(b"", scale=7).initial_transaction_update).field("initialTransaction").type.field(
        "amount"
    ).type == pyarrow.decimal128(38, 7)
    assert Decimal("0.00001") in amounts(7)
    assert Decimal("0.00001") not in amounts(4)
    assert len(amounts(0)) < len(amounts(4)) < len(amounts(7))


def test_nanoseconds_are_kept_if_they_are_asked_for() -> None:
    date = tables(ARCHIVE, unit="ns").initial_transaction_update.select("initialTransaction.date", "line")
    schema = pyarrow.schema(date)
    assert schema.field("initialTransaction").type.field("date").type == pyarrow.timestamp("ns", "UTC")
    found = pyarrow.table(date).flatten().column("initialTransaction.date").cast(pyarrow.int64()).to_pylist()
    assert any(value is not None and value % 1000 != 0 for value in found)


@pytest.mark.parametrize("rows", [1, 7, 1 << 20])
def test_batches_have_at_most_so_many_rows_and_the_same_ones(rows: int) -> None:
    table = tables(ARCHIVE, batch_rows=rows).accounts
    batches = list(pyarrow.RecordBatchReader.from_stream(table))
    assert max(batch.num_rows for batch in batches) <= rows
    assert [row for batch in batches for row in batch.to_pylist()] == EXPECTED["accounts"]


def test_only_the_columns_that_are_asked_for_are_there() -> None:
    table = tables(ARCHIVE).bank_connections_update_v2.select("line", "connection.accounts.id", "customer.id")
    assert rows_of(table) == [
        {
            "line": row["line"],
            "customer": {"id": row["customer"]["id"]},
            "connection": {"accounts": [{"id": account["id"]} for account in row["connection"]["accounts"]]},
        }
        for row in EXPECTED["bank_connections_update_v2"]
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": 38}, "scale: expected 0 to 37"),
        ({"scale": -1}, "scale: expected 0 to 37"),
        ({"unit": "ms"}, "unit: expected 'us' or 'ns'"),
        ({"batch_rows": 0}, "batch_rows: expected 1 or more"),
        ({"at": "\ud800"}, "at: expected str without surrogates"),
    ],
)
def test_an_option_out_of_range_is_a_value_error(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tables(b"", **options)


def test_a_column_that_is_not_there_is_a_value_error() -> None:
    connections = tables(b"").connections
    with pytest.raises(ValueError, match="the table connections has no column accounts"):
        connections.select("id", "accounts")
    with pytest.raises(ValueError, match="expected the name of a column or more"):
        connections.select()
    with pytest.raises(TypeError, match="columns: expected str, found int"):
        connections.select(7)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
