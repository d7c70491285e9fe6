# SPDX-License-Identifier: MIT
"""What every inbox can do for the people who look after it: what needs them, what they decide, and what is deleted."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from typing import Protocol

from bankhook._handlers import Handlers
from bankhook.inbox._records import Case, DeadLetters, Overdue, Query, Reprocessed


class Upkeep(Protocol):
    """The part of `Inbox` that people use."""

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

    async def forget(self, member: str, /) -> int:
        """Delete all that is stored of a member: deliveries in any state, what is tracked, cases, and keys of effects.

        What handlers wrote stays, and deliveries in which the member could not be read. If a delivery of the member comes
        later, it is that of a new one, and effects happen for it. `run` begins again with what is stored; a `drain` that runs
        meanwhile raises InboxError.

        Parameters
        ----------
        member : str
            The id that the service assigned.

        Returns
        -------
        int
            How many deliveries were deleted.

        Examples
        --------
        >>> import asyncio, bankhook.inbox
        >>> async def forget(path, member):
        ...     async with bankhook.inbox.open(path) as inbox:
        ...         return await inbox.forget(member)
        >>> asyncio.run(forget(tmp_path / "events.db", "member-0001"))
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
