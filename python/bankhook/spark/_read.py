# SPDX-License-Identifier: MIT
"""Archives as tables of Spark: it reads and splits the files, and the executors decode the lines into Arrow columns."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any, final

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, concat, lit
from pyspark.sql.pandas.types import from_arrow_schema

import bankhook
from bankhook._tables import Table
from bankhook._tables._kinds import Kinds
from bankhook.spark._lines import BLOCK, SOURCE, TEXT, Lines

ROWS = 8192  # of a batch, which an executor holds twice: in Python, and where Spark reads it


@final
class Frames(Kinds[DataFrame]):
    """The tables of archives, as `read` returns them: all of `bankhook.tables` except `outcomes`, each as a DataFrame.

    They have the same columns and types, but for the first: `source` is the URI of the file, and a second one follows it.
    `block` is where the part of the file begins that `line` and `eventIndex` count in: 0, unless Spark split the file, which
    it does with plain ones that are longer than `spark.sql.files.maxPartitionBytes`, 128 MB by default.
    """

    __slots__ = ("_lines", "_scale")

    def __init__(self, lines: DataFrame, scale: int) -> None:
        self._lines, self._scale = lines, scale

    def select(self, table: str, /, *columns: str) -> DataFrame:
        """Return a table with these columns only, after `source` and `block`; the others are not built.

        Parameters
        ----------
        table : str
            The name of the table.
        columns : str
            Names of columns, or paths to fields within them: "initialTransaction.amount". All by default.

        Returns
        -------
        DataFrame
            The rows of all archives.

        Raises
        ------
        ValueError
            There is no such table or column.

        Examples
        --------
        >>> from bankhook.spark import read  # doctest: +SKIP
        >>> read(spark, "archive/").select("accounts", "connectionId", "id").show()  # doctest: +SKIP
        """
        empty = _table(b"", table, columns, self._scale)
        keys = [pa.field(SOURCE, pa.string(), nullable=False), pa.field(BLOCK, pa.int64(), nullable=False)]
        schema = pa.schema([*keys, *map(_field, (field for field in pa.schema(empty) if field.name != SOURCE))])
        decode = functools.partial(_decoded, table=table, columns=columns, scale=self._scale, schema=schema)
        return self._lines.mapInArrow(decode, from_arrow_schema(schema))

    _table = select


def read(spark: SparkSession, paths: str | Sequence[str], /, *, scale: int = 4) -> Frames:
    """Return the tables of archives whose lines the executors decode, into the types of `bankhook.tables`.

    Parameters
    ----------
    spark : SparkSession
        The session.
    paths : str or sequence of str
        Files with one event a line, folders and globs, wherever Spark can read: `s3a://`, `hdfs://`, local ones that all
        executors see. Plain ones, and what Spark can unpack, such as `.gz`.
    scale : int, optional
        Decimal places of amounts, 0 to 37. An event with an amount that needs more is rejected.

    Returns
    -------
    Frames
        Nothing is decoded before a DataFrame of it is used, and then again for each use, unless it is cached.

    Raises
    ------
    ValueError
        `scale` is out of range.
    pyspark.errors.AnalysisException
        A path leads to nothing.

    Examples
    --------
    >>> from bankhook.spark import read  # doctest: +SKIP
    >>> archive = read(spark, "s3a://archive/2026/")  # doctest: +SKIP
    >>> archive.select("connections", "id", "bank", "consentExpiresAt").write.parquet("connections/")  # doctest: +SKIP
    """
    _table(b"", "rejected", (), scale)
    text = spark.read.text(paths if isinstance(paths, str) else list(paths), lineSep="\n")
    lines = text.select(
        col("_metadata.file_path").alias(SOURCE),
        col("_metadata.file_block_start").alias(BLOCK),
        concat(col("value").cast("binary"), lit(b"\n")).alias(TEXT),
    )
    return Frames(lines, scale)


def _table(source: Any, name: str, columns: Sequence[str], scale: int) -> Table:
    found = getattr(bankhook.tables(source, scale=scale, batch_rows=ROWS), name, None)
    if name == "outcomes":
        raise ValueError("select: outcomes depend on the events before them, which no executor has all of: use `track`")
    if not isinstance(found, Table):
        raise ValueError(f"select: no such table: {name!r}")
    return found.select(*columns) if columns else found


def _field(field: pa.Field) -> pa.Field:
    """A column as Spark can have it: it has no unsigned integers, and no number of theirs is changed."""
    return pa.field(field.name, _type(field.type), nullable=field.nullable)


def _type(type: pa.DataType) -> pa.DataType:
    if pa.types.is_struct(type):
        return pa.struct([_field(type.field(index)) for index in range(type.num_fields)])
    if pa.types.is_list(type):
        return pa.list_(_field(type.value_field))
    return pa.decimal128(20, 0) if pa.types.is_uint64(type) else type


def _decoded(
    batches: Iterator[pa.RecordBatch], table: str, columns: Sequence[str], scale: int, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """The rows of one table that the lines of a partition have, block by block."""
    lines = Lines(batches)
    while (place := lines.next_block()) is not None:
        for batch in pa.RecordBatchReader.from_stream(_table(lines, table, columns, scale)):
            count = batch.num_rows
            keys = [pa.repeat(pa.scalar(place.source), count), pa.repeat(pa.scalar(place.block), count)]
            values = [batch.column(field.name).cast(field.type) for field in list(schema)[len(keys) :]]
            yield pa.RecordBatch.from_arrays([*keys, *values], schema=schema)
