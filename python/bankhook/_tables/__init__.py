# SPDX-License-Identifier: MIT
"""Archives as tables: Arrow columns of fixed types, which pandas, polars, pyarrow and DuckDB take as they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, final, get_args, overload

from bankhook import _core
from bankhook._archive._source import Container
from bankhook._core import Tracker
from bankhook._records.display import pretty_text
from bankhook._records.errors import check_type, check_whole, suggest_keywords
from bankhook._records.lines import Encoding, Format, Source
from bankhook._tables._columns import Request
from bankhook._tables._kinds import Kinds
from bankhook._tables._sources import Input, LateSources, Progress, bar_of, checked_keep, inputs_of
from bankhook._tables._table import Table, Types, listed
from bankhook._tables._tracked import TrackedTables

if TYPE_CHECKING:
    from bankhook._tables._inbox import Stored
else:
    Stored = Any  # its module takes a while to load

__all__ = ["Table", "TableSource", "Tables", "TimeUnit", "TrackedTables", "tables"]

TableSource: TypeAlias = Source | Stored | Iterable[Source | Stored]
"""A source as `parse_lines` takes it, a directory, a glob, an open inbox, or several of these."""
TimeUnit: TypeAlias = Literal["us", "ns"]
Kept: TypeAlias = tuple[str, ...] | list[str] | Mapping[str, type[str] | type[datetime]]

_MAX_SCALE = 37


class Options(NamedTuple):
    """How archives are read, and the types of columns."""

    types: Types
    batch_rows: int
    threads: int
    container: Container


@final
class Tables(Kinds[Table]):
    """The tables of one or more archives, as `tables` returns them.

    Each line that is not blank is one row of `bank_connections_update_v2`, `initial_transaction_update`, `unknown_events` or
    `rejected`. All rows of all tables begin with the keys `source`, the index in `sources`, `line` and `eventIndex`.
    """

    __slots__ = ("_bar", "_inputs", "_options")

    def __init__(self, inputs: tuple[Input, ...], options: Options, bar: Callable[[], Progress] | None = None) -> None:
        self._inputs, self._options, self._bar = inputs, options, bar

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources that were found, in the order in which they are read."""
        return tuple(one.name for one in self._inputs)

    @property
    def outcomes(self) -> Table:
        """A row for each event: what it means to a `Tracker` that has the events before it, of all sources.

        One thread makes these rows. The events are those of `parse`: also one with a value that a column cannot hold.
        """
        return self._table("outcomes")

    def _table(self, name: str) -> Table:
        return Table(name, self._options.types, self._open)

    def _open(self, request: Request, requested_schema: object | None) -> object:
        of = self._options
        sources = LateSources(self._inputs, self._bar, of.container)
        return _core._table_stream(request, sources, of.batch_rows, of.threads, requested_schema)

    def __repr__(self) -> str:
        return f"<bankhook.types.Tables of {len(self._inputs)} source{'' if len(self._inputs) == 1 else 's'}>"

    def __str__(self) -> str:
        return f"{self!r}\n{listed(map(self._table, _core._table_names))}"

    _repr_pretty_ = pretty_text


