# SPDX-License-Identifier: MIT
"""The tables that archives have wherever they are read: here, or by Spark."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

TableT = TypeVar("TableT")


class Kinds(ABC, Generic[TableT]):
    """A table for each kind of event, for what is nested in events, and for what is wrong with them."""

    __slots__ = ()

    @property
    def bank_connections_update_v2(self) -> TableT:
        """A row for each of these events; its customer and connections are nested."""
        return self._table("bank_connections_update_v2")

    @property
    def connections(self) -> TableT:
        """A row for each connection in an event: the one that triggered it, then those of the customer by `listIndex`."""
        return self._table("connections")

    @property
    def accounts(self) -> TableT:
        """A row for each account of these connections, with the `connectionId`."""
        return self._table("accounts")

    @property
    def initial_transaction_update(self) -> TableT:
        """A row for each of these events; its customer and transaction are nested."""
        return self._table("initial_transaction_update")

    @property
    def unknown_events(self) -> TableT:
        """A row for each event whose name the specification does not list, with its text."""
        return self._table("unknown_events")

    @property
    def rejected(self) -> TableT:
        """A row for each line that is in no other table: its place, the rule that it breaks first, its bytes."""
        return self._table("rejected")

    @property
    def findings(self) -> TableT:
        """A row for each finding of `diagnose` in a line, whichever table the line is in."""
        return self._table("findings")

    @abstractmethod
    def _table(self, name: str, /) -> TableT:
        """Return the table of this name."""
