# SPDX-License-Identifier: MIT
"""Archives as tables: Arrow columns of fixed types, which pandas, polars, pyarrow and DuckDB take as they are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias, final, get_args

from bankhook import _core
from bankhook._records.lines import Source
from bankhook.columns._sources import Input, LateBar, LateSources, Progress, inputs_of

if TYPE_CHECKING:
    from bankhook.columns._inbox import Stored

__all__ = ["Table", "TableSource", "Tables", "TimeUnit", "tables"]

TableSource: TypeAlias = "Source | Stored | Iterable[Source | Stored]"
"""A source as `parse_lines` takes it, a directory, a glob, an open inbox of a SQL database, or several of these."""
TimeUnit: TypeAlias = Literal["us", "ns"]

_MAX_SCALE = 37


@final
class Table:
    """One table of archives, without its rows: each consumer that takes its stream reads the archives again.

    It has the methods of Arrow's PyCapsule interface, so that `polars.DataFrame(table)`, `pyarrow.table(table)`,
    `pandas.DataFrame.from_arrow(table)` and DuckDB's `FROM table` read it, batch by batch.
    """

    __slots__ = ("_columns", "_name", "_tables")

    def __init__(self, tables: Tables, name: str, columns: tuple[str, ...]) -> None:
        self._tables, self._name, self._columns = tables, name, columns

    @property
    def name(self) -> str:
        """The name of the table."""
        return self._name

    def select(self, *columns: str) -> Table:
        """Return the table with these columns only, in the table's order; the others are not built.

        Parameters
        ----------
        columns
            Names of columns, or paths to fields within them: "initialTransaction.amount".

        Returns
        -------
        Table
            The same archives, read again for each consumer.

        Raises
        ------
        ValueError
            If the table has no such column, or none is given.

        Examples
        --------
        >>> import bankhook
        >>> archive = bankhook.tables(b'{"event":"a"}')
        >>> archive.unknown_events.select("line", "event")
        <bankhook.Table unknown_events: line, event>
        """
        if not columns:
            raise ValueError("select: expected the name of a column or more")
        table = Table(self._tables, self._name, columns)
        table.__arrow_c_schema__()
        return table

    def __arrow_c_schema__(self) -> object:
        """Return a capsule with the ArrowSchema."""
        return _core._table_schema(*self._request())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with an ArrowArrayStream that reads the archives from their start.

        The values have the types of the table's own schema, whatever types `requested_schema` has.

        Raises
        ------
        ValueError
            If `requested_schema` has other columns than the table, or a source that can be read only once was read.
        """
        tables = self._tables
        sources = LateSources(tables._inputs, tables._bar)
        return _core._table_stream(self._request(), sources, tables._batch_rows, tables._threads, requested_schema)

    def _request(self) -> tuple[str, tuple[str, ...], int, bool]:
        return self._name, self._columns, self._tables._scale, self._tables._unit == "ns"

    def __repr__(self) -> str:
        columns = f": {', '.join(self._columns)}" if self._columns else ""
        return f"<bankhook.Table {self._name}{columns}>"


