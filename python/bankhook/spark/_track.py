# SPDX-License-Identifier: MIT
"""Members followed in a structured stream: the state of each is a snapshot, and Spark keeps it."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark import TaskContext
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.functions import col
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.types import ArrayType, BinaryType, BooleanType, LongType, StringType, StructField, StructType

from bankhook._core import AnyEvent, Tracker, _MemberState, parse
from bankhook._records.errors import ParseError
from bankhook._records.findings import Rule
from bankhook._records.tracking import Change, Outcome
from bankhook.inbox._examination import about

PAYLOAD, ARRIVAL, MEMBER, STATE = "_payload", "_arrival", "member", "snapshot"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

TEXT, YES_NO = StringType(), BooleanType()
CHANGE_NAMES = ("kind", "subject", "label", "id", "parentId", "field", "before", "after")
CHANGE_FIELDS = ("kind", "subject", "label", "id", "parent_id", "field", "before_wire", "after_wire")
CHANGE = StructType([StructField(name, TEXT) for name in CHANGE_NAMES])
OUTCOME = [
    *(StructField(name, TEXT, nullable=name != "verdict") for name in ("event", "key", "verdict", "rule", "section")),
    *(StructField(name, YES_NO, nullable=False) for name in ("accepted", "repeat", "seenBefore")),
    StructField("changes", ArrayType(CHANGE, containsNull=False), nullable=False),
    StructField("findings", ArrayType(TEXT, containsNull=False), nullable=False),
]
FINDING = ("rule", "path", "offset", "expected", "found")
REJECTED = pa.schema(
    [
        *(pa.field(name, pa.string(), nullable=False) for name in ("rule", "path")),
        pa.field("findingOffset", pa.int64()),  # a column of Kafka is called offset
        *(pa.field(name, pa.string(), nullable=False) for name in ("expected", "found")),
        pa.field("raw", pa.binary()),
    ]
)


@dataclasses.dataclass(frozen=True)
class Tracked:
    """What `track` makes of a stream of payloads: two streams, each for a query of its own."""

    outcomes: DataFrame
    """A row for each event: its member, the columns that it was ordered by, and what it means for what was known."""
    quarantine: DataFrame
    """A row for each payload that is not an event, with the first rule that it breaks, where, and its bytes."""


def track(
    df: DataFrame,
    /,
    *,
    payload: str = "value",
    order_by: Sequence[str] = (),
    options: Tracker | None = None,
) -> Tracked:
    """Track members through a structured stream of payloads.

    Each member is tracked on whichever executor has its key. What Spark keeps in the checkpoint of the query, and gives to
    another executor if one is lost, is the snapshot of a `Tracker` of this member alone. A query over `outcomes` needs the
    state store RocksDB: it is configured here, unless the session names another one.

    Parameters
    ----------
    df : DataFrame
        A stream with a payload in each row, like those of Kafka, files or a table.
    payload : str, optional
        The column of the payload, text or binary.
    order_by : sequence of str, optional
        Columns that order the events of a member within a batch, such as `offset` of Kafka if the key of its messages is the
        member. They are in both results, too, so they have other names than what is there; a null comes before all other
        values. Without them, and between equal values, it is the order of the input, which is that of arrival within one
        partition, and none between several.
    options : Tracker, optional
        The options are those of this one, which is not changed.

    Returns
    -------
    Tracked
        The outcomes and the quarantine; nothing runs before a query is started.

    Raises
    ------
    pyspark.errors.AnalysisException
        There is no column of this name.
    ValueError
        A result has a column of this name already, or it is given twice; Spark does not tell `Key` from `key`.

    Examples
    --------
    >>> from bankhook.spark import snapshots, track  # doctest: +SKIP
    >>> tracked = track(spark.readStream.text("deliveries/"))  # doctest: +SKIP
    >>> tracked.outcomes.writeStream.option("checkpointLocation", "state/").toTable("outcomes")  # doctest: +SKIP
    """
    taken = {one.lower() for one in (PAYLOAD, ARRIVAL, MEMBER, *(field.name for field in OUTCOME), *REJECTED.names)}
    for name in order_by:
        if name.lower() in taken:
            raise ValueError(
                f"order_by: the results have a column {name!r} already: rename it, as df.withColumnRenamed does"
            )
        taken.add(name.lower())
    _configure(df.sparkSession)
    order = [df.schema[name] for name in order_by]
    rows = df.select(*order_by, col(payload).cast("binary").alias(PAYLOAD))
    keys = [StructField(MEMBER, StringType()), StructField(ARRIVAL, LongType())]
    events = rows.mapInArrow(_events, StructType([*keys, *order, StructField(PAYLOAD, BinaryType())]))
    rejected = functools.partial(_rejected, order_by=list(order_by))
    outcomes = events.groupBy(MEMBER).transformWithState(
        Members(list(order_by), Tracker() if options is None else options),
        StructType([StructField(MEMBER, StringType()), *order, *OUTCOME]),
        "Append",
        "None",
    )
    return Tracked(outcomes, rows.mapInArrow(rejected, StructType([*order, *from_arrow_schema(REJECTED)])))


def snapshots(spark: SparkSession, checkpoint: str, /) -> DataFrame:
    """Read the state that a query over `Tracked.outcomes` has stored: a row with `member` and `snapshot` for each member.

    Parameters
    ----------
    spark : SparkSession
        The session; a query may run meanwhile, and the state is that of its last finished batch.
    checkpoint : str
        The `checkpointLocation` of the query.

    Returns
    -------
    DataFrame
        `Tracker.restore` takes a snapshot, and `Tracker.merge` unites several.

    Examples
    --------
    >>> from bankhook.spark import snapshots  # doctest: +SKIP
    >>> for row in snapshots(spark, "state/").toLocalIterator():  # doctest: +SKIP
    ...     print(row.member, bankhook.Tracker.restore(row.snapshot).in_error())
    """
    _configure(spark)
    stored = spark.read.format("statestore").option("stateVarName", STATE).load(checkpoint)
    return stored.select(col(f"key.{MEMBER}").alias(MEMBER), col(f"value.{STATE}").alias(STATE))


def _configure(spark: SparkSession) -> None:
    if str(spark.conf.get(PROVIDER)).endswith("HDFSBackedStateStoreProvider"):  # Spark's default, which has no keyed state
        spark.conf.set(PROVIDER, ROCKSDB)


class Members(StatefulProcessor):
    """Applies the events of a member to its state."""

    def __init__(self, order_by: list[str], options: Tracker) -> None:
        self._order_by = order_by
        self._options = Tracker.restore(  # of an empty state: what `options` tracks does not go to the executors
            _MemberState(options).snapshot(),
            connection_lifecycle=options.connection_lifecycle,
            transaction_lifecycle=options.transaction_lifecycle,
        )

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Get access to the state."""
        self._state = handle.getValueState(STATE, StructType([StructField(STATE, BinaryType())]))

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Row]:
        """Apply the events of a batch in their order."""
        (member,) = key
        stored = None if member is None else self._state.get()
        state = _MemberState(self._options) if stored is None else _MemberState.restore(stored[0])
        state.take_options(self._options)
        for row in sorted(rows, key=self._place):
            event = parse(bytes(row[PAYLOAD]))
            outcome = state.apply(event)
            order = {name: row[name] for name in self._order_by}
            yield Row(**{MEMBER: member}, **order, **_outcome(event, outcome))
        if member is not None:  # nothing is kept of events that are about no member
            self._state.update((state.snapshot(),))

    def close(self) -> None:
        """There is nothing to release."""

    def _place(self, row: Any) -> tuple[Any, ...]:
        """Where a row is in the order of its batch; a null, which compares with nothing, comes first."""
        return tuple((row[name] is not None, row[name]) for name in [*self._order_by, ARRIVAL])


