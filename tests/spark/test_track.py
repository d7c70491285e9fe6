# SPDX-License-Identifier: MIT
"""Members followed on a cluster: outcomes, state and quarantine are those of one machine, also if an executor is killed."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bankhook
from bankhook.testing import samples

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")]
FILES, LINES, WAIT = 2, 80, 600
ROUNDS = int(os.environ.get("BANKHOOK_SOAK_ROUNDS", "1"))
FAULTS = bankhook.Faults(duplicate=0.1, reorder=0.1, drop=0.05, truncate=0.05, future=0.05)
HISTORY = [
    one.payload.replace(b"\n", b" ")
    for one in bankhook.Sandbox(seed=7, members=12, faults=FAULTS).deliveries(FILES * LINES)
]


def written(folder: Path) -> Path:
    """The history as files whose times are in their order, so that a stream takes them in it."""
    folder.mkdir()
    for number in range(FILES):
        path = folder / f"{number}.ndjson"
        path.write_bytes(b"\n".join(HISTORY[number * LINES : (number + 1) * LINES]) + b"\n")
        os.utime(path, (1_000_000 + number, 1_000_000 + number))
    return folder


def run(df: DataFrame, checkpoint: Path, table: Path) -> list[Row]:
    """The rows of a stream, all that there is of it now."""
    query = (
        df.writeStream.format("parquet")
        .option("checkpointLocation", str(checkpoint))
        .option("path", str(table))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(WAIT), query.status
    return df.sparkSession.read.parquet(str(table)).collect()


def by_member(rows: list[Row]) -> dict[str | None, list[tuple[object, ...]]]:
    """What became of the events of each member, sorted, since the order between members is not defined."""
    found = defaultdict[str | None, list[tuple[object, ...]]](list)
    for row in rows:
        changes = tuple((one.kind, one.id, one.field, one.after) for one in row.changes)
        found[row.member].append((row.event, row.key, row.verdict, row.accepted, row.repeat, row.seenBefore, changes))
    return {member: sorted(of_member, key=repr) for member, of_member in found.items()}


def expected() -> tuple[bankhook.Tracker, dict[str | None, list[tuple[object, ...]]], list[tuple[bytes, str]]]:
    """The same on one machine."""
    tracker, rejected = bankhook.Tracker(), list[tuple[bytes, str]]()
    found = defaultdict[str | None, list[tuple[object, ...]]](list)
    for body in HISTORY:
        try:
            event = bankhook.parse(body)
        except bankhook.ParseError as error:
            rejected.append((body, error.findings[0].rule))
            continue
        outcome = tracker.apply(event)
        changes = tuple((one.kind.value, one.id, one.field, one.after_wire) for one in outcome.changes)
        member, key = None, None
        if isinstance(event, bankhook.BankConnectionsUpdateV2):
            member, key = event.customer.id, event.connection.id
        elif isinstance(event, bankhook.InitialTransactionUpdate):
            member, key = event.customer.id, event.initial_transaction.id
        known = outcome.verdict.value, outcome.accepted, outcome.repeat, outcome.seen_before
        found[member].append((event.event, key, *known, changes))
    return tracker, {member: sorted(rows, key=repr) for member, rows in found.items()}, sorted(rejected)


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
    merged = bankhook.Tracker()
    stored = snapshots(spark, str(state)).collect()
    for row in stored:
        merged.merge(bankhook.Tracker.restore(row.snapshot))
    assert merged == tracker
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
