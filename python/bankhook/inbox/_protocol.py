# SPDX-License-Identifier: MIT
"""What every inbox can do, wherever it is stored."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol, Self, runtime_checkable

from bankhook._handlers import Handlers
from bankhook._records.errors import BankhookError
from bankhook._records.stored import Delivery, DeliveryState
from bankhook._records.words import counted, listed
from bankhook.inbox._records import Query
from bankhook.inbox._upkeep import Upkeep


class InboxError(BankhookError):
    """The store of an inbox cannot do what was asked: it cannot be reached, is full, or has another writer."""


class NeedsRestart(InboxError):
    """What the inbox was opened with is not there any more: nothing is stored or handled until the process is started again."""


class InUse(InboxError):
    """Something else in this process handles the deliveries of this inbox already, or, in SQLite, another process does."""


class OutOfOrder(InboxError):
    """Deliveries were not retried, since later ones about the same were handled; others that were asked for are pending.

    `later` has the numbers of those later ones by the number of the delivery, and `retried` how many are pending.
    """

    def __init__(self, later: Mapping[int, Sequence[int]], retried: int) -> None:
        """Take what was left, and how many were not."""
        super().__init__(later, retried)
        self.later, self.retried = later, retried

    def __str__(self) -> str:
        each = [f"{number} (later: {', '.join(map(str, found))})" for number, found in self.later.items()]
        left = counted(len(each), "delivery was", "deliveries were")
        return f"{left} not retried, because later ones about the same were handled: {listed(each)}"


@runtime_checkable
class Inbox(Upkeep, Protocol):
    """A store of deliveries: what was stored stays the same but for its state, until it is purged or forgotten.

    Made by `bankhook.inbox.open(url)`; `async with` connects and closes it. Every method raises InboxError if the store
    cannot be reached or cannot write.

    Examples
    --------
    >>> import asyncio, datetime, bankhook, bankhook.inbox
    >>> handlers = bankhook.Handlers()
    >>> @handlers.on(bankhook.UnknownEvent, event="new")
    ... def log(event):
    ...     print("handled", event.event)
    >>> async def main(stop):
    ...     async with bankhook.inbox.open(tmp_path / "events.db") as inbox:
    ...         await inbox.append([bankhook.inbox.examine(body) for body in (b'{"event":"new"}', b"{}")])
    ...         await inbox.drain(handlers)  # what is pending now; `run` goes on with what comes
    ...         await inbox.run(handlers, stop=stop)
    ...         await inbox.check()  # raises if nothing could be stored now
    ...         print([delivery.state.value async for delivery in inbox.find()], (await inbox.counts())["parked"])
    ...         print([letters.rule for letters in await inbox.dead_letters()], await inbox.retry([2]))
    ...         print(await inbox.cases(), await inbox.settle([1]), await inbox.open_since(datetime.timedelta(days=3)))
    ...         return await inbox.state_of("mem-1")
    >>> stop = asyncio.Event()
    >>> stop.set()
    >>> asyncio.run(main(stop))
    handled new
    ['handled', 'quarantined'] 0
    ['payload_fields_are_present'] 0
    [] 0 []
    """

    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *exception: object) -> None: ...

    async def append(self, deliveries: Sequence[Delivery], /) -> Sequence[int]:
        """Store deliveries and return their numbers.

        When it returns, all of them are durable. If it raises, none counts as stored, and it may be called again.

        Parameters
        ----------
        deliveries : Sequence[Delivery]
            What `examine` makes of bodies.

        Returns
        -------
        Sequence[int]
            The number of each, in their order.

        Raises
        ------
        InboxError
            If nothing could be stored.
        """
        ...

    def find(
        self, query: Query | None = None, /, *, newest_first: bool = False, limit: int | None = None
    ) -> AsyncIterator[Delivery]:
        """Iterate over stored deliveries, in the order of their numbers.

        Parameters
        ----------
        query : Query, optional
            Which deliveries; else all.
        newest_first : bool
            Whether to begin with the last one.
        limit : int, optional
            The number of deliveries at most.

        Returns
        -------
        AsyncIterator[Delivery]
            Each with its state and its bytes.
        """
        ...

    async def check(self) -> None:
        """Return if deliveries can be stored; an inbox of `open` writes one that it does not keep. `/readyz` of a receiver asks.

        Raises
        ------
        InboxError
            If nothing could be stored now.
        """
        await self.state_of("")

    async def counts(self) -> dict[DeliveryState, int]:
        """Return how many deliveries are in each state.

        Returns
        -------
        dict[DeliveryState, int]
            Each state, also with 0.
        """
        ...

    async def state_of(self, member: str, /) -> bytes | None:
        """Return what is tracked of a member: the snapshot of a `Tracker` of it alone, for `Tracker.restore`.

        Parameters
        ----------
        member : str
            The id that the service assigned.

        Returns
        -------
        bytes or None
            None if nothing was handled for the member.
        """
        ...

    async def run(
        self,
        handlers: Handlers,
        /,
        *,
        stop: asyncio.Event | None = None,
        concurrency: int = 1,
        timeout: float | datetime.timedelta | None = None,
    ) -> None:
        """Call the handlers for what is pending, and for what arrives, until `stop` is set (or forever).

        On PostgreSQL any number of processes may do so at a time: each handles what no other one has claimed, and those of a
        member in order, whoever works. InboxError only at the start: if the store fails later, that is logged, and handling
        goes on when it can.

        Parameters
        ----------
        handlers : Handlers
            What to call.
        stop : asyncio.Event, optional
            Ends the run after the deliveries at hand.
        concurrency : int
            For how many deliveries handlers are called at a time: those of a member one after another, members beside each
            other. Sync handlers run in as many threads, async ones in the event loop. On PostgreSQL, each that calls `begin`
            has a connection: InboxError if `max_connections` is too small for `concurrency`, and five more.
        timeout : float or datetime.timedelta, optional
            The seconds that a call of a handler may take, without what it waits for its turn in `begin`. Then an async one is
            cancelled; what a sync one wrote is rolled back, and it goes on in its thread, which does nothing else until it
            returns, as nothing else of the member is handled. Either way an attempt has failed, with TimeoutError.

        Raises
        ------
        InboxError
            Only at the start.
        """
        ...

    async def drain(self, handlers: Handlers, /, *, concurrency: int = 1) -> int:
        """Call the handlers for what is pending now.

        It waits for retries, also those of `Retry`, and for other processes, so it ends when none of these deliveries is pending.

        Parameters
        ----------
        handlers : Handlers
            What to call.
        concurrency : int
            For how many deliveries handlers are called at a time, as for `run`.

        Returns
        -------
        int
            How many deliveries were handled or parked by this call.
        """
        ...
