# SPDX-License-Identifier: MIT
"""What an ordinary run tries of Spark: archives read and members followed in one session, with nothing killed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spark import archives, members

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.jvm, pytest.mark.slow, pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")]


@pytest.mark.parametrize("name", ["bank_connections_update_v2", "rejected"])
def test_a_table_of_a_cluster_is_that_of_one_machine(spark: SparkSession, tmp_path: Path, name: str) -> None:
    from bankhook.spark import read

    paths = archives.written(tmp_path)
    of_files = [archives.one_machine(path, name) for path in paths]
    found = archives.rows(getattr(read(spark, paths), name), of_files[0][0])
    assert found == [row for _, of_file in of_files for row in of_file] != []


def test_members_on_a_cluster_are_those_of_one_machine(spark: SparkSession, tmp_path: Path) -> None:
    from bankhook.spark import snapshots, track

    deliveries = str(members.written(tmp_path / "deliveries"))
    tracked = track(spark.readStream.option("maxFilesPerTrigger", 1).text(deliveries))
    outcomes = members.run(tracked.outcomes, tmp_path / "state", tmp_path / "outcomes")
    quarantine = members.run(tracked.quarantine, tmp_path / "other", tmp_path / "quarantine")

    tracker, rows, rejected = members.expected()
    assert members.by_member(outcomes) == rows
    assert sorted((bytes(row.raw), row.rule) for row in quarantine) == rejected
    assert members.merged(snapshots(spark, str(tmp_path / "state")).collect()) == tracker
