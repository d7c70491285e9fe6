# SPDX-License-Identifier: MIT
"""Deliveries that a cluster tracks, and what a tracker on one machine makes of them."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.errors import StreamingQueryException

import bankhook

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

__all__ = ["by_member", "expected", "merged", "run", "written"]

FILES, LINES = 2, 80
ATTEMPTS, WAIT = 10, 600
FAULTS = bankhook.sandbox.Faults(duplicate=0.1, reorder=0.1, drop=0.05, truncate=0.05, future=0.05)
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
    """The rows of a stream, all that there is of it now.

    Spark gives the Python process that plans a stream ten seconds to start, and has no setting for it: on a machine with much
    other work the query fails, and is started again from its checkpoint.
    """
    for attempts_left in reversed(range(ATTEMPTS)):
        query = (
            df.writeStream.format("parquet")
            .option("checkpointLocation", str(checkpoint))
            .option("path", str(table))
            .trigger(availableNow=True)
            .start()
        )
        try:
            assert query.awaitTermination(WAIT), query.status
            break
        except StreamingQueryException as failure:
            if attempts_left == 0 or "Python worker failed to connect back" not in str(failure):
                raise
    return df.sparkSession.read.parquet(str(table)).collect()


def by_member(rows: list[Row]) -> dict[str | None, list[tuple[object, ...]]]:
    """What became of the events of each member, sorted, since the order between members is not defined."""
    found = defaultdict[str | None, list[tuple[object, ...]]](list)
    for row in rows:
        changes = tuple((one.label, one.id, one.field, one.after) for one in row.changes)
        found[row.member].append((row.event, row.key, row.verdict, row.accepted, row.repeat, row.seenBefore, changes))
    return {member: sorted(of_member, key=repr) for member, of_member in found.items()}


def expected(
    options: dict[str, Any] | None = None, history: Sequence[bytes] = HISTORY
) -> tuple[bankhook.Tracker, dict[str | None, list[tuple[object, ...]]], list[tuple[bytes, str]]]:
    """The same on one machine, by a tracker with these options."""
    tracker, rejected = bankhook.Tracker(**(options or {})), list[tuple[bytes, str]]()
    found = defaultdict[str | None, list[tuple[object, ...]]](list)
    for body in history:
        try:
            event = bankhook.parse(body)
        except bankhook.ParseError as error:
            rejected.append((body, error.finding.rule))
            continue
        outcome = tracker.apply(event)
        changes = tuple((one.label, one.id, one.field, one.after_wire) for one in outcome.changes)
        member, key = None, None
        if isinstance(event, bankhook.BankConnectionsUpdateV2):
            member, key = event.customer.id, event.connection.id
        elif isinstance(event, bankhook.InitialTransactionUpdate):
            member, key = event.customer.id, event.initial_transaction.id
        known = outcome.verdict.value, outcome.accepted, outcome.repeat, outcome.seen_before
        found[member].append((event.event, key, *known, changes))
    return tracker, {member: sorted(rows, key=repr) for member, rows in found.items()}, sorted(rejected)


def merged(stored: list[Row]) -> bankhook.Tracker:
    """The tracker of all members whose snapshots these are."""
    tracker, *others = (bankhook.Tracker.restore(row.snapshot) for row in stored)
    for other in others:
        tracker.merge(other)
    return tracker
