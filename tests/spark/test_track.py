# SPDX-License-Identifier: MIT
"""Members followed on a cluster: outcomes, state and quarantine are those of one machine, also if an executor is killed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bankhook
from bankhook.testing import samples
from spark.members import by_member, expected, merged, run, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.jvm,
    pytest.mark.slow,
    pytest.mark.skipif("BANKHOOK_SOAK_ROUNDS" not in os.environ, reason="in full rounds only: ./dev test --soak"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning"),
]
ROUNDS = int(os.environ.get("BANKHOOK_SOAK_ROUNDS", "1"))


@pytest.mark.parametrize("place", range(ROUNDS))
def test_members_on_a_cluster_are_those_of_one_machine_though_an_executor_is_killed(
    spark: SparkSession, tmp_path: Path, place: int
) -> None:
    from bankhook.spark import snapshots, track
    from spark.cluster import killing

    deliveries = spark.readStream.option("maxFilesPerTrigger", 1).text(str(written(tmp_path / "deliveries")))
    deliveries = killing(deliveries, tmp_path / "killed", batch=1 + place % 3)
    tracked = track(deliveries)
    state = tmp_path / "state"
    outcomes = run(tracked.outcomes, state, tmp_path / "outcomes")
    quarantine = run(tracked.quarantine, tmp_path / "other", tmp_path / "quarantine")

    tracker, rows, rejected = expected()
    assert (tmp_path / "killed").exists()
    assert by_member(outcomes) == rows
    assert sorted((bytes(row.raw), row.rule) for row in quarantine) == rejected
    stored = snapshots(spark, str(state)).collect()
    assert merged(stored) == tracker
    assert {row.member for row in stored} == set(rows) - {None}


def test_an_empty_id_is_a_member_and_a_null_is_first_in_the_order(spark: SparkSession, tmp_path: Path) -> None:
    from bankhook.spark import snapshots, track

    created, validated = (
        bankhook.InitialTransactionUpdate.from_json(samples.get(f"transaction_{status}").payload)
        for status in ("created", "validated")
    )
    nameless = created.customer.replace(id="")
    transaction = validated.initial_transaction.replace(id=created.initial_transaction.id)
    sent = [
        (2, validated.replace(customer=nameless, initial_transaction=transaction).to_json()),
        (None, created.replace(customer=nameless).to_json()),
        (None, b'{"event":"other"}'),
    ]
    (tmp_path / "in").mkdir()
    rows = [json.dumps({"number": number, "value": value.decode()}) for number, value in sent]
    (tmp_path / "in" / "rows.json").write_text("\n".join(rows))

    df = spark.readStream.schema("number long, value string").json(str(tmp_path / "in"))
    outcomes = run(track(df, order_by=["number"]).outcomes, tmp_path / "state", tmp_path / "outcomes")
    assert {(row.number, row.member, row.event, row.accepted) for row in outcomes} == {
        (None, "", "initial_transaction_update", True),
        (2, "", "initial_transaction_update", True),
        (None, None, "other", True),
    }
    (stored,) = snapshots(spark, str(tmp_path / "state")).collect()
    (held,) = bankhook.Tracker.restore(stored.snapshot).transactions("")
    assert (stored.member, str(held.initial_transaction.status)) == ("", "validated")
