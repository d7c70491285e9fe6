# SPDX-License-Identifier: MIT
"""Archives that a cluster reads: each table is that of one machine, also if an executor is killed or a file is split."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spark.archives import KEYS, TABLES, one_machine, rows, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.jvm,
    pytest.mark.slow,
    pytest.mark.skipif("BANKHOOK_SOAK_ROUNDS" not in os.environ, reason="in full rounds only: ./dev test --soak"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning"),
]


def test_tables_of_a_cluster_are_those_of_one_machine_though_an_executor_is_killed(
    spark: SparkSession, tmp_path: Path
) -> None:
    from bankhook.spark import read
    from spark.cluster import killing

    (tmp_path / "archive").mkdir()
    paths = written(tmp_path / "archive")
    archive = read(spark, paths)
    for name in TABLES:
        of_files = [one_machine(path, name) for path in paths]
        df = getattr(archive, name)
        if name == "initial_transaction_update":
            df = killing(df, tmp_path / "killed", batch=2)
        found = rows(df, of_files[0][0])
        expected = [row for _, of_file in of_files for row in of_file]
        assert len(found) == len(expected) > 0
        assert found == expected
    assert (tmp_path / "killed").exists()


def test_a_file_that_is_split_has_the_same_rows_under_keys_of_its_blocks(spark: SparkSession, tmp_path: Path) -> None:
    from bankhook.spark import read

    (path, *_) = [one for one in written(tmp_path) if "plain" in one]
    spark.conf.set("spark.sql.files.maxPartitionBytes", 20_000)
    try:
        archive = read(spark, path)
        for name in ("initial_transaction_update", "rejected"):
            schema, expected = one_machine(path, name)
            found = rows(getattr(archive, name), schema)
            assert len({row["block"] for row in found}) > 3
            assert len({tuple(row[key] for key in KEYS) for row in found}) == len(found)
            moved = [{**row, "block": 0, "line": 0, "eventIndex": 0} for row in found]
            assert moved == [{**row, "line": 0, "eventIndex": 0} for row in expected]
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")


def test_only_the_columns_that_are_selected_are_built(spark: SparkSession, tmp_path: Path) -> None:
    from bankhook.spark import read

    archive = read(spark, written(tmp_path))
    amounts = archive.select("initial_transaction_update", "line", "initialTransaction.amount")
    assert amounts.columns == ["source", "block", "line", "initialTransaction"]
    assert [field.name for field in amounts.schema["initialTransaction"].dataType] == ["amount"]  # type: ignore[attr-defined]
    assert amounts.count() == archive.initial_transaction_update.count() > 0
    for wrong in [("nothing",), ("sources",), ("connections", "nothing")]:
        with pytest.raises(ValueError, match=r"no such table|column"):
            archive.select(*wrong)