@overload
def tables(  # type: ignore[overload-overlap] # pyright: ignore[reportOverlappingOverload] -- it iterates over ids
    source: Tracker, *, scale: int = 4, unit: TimeUnit = "us", batch_rows: int = 1 << 16
) -> TrackedTables: ...
@overload
def tables(
    source: TableSource,
    *,
    scale: int = 4,
    unit: TimeUnit = "us",
    batch_rows: int = 1 << 16,
    threads: int = 1,
    progress: bool = False,
    at: str | None = None,
    encoding: Encoding | None = None,
    format: Format | None = None,
    keep: Kept = (),
) -> Tables: ...
@suggest_keywords
def tables(
    source: TableSource | Tracker,
    *,
    scale: int = 4,
    unit: TimeUnit = "us",
    batch_rows: int = 1 << 16,
    threads: int = 1,
    progress: bool = False,
    at: str | None = None,
    encoding: Encoding | None = None,
    format: Format | None = None,
    keep: Kept = (),
) -> Tables | TrackedTables:
    r"""Return the tables of archives (events, findings and outcomes), or those of a tracker's state.

    Only the start of a source is looked at before a consumer takes a table, and then only the columns of that table are
    built, a batch at a time and without the interpreter's lock. The types are those of the specification and never guessed:
    amounts are decimal128, dates date32, enumerations text with unknown values kept, and null stands for null and for an
    absent field, as the specification allows only one of them per field. A `Timestamp` is in one of two columns: `date` has
    those with an offset, in UTC, and `dateLocal` those without. Nothing is rounded: an event with a value that a column
    cannot hold is rejected.

    Parameters
    ----------
    source
        A source as `parse_lines` takes it; a glob (`2026-*.ndjson.gz`, with `**` for all folders below); a directory, whose
        archives are read in the order of their names, those of its folders too; an open inbox, where the number of a delivery
        is its `line`; or several of these. In a directory, files whose names begin with "." or "_" are skipped, and one that
        is not named as an archive is a row of `rejected`.
        Or a `Tracker`: each consumer gets its state at that time.
    scale
        Decimal places of amounts, 0 to 37. An event with an amount that needs more is rejected.
    unit
        What columns of times count: "us" or "ns". A time with more fraction digits is rejected.
    batch_rows
        How many rows a batch has at most. It has fewer when its lines, and what their rows repeat of them (a kept text, the
        id of a connection), come to about 512 KiB, or 1 MiB with several threads. The next batch is made when the one before
        it was taken; each of several threads is up to 8 batches ahead.
    threads
        How many threads decode; 0 is one for each core. The rows and their order are the same, batches may be smaller.
    progress
        Show a bar on standard error, if that is a terminal and the work takes over a second; needs `bankhook[cli]`.
    at
        Where the events are in the lines of an archive of envelopes, as `parse_lines` takes it: `request.body`.
    encoding, format
        What else contains the events, as in `parse_lines`.
    keep
        Fields of the envelopes, by paths of names from the outermost object: `received_at`, `request.headers.host`. In every
        table each is a column of this name at the end of the rows: what a string contains, the text of any other value, null
        for null, without the field, and where the envelope cannot be read that far. A mapping says the types, too: with
        `{"received_at": datetime.datetime}` the column has instants in UTC, and an event beside which there is another text than
        a time with an offset is rejected. Beside an event in an array it may go through the same arrays: `Records[].messageId`.
        Of CSV, names of columns. Of the deliveries of an inbox: `received` and `retry_at` (ISO 8601, in UTC), `member`, `key`,
        `state`, `attempts` and `error`.

    Returns
    -------
    Tables or TrackedTables
        Of archives: a table for each kind of event, for connections, for accounts, for what was rejected, for findings and for
        outcomes. Of a tracker: one for members, for connections and for transactions.

    Raises
    ------
    TypeError
        If `source` is something else, or `keep` neither a tuple or list of str nor a mapping to str or datetime.datetime.
    ValueError
        If an option is out of range, or `keep` needs `at`, or names something that is a column already, also because it is
        given twice, or that a stored delivery has not.
    InboxError
        If an inbox is not open: `async with` opens it.
    OSError
        If a path or a glob leads to no file, or to something else than an archive, as `parse_lines` says. If a source fails
        while it is read, its rows up to there are in the tables, and the failure is a row of `rejected`.

    Examples
    --------
    >>> import bankhook
    >>> archive = bankhook.tables([b'{"event":"a"}\n[]', b'{"event":"b"}'])
    >>> archive.unknown_events.select("source", "line", "event").to_arrow().to_pylist()
    [{'source': 0, 'line': 1, 'event': 'a'}, {'source': 1, 'line': 1, 'event': 'b'}]
    >>> archive.rejected.select("line", "rule").to_arrow().to_pylist()
    [{'line': 2, 'rule': 'payload_is_json_object'}]
    >>> envelopes = b'{"received_at":"2026-05-03T10:00:00Z","body":{"event":"a"}}'
    >>> kept = bankhook.tables(envelopes, at="body", keep=("received_at",)).unknown_events
    >>> kept.select("line", "received_at").to_arrow().to_pylist()
    [{'line': 1, 'received_at': '2026-05-03T10:00:00Z'}]
    >>> import datetime
    >>> times = {"received_at": datetime.datetime}
    >>> dated = bankhook.tables(envelopes, at="body", keep=times).unknown_events.select("received_at")
    >>> dated.to_arrow().to_pylist()[0]["received_at"].isoformat()
    '2026-05-03T10:00:00+00:00'
    """
    check_whole("tables: scale", scale, 0, _MAX_SCALE)
    check_whole("tables: batch_rows", batch_rows, 1)
    check_whole("tables: threads", threads, 0)
    check_type("tables: progress", progress, bool)
    if unit not in get_args(TimeUnit):
        raise ValueError("tables: unit: expected 'us' or 'ns'")
    container = Container.of(at, encoding, format)
    batch_rows, threads = min(batch_rows, 1 << 31), min(threads, 1 << 10)
    if isinstance(source, Tracker):
        if any(container) or keep:
            raise ValueError("tables: at and keep are about lines of archives, which a tracker does not have")
        return TrackedTables(source, types=(scale, unit == "ns", ()), batch_rows=batch_rows)
    inputs = inputs_of(source, container)
    types = (scale, unit == "ns", checked_keep(keep, at, inputs))
    for name in _core._table_names if keep else ():  # raises if one of them has such a column
        _core._table_schema((name, (), *types))
    options = Options(types, batch_rows, threads or os.cpu_count() or 1, container)
    return Tables(inputs, options, partial(bar_of, inputs) if progress else None)


Tables.__module__ = "bankhook.types"
tables.__module__ = "bankhook"
