# SPDX-License-Identifier: MIT
"""Tables of what a tracker tracks: every value is that of its queries; and the outcomes of an archive of several sources."""

from __future__ import annotations

import datetime
from typing import Any

import duckdb
import polars
import pytest

import bankhook
from bankhook import tables
from python.table_rows import archive, expected, plain_fields, pyarrow, rows_of

NAMES = ("members", "connections", "transactions")


def tracked(count: int = 600) -> bankhook.Tracker:
    """A tracker of an archive with faults."""
    tracker = bankhook.Tracker()
    tracker.apply_lines(archive(seed=5, count=count))
    return tracker


TRACKER = tracked()
STATE = tables(TRACKER, scale=20)


def in_utc(value: Any) -> Any:
    """The value with one class for UTC, which the readers have classes of their own for."""
    if isinstance(value, dict):
        return {name: in_utc(item) for name, item in value.items()}
    if isinstance(value, list):
        return [in_utc(item) for item in value]
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.UTC)
    return value


@pytest.mark.parametrize("name", NAMES)
def test_every_reader_has_what_the_queries_return(name: str) -> None:
    table = getattr(STATE, name)
    held = [plain_fields(one) for one in getattr(TRACKER, name)()]
    held = [row if "memberId" in row else {"memberId": row["customer"]["id"], **row} for row in held]
    assert len(held) > 10
    assert in_utc(rows_of(table)) == held
    assert in_utc(polars.DataFrame(table).to_dicts()) == held
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.register("state", table)
        found = connection.sql("FROM state")
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    assert in_utc(rows) == held


@pytest.mark.parametrize("name", NAMES)
def test_batches_have_at_most_so_many_rows(name: str) -> None:
    batches = list(pyarrow.RecordBatchReader.from_stream(getattr(tables(TRACKER, scale=20, batch_rows=7), name)))
    assert max(batch.num_rows for batch in batches) == 7
    assert pyarrow.Table.from_batches(batches).to_pylist() == rows_of(getattr(STATE, name))


def test_a_consumer_gets_the_state_of_its_time() -> None:
    tracker = bankhook.Tracker()
    connections = tables(tracker).connections
    assert rows_of(connections) == []
    stream = pyarrow.RecordBatchReader.from_stream(connections)
    tracker.apply_lines(archive(seed=5, count=50))
    assert stream.read_all().num_rows == 0
    assert [row["connection"]["id"] for row in rows_of(connections)] == [
        held.connection.id for held in tracker.connections()
    ]


def test_columns_are_selected_by_path() -> None:
    table = STATE.connections.select("connection.id", "memberId")
    assert repr(table) == "<bankhook.types.Table tracked_connections: connection.id, memberId>"
    assert rows_of(table) == [
        {"connection": {"id": held.connection.id}, "memberId": held.member_id} for held in TRACKER.connections()
    ]
    with pytest.raises(ValueError, match="tracked_members has no column amount"):
        STATE.members.select("amount")


def test_an_amount_that_does_not_fit_is_a_value_error() -> None:
    with pytest.raises(
        ValueError, match=r"\$\.initialTransaction\.amount: expected a number of at most 38 digits, 0 of them"
    ):
        pyarrow.table(tables(TRACKER, scale=0).transactions)


def test_the_outcomes_of_several_sources_are_those_of_one_tracker() -> None:
    whole = archive(seed=5, count=400)
    lines = whole.splitlines(keepends=True)
    parts = [b"".join(lines[start : start + 90]) for start in range(0, len(lines), 90)]
    rows = rows_of(tables(parts, threads=3).outcomes)
    assert {row["source"] for row in rows} == set(range(len(parts)))
    keys = {"source", "line", "eventIndex"}
    assert [{name: row[name] for name in row.keys() - keys} for row in rows] == [
        {name: row[name] for name in row.keys() - keys} for row in expected(whole)["outcomes"]
    ]


def test_what_is_neither_an_archive_nor_a_tracker_has_no_tables() -> None:
    with pytest.raises(TypeError):
        tables(object())  # type: ignore[call-overload] # pyright: ignore[reportCallIssue, reportArgumentType]
