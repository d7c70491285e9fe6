# SPDX-License-Identifier: MIT
"""What every inbox can do, wherever it is stored."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Protocol, Self, runtime_checkable

from bankhook._handlers import Handlers
from bankhook._records.errors import BankhookError
from bankhook._records.stored import Delivery, DeliveryState
from bankhook._records.words import counted, listed
from bankhook.inbox._records import Case, DeadLetters, Overdue, Query, Reprocessed


class InboxError(BankhookError):
    """The store of an inbox cannot do what was asked: it cannot be reached, is full, or has another writer."""


class TooLarge(InboxError):
    """The store takes no delivery of this size; a receiver answers 413, and stores those that came with it."""


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
class DeliveryStore(Protocol):
    r"""All that a `Receiver` needs of a store: of one whose deliveries something else reads and handles, as of a topic.

    An `Inbox` is one. `async with` connects and closes it.

    Examples
    --------
    >>> import asyncio, bankhook.inbox
    >>> from bankhook.receiver import Receiver, anyone
    >>> class Lines:
    ...     async def __aenter__(self):
    ...         self.file = open(tmp_path / "deliveries.txt", "a")
    ...         return self
    ...     async def __aexit__(self, *exception):
    ...         self.file.close()
    ...     async def append(self, deliveries):
    ...         numbers = [self.file.write(f"{one.body!r}\n") for one in deliveries]
    ...         self.file.flush()  # durable needs more
    ...         return numbers
    ...     async def check(self):
    ...         await self.append([])
    >>> receiver = Receiver(Lines(), verify=anyone)
    >>> async def main():
    ...     async with Lines() as store:
    ...         await store.check()
    ...         return await store.append([bankhook.inbox.examine(b"hello")])
    >>> asyncio.run(main())
    [9]
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
            If nothing could be stored; TooLarge if that is because one of them is too large.
        """
        ...

    async def check(self) -> None:
        """Return if deliveries can be stored; `/readyz` of a receiver asks.

        Raises
        ------
        InboxError
            If nothing could be stored now.
        """
        ...


@runtime_checkable
class Inbox(DeliveryStore, Protocol):
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
        """Return if deliveries can be stored; an inbox of `open` writes one that it does not keep.

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

    async def retry(self, numbers: Collection[int] | Query, /, *, out_of_order: bool = False) -> int:
        """Make quarantined and parked deliveries pending again, or examine them again.

        Left alone are those of which a later delivery was handled: of the same transaction of the member, or, for one about a
        connection, about any connection of the member, since each lists all of them. They would be applied after newer news.

        Parameters
        ----------
        numbers : Collection[int] or Query
            Which deliveries.
        out_of_order : bool
            Whether to retry those, too.

        Returns
        -------
        int
            How many became pending.

        Raises
        ------
        OutOfOrder
            At the end, if some were left alone: it names them, and the later ones.
        """
        ...

    async def reprocess(self, handlers: Handlers, /, query: Query | None = None, *, name: str) -> Reprocessed:
        """Call handlers again for deliveries that were handled, as after a mistake in a handler.

        Those of a member are in the order in which they were handled, and each has the outcome that it had then: the state is
        built again from the deliveries of the member. What handlers write through `begin` is there once for each name and
        delivery: after a kill or an error, the same call goes on with the rest. What is tracked, states and cases stay as
        they are, and `run` may go on meanwhile. It stops and raises what a handler raises, `Retry` and `Park` included, with the
        delivery as a note.

        Parameters
        ----------
        handlers : Handlers
            What to call.
        query : Query, optional
            For which of the deliveries; else for all.
        name : str
            Of what is done, such as "points, mended".

        Returns
        -------
        Reprocessed
            For how many deliveries handlers were called, and how many members were skipped.

        Raises
        ------
        ValueError
            If the name is empty, or the query asks for other states than handled.

        Examples
        --------
        >>> import asyncio, bankhook, bankhook.inbox
        >>> handlers, mended = bankhook.Handlers(), bankhook.Handlers()
        >>> @mended.fallback
        ... def count(event):
        ...     print("again", event.event)
        >>> async def main():
        ...     async with bankhook.inbox.open(tmp_path / "events.db") as inbox:
        ...         await inbox.append([bankhook.inbox.examine(b'{"event":"new"}')])
        ...         await inbox.drain(handlers)
        ...         print([await inbox.reprocess(mended, name="mended") for _ in range(2)])
        >>> asyncio.run(main())
        again new
        [Reprocessed(called=1, skipped=0), Reprocessed(called=0, skipped=0)]
        """
        ...

    async def dismiss(self, numbers: Collection[int] | Query, /) -> int:
        """Take deliveries from those that need a person: what can never be read, or will never be handled.

        They stay, as dismissed, until `purge`; `retry` takes one that is given by its number, or by that state.

        Parameters
        ----------
        numbers : Collection[int] or Query
            Which of the quarantined and parked deliveries.

        Returns
        -------
        int
            How many are dismissed now.

        Examples
        --------
        >>> import asyncio, bankhook.inbox
        >>> from bankhook.inbox import examine
        >>> async def store_and_dismiss(path):
        ...     async with bankhook.inbox.open(path) as inbox:
        ...         return await inbox.dismiss(await inbox.append([examine(b"hello")]))
        >>> asyncio.run(store_and_dismiss(tmp_path / "events.db"))
        1
        """
        ...

    async def forget(self, member: str | None = None, /, *, external_id: str | None = None, several: bool = False) -> int:
        """Delete all that is stored of a member: deliveries in any state, what is tracked, cases, and keys of effects.

        What handlers wrote stays, and deliveries in which the member could not be read. If a delivery of the member comes
        later, it is that of a new one, and effects happen for it. `run` begins again with what is stored; a `drain` that runs
        meanwhile raises InboxError.

        Parameters
        ----------
        member : str
            The id that the service assigned.
        external_id : str
            Instead: the member's id in your systems. All deliveries are read for it, and each member is meant that one of them
            names with it. How many cannot be read is logged: nobody knows whose they are, so they stay.
        several : bool
            Whether more than one member may be meant.

        Returns
        -------
        int
            How many deliveries were deleted.

        Raises
        ------
        InboxError
            If several members have this external id, and `several` is not set: it says how many, and nothing is deleted.
        TypeError
            Unless there is one of the two ids, as a text.

        Examples
        --------
        >>> import asyncio, bankhook.inbox
        >>> async def forget(path):
        ...     async with bankhook.inbox.open(path) as inbox:
        ...         return await inbox.forget("member-0001") + await inbox.forget(external_id="cust-1")
        >>> asyncio.run(forget(tmp_path / "events.db"))
        0
        """
        ...

    async def purge(self, *, before: datetime.datetime) -> int:
        """Delete deliveries that were handled or dismissed, and cases that were settled, if they were received before a time.

        What is tracked stays, and so do keys of effects: what was done is not done again. Deliveries stay that are pending,
        quarantined or parked, and those of which a case is open. A transaction whose first delivery is purged is not overdue any
        more, and no case ID_OF_ANOTHER_MEMBER is raised of it.

        Parameters
        ----------
        before : datetime
            Aware; those that were received earlier.

        Returns
        -------
        int
            How many deliveries were deleted.

        Examples
        --------
        >>> import asyncio, datetime, bankhook.inbox
        >>> async def keep_a_year(path):
        ...     year_ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=365)
        ...     async with bankhook.inbox.open(path) as inbox:
        ...         return await inbox.purge(before=year_ago)
        >>> asyncio.run(keep_a_year(tmp_path / "events.db"))
        0
        """
        ...

    async def cases(
        self, *, kind: str | None = None, member: str | None = None, after: int = 0, limit: int | None = None
    ) -> Sequence[Case]:
        """Return the cases that are not settled, the oldest first.

        Parameters
        ----------
        kind : CaseKind or str, optional
            Of this kind only.
        member : str, optional
            Of this member only.
        after : int
            Those with higher numbers, for pages.
        limit : int, optional
            The number of cases at most.

        Returns
        -------
        Sequence[Case]
            Each with what it is about.
        """
        ...

    async def settle(self, numbers: Collection[int], /) -> int:
        """Mark cases as settled.

        Parameters
        ----------
        numbers : Collection[int]
            The numbers of the cases.

        Returns
        -------
        int
            How many were open.
        """
        ...

    async def dead_letters(self) -> Sequence[DeadLetters]:
        """Return the quarantined deliveries by rule, the most frequent first.

        Returns
        -------
        Sequence[DeadLetters]
            Each with the number of deliveries.
        """
        ...

    async def open_since(
        self, age: datetime.timedelta, /, *, after: Overdue | None = None, limit: int | None = None
    ) -> Sequence[Overdue]:
        """Return the transactions that were first reported longer ago than this and are neither validated nor rejected.

        The oldest first; all of them, or `limit` of those that come after one.

        Parameters
        ----------
        age : datetime.timedelta
            How long ago at least.
        after : Overdue, optional
            Those that come after this one, for pages.
        limit : int, optional
            The number of transactions at most.

        Returns
        -------
        Sequence[Overdue]
            The oldest first.
        """
        ...
