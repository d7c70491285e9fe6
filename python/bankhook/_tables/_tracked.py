# SPDX-License-Identifier: MIT
"""The tables of a tracker: what it tracks, as its queries return it, a row each."""

from __future__ import annotations

from typing import final

from bankhook import _core
from bankhook._core import Tracker
from bankhook._records.display import pretty_text
from bankhook._tables._columns import Request
from bankhook._tables._table import Table, Types, listed


@final
class TrackedTables:
    """The tables of a `Tracker`, as `tables` returns them; their columns are the fields of what its queries return.

    Each consumer that takes a table gets the state at that time. Nothing is rounded: if an amount needs more decimal places
    than its column has, taking the table raises ValueError, and `scale` makes room.
    """

    __slots__ = ("_batch_rows", "_tracker", "_types")

    def __init__(self, tracker: Tracker, *, types: Types, batch_rows: int) -> None:
        self._tracker, self._types, self._batch_rows = tracker, types, batch_rows

    @property
    def members(self) -> Table:
        """A row for each `TrackedMember`."""
        return self._table("members")

    @property
    def connections(self) -> Table:
        """A row for each `TrackedConnection`; the connection and its accounts are nested."""
        return self._table("connections")

    @property
    def transactions(self) -> Table:
        """A row for each `TrackedTransaction`; the transaction and its customer are nested."""
        return self._table("transactions")

    def _table(self, name: str) -> Table:
        return Table(f"tracked_{name}", self._types, self._open)

    def _open(self, request: Request, requested_schema: object | None) -> object:
        return _core._table_stream(request, self._tracker, self._batch_rows, 1, requested_schema)

    def __repr__(self) -> str:
        return f"<bankhook.types.TrackedTables of {self._tracker!r}>"

    def __str__(self) -> str:
        return f"{self!r}\n{listed((self.members, self.connections, self.transactions))}"

    _repr_pretty_ = pretty_text


TrackedTables.__module__ = "bankhook.types"
