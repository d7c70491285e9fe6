# SPDX-License-Identifier: MIT
"""What every inbox can do, wherever it is stored."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Collection, Sequence
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from bankhook._records.errors import BankhookError

if TYPE_CHECKING:
    from bankhook.handlers import Handlers
    from bankhook.inbox._records import Arrival, Case, DeadLetters, DeliveryState, Overdue, Query, StoredDelivery

__all__ = ["InUse", "Inbox", "InboxError", "TooLarge"]


class InboxError(BankhookError):
    """The store of an inbox cannot do what it was asked for: it cannot be reached, is full, or has another writer."""


class InUse(InboxError):
    """Another process handles the deliveries of this inbox already."""


class TooLarge(InboxError):
    """The store cannot take a delivery of this size. The others of the same call can be stored without it."""


@runtime_checkable
class Inbox(Protocol):
    """An append-only store of deliveries: nothing that was stored is changed but the state of its handling.

    Made by `bankhook.inbox.open(url)`; `async with` connects and closes it. Every method raises InboxError if the store
    cannot be reached or cannot write.
    """

    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *exception: object) -> None: ...

    async def append(self, arrivals: Sequence[Arrival], /) -> Sequence[int]:
        """Store deliveries and return their numbers.

        When it returns, all of them are durable. If it raises, none counts as stored, and it may be called again.
        """
        ...

    def find(
        self, query: Query | None = None, /, *, newest_first: bool = False, limit: int | None = None
    ) -> AsyncIterator[StoredDelivery]:
        """Iterate over stored deliveries, in the order of their numbers."""
        ...

    async def counts(self) -> dict[DeliveryState, int]:
        """Return how many deliveries are in each state."""
        ...

    async def state_of(self, member: str, /) -> bytes | None:
        """Return the snapshot of the tracker of a member, for `Tracker.restore`; None if nothing was handled for the member."""
        ...

    def deliveries(self) -> AsyncIterator[StoredDelivery]:
        """Iterate over deliveries that are pending, waiting for new ones: those of a member in order, at least once.

        A delivery is marked as handled when the next one is asked for. In a SQL database, one iterator or `run` at a time:
        InboxError if another process has it. On NATS any number of them share the deliveries.
        """
        ...

    async def run(self, handlers: Handlers, /, *, stop: asyncio.Event | None = None) -> None:
        """Call the handlers for what is pending, and for what comes, until `stop` is set (or for ever).

        InboxError only at the start: if the store fails later, that is logged, and handling goes on when it can.
        """
        ...

    async def drain(self, handlers: Handlers, /) -> int:
        """Call the handlers for what is pending now, and return how many deliveries were handled or parked.

        It waits for retries, so it ends when none of these deliveries is pending.
        """
        ...

    async def retry(self, numbers: Collection[int] | Query, /) -> int:
        """Make quarantined and parked deliveries pending again, or examine them again, and return how many became pending."""
        ...

    async def cases(
        self, *, kind: str | None = None, member: str | None = None, after: int = 0, limit: int | None = None
    ) -> Sequence[Case]:
        """Return the cases that are not settled, the oldest first; all of them, or `limit` with higher numbers than `after`."""
        ...

    async def settle(self, numbers: Collection[int], /) -> int:
        """Mark cases as settled, and return how many were open."""
        ...

    async def dead_letters(self) -> Sequence[DeadLetters]:
        """Return the quarantined deliveries by rule, the most frequent first."""
        ...

    async def open_since(
        self, age: datetime.timedelta, /, *, after: Overdue | None = None, limit: int | None = None
    ) -> Sequence[Overdue]:
        """Return the transactions that were first reported longer ago than this and are neither validated nor rejected.

        The oldest first; all of them, or `limit` of those that come after one.
        """
        ...
