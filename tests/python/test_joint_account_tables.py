# SPDX-License-Identifier: MIT
"""JointAccounts (spec 2.3): rows of transactions as tables of pandas, polars and pyarrow."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import pytest

from bankhook import JointAccounts
from python.test_joint_accounts import ACCOUNTS, CARRYING, KEPT, KEPT_CARRYING, ROWS


class Frame:
    """The least that a table offers."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.data = columns
        self.columns = list(columns)

    def __getitem__(self, name: str) -> list[Any]:
        return self.data[name]

    def take(self, positions: list[int]) -> Frame:
        return Frame({name: [column[i] for i in positions] for name, column in self.data.items()})


def columns() -> dict[str, list[Any]]:
    return {name: [row[name] for row in ROWS] for name in ROWS[0]}


def test_tables_come_back_as_tables() -> None:
    kept = JointAccounts(ACCOUNTS).deduplicate(Frame(columns()), bank_account_id="account", key=["day", "amount"])
    assert isinstance(kept, Frame)
    assert kept.data["account"] == [ROWS[i]["account"] for i in KEPT]
    with pytest.raises(TypeError, match="names of columns"):
        JointAccounts().deduplicate(Frame(columns()), bank_account_id="account", key=lambda row: 5)


LIBRARIES = ["pandas", "pandas, nullable", "polars", "pyarrow"]


def table(library: str, rows: list[dict[str, Any]]) -> Any:
    """These rows as a table of the library."""
    name, _, nullable = library.partition(", ")
    module: Any = importlib.import_module(name)
    data = {column: [row[column] for row in rows] for column in rows[0]}
    if name == "pyarrow":
        return module.table(data)
    made = module.DataFrame(data)
    return made.convert_dtypes() if nullable else made


@pytest.mark.parametrize("library", LIBRARIES)
def test_rows_with_a_blank_hash_are_all_kept(library: str) -> None:
    rows = table(library, [{"account": f"acc-{i}", "hash": " \xa0", "day": 1} for i in range(3)])
    assert len(JointAccounts().deduplicate(rows, bank_account_id="account", account_hash="hash", key="day")) == 3


def empty(rows: Any) -> Any:
    return rows.iloc[:0] if hasattr(rows, "iloc") else rows.slice(0, 0)


@pytest.mark.parametrize("library", LIBRARIES)
def test_tables_of_the_usual_libraries_are_taken(library: str) -> None:
    all_rows, key = table(library, ROWS), ["day", "amount"]
    kept = JointAccounts(ACCOUNTS).deduplicate(all_rows, bank_account_id="account", key=key)
    assert type(kept) is type(all_rows)
    assert list(kept["account"])[:3] == list(all_rows["account"])[:1] + list(all_rows["account"])[2:4]
    assert len(kept) == len(KEPT)
    nothing = JointAccounts(ACCOUNTS).deduplicate(empty(all_rows), bank_account_id="account", key=key)
    assert type(nothing) is type(all_rows) and len(nothing) == 0


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_column_may_be_named_as_a_method(library: str) -> None:
    all_rows = table(library, [{**row, "collect": 1} for row in ROWS])
    assert len(JointAccounts(ACCOUNTS).deduplicate(all_rows, bank_account_id="account", key=["day", "amount"])) == len(KEPT)


@pytest.mark.parametrize("library", LIBRARIES)
def test_tables_carry_hashes_as_rows_do(library: str) -> None:
    all_rows = table(library, [{"position": i, **row} for i, row in enumerate(CARRYING)])
    kept = JointAccounts(ACCOUNTS).deduplicate(all_rows, bank_account_id="account", account_hash="hash", key="day")
    assert type(kept) is type(all_rows)
    assert [int(str(one)) for one in kept["position"]] == KEPT_CARRYING
    with pytest.raises(TypeError, match="names of columns"):
        JointAccounts().deduplicate(all_rows, bank_account_id="account", account_hash=len, key="day")  # type: ignore[arg-type]


def test_a_table_that_is_not_there_yet_is_rejected_with_what_makes_it_be() -> None:
    lazy = table("polars", [{"account": "a", "day": 1}]).lazy()
    with warnings.catch_warnings(), pytest.raises(TypeError, match=r"found LazyFrame: call collect\(\) first"):
        warnings.simplefilter("error")
        JointAccounts().deduplicate(lazy, bank_account_id="account", key="day")


def test_relations_and_streams_of_arrow_are_taken_as_tables_of_pyarrow() -> None:
    duckdb, all_rows = pytest.importorskip("duckdb"), table("pyarrow", ROWS)
    expected = JointAccounts(ACCOUNTS).deduplicate(all_rows, bank_account_id="account", key=["day", "amount"])
    connection = duckdb.connect()
    connection.register("all_rows", all_rows)
    for given in (connection.sql("SELECT * FROM all_rows"), all_rows.to_reader()):
        kept = JointAccounts(ACCOUNTS).deduplicate(given, bank_account_id="account", key=["day", "amount"])
        assert type(kept) is type(all_rows)
        assert kept.to_pylist() == expected.to_pylist()


def test_other_things_than_rows_are_refused_with_what_is_taken() -> None:
    with pytest.raises(TypeError, match="expected rows, or a table of pandas, polars, pyarrow or DuckDB, found int"):
        JointAccounts().deduplicate(5, bank_account_id="account", key="day")  # type: ignore[call-overload]
