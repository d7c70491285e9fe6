# SPDX-License-Identifier: MIT
"""The inbox in a SQL database: every statement runs in a thread, so that the event loop goes on."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, Self, TypeVar

from sqlalchemy import URL

from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import Arrival, Case, DeadLetters, DeliveryState, Overdue, Query, StoredDelivery
from bankhook.inbox._sql import queries
from bankhook.inbox._sql.database import Database

__all__ = ["SqlInbox"]

P = ParamSpec("P")
T = TypeVar("T")


class SqlInbox:
    """Deliveries in tables of SQLite or PostgreSQL; `bankhook.inbox.open` makes it."""

    def __init__(self, url: URL, *, attempts: int, backoff: datetime.timedelta) -> None:
        self._database = Database(url)
        self._attempts, self._backoff = attempts, backoff
        # Deliveries are stored in a thread of their own: they never wait for someone who reads.
        self._writer = ThreadPoolExecutor(1, "bankhook-inbox-writer")
        self._readers = ThreadPoolExecutor(2, "bankhook-inbox-reader")
        self._is_open = False

    async def __aenter__(self) -> Self:
        """Connect; make the tables or bring them up to date."""
        try:
            await self._in(self._writer, self._database.open)
        except BaseException:
            await self._close()
            raise
        self._is_open = True
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Close all connections."""
        await self._close()

    async def _close(self) -> None:
        self._is_open = False
        for threads in (self._writer, self._readers):
            await asyncio.to_thread(threads.shutdown)
        self._database.close()

    async def append(self, arrivals: Sequence[Arrival], /) -> Sequence[int]:
        """Store deliveries in one transaction and return their numbers."""
        return await self._write("cannot store deliveries", queries.append, arrivals) if arrivals else ()

    async def find(
        self, query: Query | None = None, /, *, newest_first: bool = False, limit: int | None = None
    ) -> AsyncIterator[StoredDelivery]:
        """Iterate over stored deliveries; each page of them is a transaction."""
        after: int | None = None
        while limit is None or limit > 0:
            most = queries.PAGE if limit is None else min(limit, queries.PAGE)
            page = await self._read(queries.page, query, after=after, newest_first=newest_first, limit=most)
            for delivery in page:
                yield delivery
            if len(page) < most:
                return
            after = page[-1].number
            limit = None if limit is None else limit - most

    async def counts(self) -> dict[DeliveryState, int]:
        """Return how many deliveries are in each state."""
        return await self._read(queries.counts)

    async def state_of(self, member: str, /) -> bytes | None:
        """Return the snapshot of the tracker of a member."""
        return await self._read(queries.state_of, member)

    async def retry(self, numbers: Collection[int] | Query, /) -> int:
        """Make deliveries pending again, in one transaction."""
        return await self._write("cannot retry deliveries", queries.retry, numbers, _now())

    async def cases(self, *, kind: str | None = None, member: str | None = None) -> Sequence[Case]:
        """Return the doubts that are not settled."""
        return await self._read(queries.open_cases, kind, member)

    async def settle(self, numbers: Collection[int], /) -> int:
        """Mark cases as settled."""
        return await self._write("cannot settle cases", queries.settle, numbers, _now())

    async def dead_letters(self) -> Sequence[DeadLetters]:
        """Return the quarantined deliveries by rule."""
        return await self._read(queries.dead_letters)

    async def open_since(self, age: datetime.timedelta, /) -> Sequence[Overdue]:
        """Return the transactions that have been open for longer than this."""
        return await self._read(queries.overdue, _now() - age)

    async def _write(self, doing: str, statements: Callable[..., T], /, *arguments: object) -> T:
        def run() -> T:
            with self._database.write(doing) as connection:
                return statements(connection, *arguments)

        return await self._in(self._writer, self._opened(run))

    async def _read(self, statements: Callable[..., T], /, *arguments: object, **named: object) -> T:
        def run() -> T:
            with self._database.read("cannot read the inbox") as connection:
                return statements(connection, *arguments, **named)

        return await self._in(self._readers, self._opened(run))

    def _opened(self, run: Callable[[], T]) -> Callable[[], T]:
        if not self._is_open:
            raise InboxError("the inbox is not open: use `async with`")
        return run

    async def _in(self, threads: ThreadPoolExecutor, run: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, run)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