def _events(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows whose payload is an event, with its member and its place in the input."""
    context = TaskContext.get()
    arrival = 0 if context is None else context.partitionId() << 40
    for batch in batches:
        members: list[str | None] = []
        places: list[int] = []
        for place, body in enumerate(batch.column(PAYLOAD).to_pylist()):
            with contextlib.suppress(ParseError):
                members.append(about(parse(body or b""))[0])
                places.append(place)
        keys = [pa.array(members, pa.string()), pa.array([arrival + place for place in places], pa.int64())]
        arrival += batch.num_rows
        kept = batch.take(pa.array(places, pa.int64()))
        yield pa.RecordBatch.from_arrays([*keys, *kept.columns], names=[MEMBER, ARRIVAL, *batch.schema.names])


def _rejected(batches: Iterator[pa.RecordBatch], order_by: list[str]) -> Iterator[pa.RecordBatch]:
    """The rows whose payload is not an event, with the rule for which it is rejected."""
    names = REJECTED.names
    for batch in batches:
        places, found = list[int](), list[dict[str, Any]]()
        for place, body in enumerate(batch.column(PAYLOAD).to_pylist()):
            try:
                parse(body or b"")
            except ParseError as error:
                places.append(place)
                found.append(dict(zip(names, [*(getattr(error.finding, field) for field in FINDING), body], strict=True)))
        kept = batch.take(pa.array(places, pa.int64()))
        values = pa.RecordBatch.from_pylist(found, schema=REJECTED).columns
        yield pa.RecordBatch.from_arrays([*map(kept.column, order_by), *values], names=[*order_by, *names])


def _outcome(event: AnyEvent, outcome: Outcome) -> dict[str, Any]:
    reason = outcome.reason
    return {
        "event": event.event,
        "key": about(event)[1],
        "verdict": outcome.verdict.value,
        "rule": reason.id if isinstance(reason, Rule) else None,
        "section": None if reason is None else reason.section,
        "accepted": outcome.accepted,
        "repeat": outcome.repeat,
        "seenBefore": outcome.seen_before,
        "changes": [Row(**_texts(change)) for change in outcome.changes],
        "findings": [finding.rule for finding in outcome.findings],
    }


def _texts(change: Change) -> dict[str, str | None]:
    values = zip(CHANGE_NAMES, (getattr(change, field) for field in CHANGE_FIELDS), strict=True)
    return {name: None if value is None else str(value) for name, value in values}
