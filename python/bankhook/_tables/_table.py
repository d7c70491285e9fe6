# SPDX-License-Identifier: MIT
"""One table, as consumers of Arrow see it: its schema, and a stream of its rows for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, TypeAlias, final

from bankhook import _core
from bankhook._records.display import pretty_text
from bankhook._tables._columns import Keep, Request, columns_of, in_lines

Types: TypeAlias = tuple[int, bool, Keep]
"""What can be chosen of columns: decimal places of amounts, whether times count nanoseconds, and what is kept of envelopes."""
Open: TypeAlias = Callable[[Request, object | None], object]
"""Makes the capsule of a stream, for a consumer that requests this schema, or any."""


@final
class Table:
    """One table of archives or of a tracker, which stores no rows: they are made again for each consumer of its stream.

    `to_polars()`, `to_pandas()` and `to_arrow()` read all of it. It has the methods of Arrow's PyCapsule interface, too, so that
    DuckDB's `FROM table` and other libraries read it, batch by batch. `print(table)` lists its columns with their types.
    """

    __slots__ = ("_columns", "_name", "_open", "_types")

    def __init__(self, name: str, types: Types, open: Open, columns: tuple[str, ...] = ()) -> None:
        self._name, self._types, self._open, self._columns = name, types, open, columns

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
            The same rows, made again for each consumer.

        Raises
        ------
        ValueError
            If the table has no such column, or none is given.

        Examples
        --------
        >>> import bankhook
        >>> archive = bankhook.tables(b'{"event":"a"}')
        >>> archive.unknown_events.select("line", "event")
        <bankhook.types.Table unknown_events: line, event>
        """
        if not columns:
            raise ValueError("select: expected the name of a column or more")
        table = Table(self._name, self._types, self._open, columns)
        table.__arrow_c_schema__()
        return table

    def to_arrow(self) -> Any:
        """Return all rows as a table of Arrow; needs pyarrow.

        Returns
        -------
        pyarrow.Table
            With the metadata of the columns, which name their sections of the specification.

        Examples
        --------
        >>> import bankhook
        >>> bankhook.tables(b'{"event":"a"}').unknown_events.to_arrow().num_rows
        1
        """
        pyarrow: Any = import_module("pyarrow")  # which has no types
        return pyarrow.table(self)

    def to_polars(self) -> Any:
        """Return all rows as a data frame of polars.

        Returns
        -------
        polars.DataFrame
            Nested objects are structs.

        Examples
        --------
        >>> import bankhook
        >>> bankhook.tables(b'{"event":"a"}').unknown_events.to_polars()["event"].to_list()
        ['a']
        """
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> Any:
        """Return all rows as a data frame of pandas; needs pyarrow, too.

        Returns
        -------
        pandas.DataFrame
            A nested object is a dict in each row.

        Examples
        --------
        >>> import bankhook
        >>> list(bankhook.tables(b'{"event":"a"}').unknown_events.to_pandas()["event"])
        ['a']
        """
        return self.to_arrow().to_pandas()

    def __arrow_c_schema__(self) -> object:
        """Return a capsule with the ArrowSchema."""
        return _core._table_schema(self._request())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with an ArrowArrayStream: an archive is read from its start, a tracker has its state of now.

        The values have the types of the table's own schema, whatever types `requested_schema` has.

        Raises
        ------
        ValueError
            If `requested_schema` has other columns than the table, a source that can be read only once was read, or a column
            cannot hold a value of a tracker.
        """
        return self._open(self._request(), requested_schema)

    def _request(self) -> Request:
        return self._name, self._columns, *self._types

    def __repr__(self) -> str:
        return f"<bankhook.types.Table {self._name}: {', '.join(self._columns or self._names())}>"

    def __str__(self) -> str:
        return f"{self._name}\n{in_lines(columns_of(self._request()))}"

    _repr_pretty_ = pretty_text

    def _names(self) -> list[str]:
        """Return the names of the columns, without the fields within them."""
        kept = [name for name, _ in self._types[-1]]
        paths = [column.path for column in columns_of(self._request())]
        return [path for path in paths if "." not in path or path in kept]


def listed(tables: Iterable[Table]) -> str:
    """Return a line for each table: the property that has it, and its columns."""
    return "\n".join(f"  {table.name.removeprefix('tracked_')}: {', '.join(table._names())}" for table in tables)


Table.__module__ = "bankhook.types"