@final
class Tables:
    """The tables of one or more archives, as `tables` returns them.

    Each line that is not blank is one row of `bank_connections_update_v2`, `initial_transaction_update`, `unknown_events` or
    `rejected`. All rows of all tables begin with the keys `source`, the index in `sources`, `line` and `eventIndex`.
    """

    __slots__ = ("_bar", "_batch_rows", "_inputs", "_scale", "_threads", "_unit")

    def __init__(
        self,
        inputs: tuple[Input, ...],
        *,
        scale: int,
        unit: TimeUnit,
        batch_rows: int,
        threads: int,
        bar: Progress | None = None,
    ) -> None:
        self._inputs, self._scale, self._batch_rows = inputs, scale, batch_rows
        self._unit: TimeUnit = unit
        self._threads, self._bar = threads, bar

    def _with(self, inputs: tuple[Input, ...], bar: Progress | None) -> Tables:
        return Tables(
            inputs, scale=self._scale, unit=self._unit, batch_rows=self._batch_rows, threads=self._threads, bar=bar
        )

    def _reporting(self, bar: Progress) -> Tables:
        """Return the tables, which report to this bar what they read."""
        return self._with(self._inputs, bar)

    def _each(self) -> Iterator[Tables]:
        """Yield the tables of each source."""
        for one in self._inputs:
            yield self._with((one,), self._bar)

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources that were found, in the order in which they are read."""
        return tuple(one.name for one in self._inputs)

    @property
    def bank_connections_update_v2(self) -> Table:
        """A row for each of these events; its customer and connections are nested."""
        return self._table("bank_connections_update_v2")

    @property
    def connections(self) -> Table:
        """A row for each connection in an event: the one that triggered it, then those of the customer by `listIndex`."""
        return self._table("connections")

    @property
    def accounts(self) -> Table:
        """A row for each account of these connections, with the `connectionId`."""
        return self._table("accounts")

    @property
    def initial_transaction_update(self) -> Table:
        """A row for each of these events; its customer and transaction are nested."""
        return self._table("initial_transaction_update")

    @property
    def unknown_events(self) -> Table:
        """A row for each event whose name the specification does not list, with its text."""
        return self._table("unknown_events")

    @property
    def rejected(self) -> Table:
        """A row for each line that is in no other table: its place, the rule that it breaks first, its bytes."""
        return self._table("rejected")

    def _table(self, name: str) -> Table:
        return Table(self, name, ())

    def __repr__(self) -> str:
        return f"<bankhook.Tables of {len(self._inputs)} source{'' if len(self._inputs) == 1 else 's'}>"


def tables(
    source: TableSource,
    *,
    scale: int = 4,
    unit: TimeUnit = "us",
    batch_rows: int = 1 << 16,
    threads: int = 1,
    progress: bool = False,
) -> Tables:
    r"""Return the tables of one or more archives: events, connections, accounts, and what was rejected.

    Nothing is read before a consumer takes a table, and then only the columns of that table are built, a batch at a time and
    without the interpreter's lock. The types are those of the specification and never guessed: amounts are decimal128, dates
    date32, enumerations text with unknown values kept, and null stands for null and for an absent field, as the specification
    allows only one of them per field. A `Timestamp` is in one of two columns: `date` has those with an offset, in UTC, and
    `dateLocal` those without. Nothing is rounded: an event with a value that a column cannot hold is rejected.

    Parameters
    ----------
    source
        A source as `parse_lines` takes it; a glob (`2026-*.ndjson.gz`, with `**` for all folders below); a directory, whose
        archives are read in the order of their names, those of its folders too; an open inbox of a SQL database, where the
        number of a delivery is its `line`; or several of these. In a directory, files
        whose names begin with "." or "_" are skipped, and one that is not named as an archive is a row of `rejected`.
    scale
        Decimal places of amounts, 0 to 37. An event with an amount that needs more is rejected.
    unit
        What columns of times count: "us" or "ns". A time with more fraction digits is rejected.
    batch_rows
        How many rows a batch has at most.
    threads
        How many threads decode; 0 is one for each core. The rows and their order are the same, batches may be smaller.
    progress
        Show a bar on standard error, if that is a terminal and the work takes over a second; needs `bankhook[cli]`.

    Returns
    -------
    Tables
        A table for each kind of event, for connections, for accounts and for what was rejected.

    Raises
    ------
    TypeError
        If `source` is something else.
    ValueError
        If an option is out of range.
    OSError
        If a path or a glob leads to no file. If a source fails while it is read, its rows up to there are in the tables, and
        the failure is a row of `rejected`.

    Examples
    --------
    >>> import bankhook
    >>> archive = bankhook.tables([b'{"event":"a"}\n[]', b'{"event":"b"}'])
    >>> import pyarrow
    >>> pyarrow.table(archive.unknown_events.select("source", "line", "event")).to_pylist()
    [{'source': 0, 'line': 1, 'event': 'a'}, {'source': 1, 'line': 1, 'event': 'b'}]
    >>> pyarrow.table(archive.rejected.select("line", "rule")).to_pylist()
    [{'line': 2, 'rule': 'payload_is_json_object'}]
    """
    if not 0 <= scale <= _MAX_SCALE:
        raise ValueError(f"tables: scale: expected 0 to {_MAX_SCALE}")
    if unit not in get_args(TimeUnit):
        raise ValueError("tables: unit: expected 'us' or 'ns'")
    if batch_rows < 1:
        raise ValueError("tables: batch_rows: expected 1 or more")
    if threads < 0:
        raise ValueError("tables: threads: expected 0 or more")
    inputs = tuple(inputs_of(source))
    count = threads or os.cpu_count() or 1
    bar = LateBar(inputs) if progress else None
    return Tables(inputs, scale=scale, unit=unit, batch_rows=batch_rows, threads=count, bar=bar)


Table.__module__ = Tables.__module__ = tables.__module__ = "bankhook"
