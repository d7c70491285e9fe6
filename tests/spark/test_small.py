# SPDX-License-Identifier: MIT
"""What an ordinary run tries of Spark: archives read and members followed in one session, with nothing killed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bankhook
from spark import archives, members

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OWN = {
    "order": "trusted",
    "connection_lifecycle": bankhook.connection_lifecycle.without_final("deleted").with_row("deleted", "update", "updated"),
    "transaction_lifecycle": bankhook.transaction_lifecycle.with_row(
        "created", "store_set_up", "validated", evidence="stated", section="mail"
    ),
}
pytestmark = [pytest.mark.jvm, pytest.mark.slow, pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")]


@pytest.mark.parametrize("name", ["bank_connections_update_v2", "rejected"])
def test_a_table_of_a_cluster_is_that_of_one_machine(spark: SparkSession, tmp_path: Path, name: str) -> None:
    from bankhook.spark import read

    paths = archives.written(tmp_path)
    of_files = [archives.one_machine(path, name) for path in paths]
    found = archives.rows(getattr(read(spark, paths), name), of_files[0][0])
    assert found == [row for _, of_file in of_files for row in of_file] != []


@pytest.mark.parametrize("options", [{}, OWN], ids=["built-in", "own"])
def test_members_on_a_cluster_are_those_of_one_machine(
    spark: SparkSession, tmp_path: Path, options: dict[str, Any]
) -> None:
    from bankhook.spark import snapshots, track

    deliveries = str(members.written(tmp_path / "deliveries"))
    tracked = track(spark.readStream.option("maxFilesPerTrigger", 1).text(deliveries), options=bankhook.Tracker(**options))
    outcomes = members.run(tracked.outcomes, tmp_path / "state", tmp_path / "outcomes")
    quarantine = members.run(tracked.quarantine, tmp_path / "other", tmp_path / "quarantine")

    tracker, rows, rejected = members.expected(options)
    assert (rows == members.expected()[1]) is (not options)
    assert members.by_member(outcomes) == rows
    assert sorted((bytes(row.raw), row.rule) for row in quarantine) == rejected
    assert members.merged(snapshots(spark, str(tmp_path / "state")).collect()) == tracker
