# SPDX-License-Identifier: MIT
"""The inbox in a SQL database: every statement runs in a thread, so that the event loop goes on."""

from __future__ import annotations

import asyncio
import contextvars
import datetime
import logging
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, aclosing, asynccontextmanager
from functools import partial
from typing import Any, Self, TypeVar

from sqlalchemy import URL, Connection

from bankhook._handlers import Handlers
from bankhook._records.errors import check_time, check_type, check_whole
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox import _arguments as arguments
from bankhook.inbox._external_ids import members_of
from bankhook.inbox._problems import Problem
from bankhook.inbox._protocol import Inbox, InboxError, InUse, NeedsRestart, OutOfOrder
from bankhook.inbox._records import Case, DeadLetters, Overdue, Query
from bankhook.inbox._retries import Retries, log
from bankhook.inbox._sql import queries, removal, reprocessing, retrying
from bankhook.inbox._sql.engine import Engine
from bankhook.inbox._sql.figures import Figures, Stored
from bankhook.inbox._sql.jobs import check_caller, is_called
from bankhook.inbox._sql.rows import PAGE, WITH_DELIVERIES, stored
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import states
from bankhook.inbox._sql.threads import Thread
from bankhook.inbox._sql.types import now
from bankhook.inbox._sql.waiting import POLL_SECONDS, Asked, mark, until, wait
from bankhook.inbox._sql.worker import Worker

ROOM = 1 << 20
T = TypeVar("T")


class SqlInbox(Inbox):
    """Deliveries in tables of SQLite or PostgreSQL; `bankhook.inbox.open` makes it."""

    _closing_seconds: float | None = None  # how long closing waits for what the database does not answer
    _threads: tuple[Thread, ...] = ()  # from opening to closing
    _is_open = False
    _marker: Asked | None = None  # once somebody has asked
    _room = 0  # bytes that could not be stored

    def __init__(self, url: URL, *, create: bool, turn: datetime.timedelta, **retries: Any) -> None:
        self.store = Store(url, create=create)
        self._retries, self._turn = Retries(**retries), arguments.checked_seconds("turn", turn)
        self._working: Worker | None = None
        self._watched = Figures()

    def __del__(self) -> None:
        if self._is_open:
            warnings.warn(f"{self!r} was not closed: use `async with`", ResourceWarning, source=self, stacklevel=2)

    def __repr__(self) -> str:
        return f"<inbox in {self.store.url.database!r}: {'open' if self._is_open else 'not open'}>"

    async def __aenter__(self) -> Self:
        """Connect; make the tables, if that was asked for."""
        if self._threads:
            raise InboxError("the inbox is open already")
        self._news = asyncio.Event()
        # Deliveries are stored in a thread of their own: they never wait for someone who reads, or checks.
        self._threads = self._writer, self._readers = Thread("bankhook-inbox-writer"), Thread("bankhook-inbox-reader", 2)
        self._marker = None
        try:
            await self._connect()
        except BaseException:
            await self.__aexit__()
            raise
        self._is_open = True
        return self

    async def __aexit__(self, *exception: object) -> None:
        """End what handles deliveries, and close all connections."""
        if self._working is not None and is_called(self.store.url):
            raise InboxError("a handler cannot close its own inbox")
        self._is_open = False
        begun, self._threads = self._threads, ()
        if self._working is not None:
            await self._working.aclose()
        for threads in begun:
            await asyncio.to_thread(threads.end, self._closing_seconds)
        self.store.close()

    async def _connect(self) -> None:
        check_caller(self.store.url)
        await self._in(self._writer, self.store.open)

    async def append(self, deliveries: Sequence[Delivery], /) -> Sequence[int]:
        """Store deliveries in one transaction and return their numbers."""
        new = arguments.checked_deliveries(deliveries)
        self._check_open(is_to_write=True)
        try:
            numbers = await self._append(new) if new else ()
        except InboxError:
            self._room = min(sum(len(one.body) for one in new), ROOM)
            raise
        self._room = 0
        self._news.set()
        return numbers

    async def _append(self, new: Sequence[Delivery]) -> Sequence[int]:
        return await self._in(self._writer, partial(self.store.append, new))

    async def check(self) -> None:
        """Write a marker; who asks meanwhile gets the same answer. It is as large as what could not be stored."""
        self._check_open(is_to_write=True)
        if self._marker is None:
            self._marker = Asked(self._mark)
            self._threads += (self._marker.thread,)
        await self._marker.answer()

    def _mark(self) -> None:
        mark(self.store, self._room)

    async def find(
        self, query: Query | None = None, /, *, newest_first: bool = False, limit: int | None = None
    ) -> AsyncIterator[Delivery]:
        """Iterate over stored deliveries; each page of them is a transaction."""
        asked, left, after = Query() if query is None else query, arguments.checked_limit(limit), None
        arguments.check_query(asked)
        check_type("newest_first", newest_first, bool)
        while left > 0:
            most = min(left, PAGE)
            page, after = await self._read(queries.page, asked, after=after, newest_first=newest_first, limit=most)
            for delivery in page:
                yield delivery
            left = 0 if after is None else left - len(page)

    async def _beside(self, asked: Sequence[Query], number: int) -> tuple[int | None, int | None]:
        return await self._read(queries.beside, asked, number)

    async def run(
        self,
        handlers: Handlers,
        /,
        *,
        stop: asyncio.Event | None = None,
        concurrency: int = 1,
        timeout: float | datetime.timedelta | None = None,
    ) -> None:
        """Call the handlers for what is pending and what comes; a store that fails after the start is tried again for ever."""
        check_type("stop", stop, asyncio.Event | None, "an asyncio.Event, which is set in the event loop")
        seconds = None if timeout is None else arguments.checked_seconds("timeout", timeout)
        async with self._worker(handlers, concurrency, timeout=seconds) as worker:
            is_last, problem = False, Problem(log, logging.WARNING, "handling goes on")
            while not is_last:
                if is_last := stop is not None and stop.is_set():
                    worker.stop.set()
                try:
                    self._news.clear()
                    looked_at, _ = await worker.call(worker.engine.handle_next)
                    problem.end()
                    if not looked_at:
                        retry_at = await worker.call(worker.engine.pending.earliest_retry)
                        await wait(until(retry_at), self._news, stop)
                except InboxError as error:
                    if not self._is_open or isinstance(error, NeedsRestart):
                        raise
                    problem.note(f"{error}; handling goes on when it can")
                    await wait(POLL_SECONDS, stop)

    async def drain(self, handlers: Handlers, /, *, concurrency: int = 1) -> int:
        """Call the handlers for what is pending now; wait for retries until each delivery is handled or parked."""
        ended = 0
        async with self._worker(handlers, concurrency, until_now=True) as worker:
            while True:
                looked_at, now_ended = await worker.call(worker.engine.handle_next)
                ended += now_ended
                if not looked_at:
                    if (retry_at := await worker.call(worker.engine.pending.earliest_retry)) is None:
                        return ended
                    await asyncio.sleep(until(retry_at))

    reprocess = reprocessing.reprocess

    @asynccontextmanager
    async def _worker(self, handlers: Handlers, concurrency: int, **named: Any) -> AsyncGenerator[Worker]:
        """The one worker of this inbox, which ends with the block or with the inbox."""
        check_type("handlers", handlers, Handlers)
        check_whole("concurrency", concurrency, 1)
        self._check_open()
        if self._working is not None:
            raise InUse("another task already handles the deliveries of this inbox")
        make = partial(Engine, handlers=handlers, retries=self._retries, turn=self._turn, concurrency=concurrency)
        self._working = Worker(self.store, partial(make, **named))
        try:
            async with aclosing(self._working) as worker:
                await worker.call(contextvars.copy_context().run, worker.start)  # handlers see the variables of this task
                yield worker
        finally:
            self._working = None

    @property
    def _is_handling(self) -> bool:
        """Whether `run` has begun: it has connected."""
        return hasattr(self._working, "engine")

    @property
    def _longest_call(self) -> tuple[float, float | None]:
        """The seconds for which the handler has run that was called first, and those that it may."""
        engine = getattr(self._working, "engine", None)
        return (0.0, None) if engine is None else (engine.longest, engine.timeout)

    def _check_files(self) -> None:
        """InboxError if only a new process can store something: its files are no longer those that were opened."""
        self.store.check()

    async def _figures(self) -> tuple[Stored, datetime.datetime | None]:
        return await self._read(self._watched.read)

    async def counts(self) -> dict[DeliveryState, int]:
        """Return how many deliveries are in each state."""
        return await self._read(queries.counts)

    async def state_of(self, member: str, /) -> bytes | None:
        """Return the snapshot of a member."""
        check_type("member", member, str)
        return await self._read(queries.state_of, member)

    async def retry(self, numbers: Collection[int] | Query, /, *, out_of_order: bool = False) -> int:
        """Make deliveries pending again, page by page; after an error, the same call goes on with the rest."""
        arguments.check_which(numbers)
        check_type("out_of_order", out_of_order, bool)
        count, later = 0, dict[int, Sequence[int]]()
        for which in retrying.pages(numbers, with_dismissed=True):
            after = 0
            while found := await self._read(stored, which, states.c.number > after, of=WITH_DELIVERIES, limit=PAGE):
                after = found[-1].number
                if changes := await self._in(self._readers, partial(retrying.changes, found, now())):
                    made, left = await self._write("cannot retry deliveries", retrying.make, changes, out_of_order)
                    count, later = count + made, later | left
                    self._news.set()
        if later:
            raise OutOfOrder(later, count)
        return count

    async def dismiss(self, numbers: Collection[int] | Query, /) -> int:
        """Take deliveries from those that need a person."""
        arguments.check_which(numbers)
        return await self._write("cannot dismiss deliveries", retrying.dismiss, numbers)

    async def forget(self, member: str | None = None, /, *, external_id: str | None = None, several: bool = False) -> int:
        """Delete all that is stored of a member, in one transaction."""
        arguments.check_whose(member, external_id)
        check_type("several", several, bool)
        members = [member] if external_id is None else await members_of(self, external_id, several=several)
        return sum([await self._write("cannot forget a member", removal.forget, one) for one in members])

    async def purge(self, *, before: datetime.datetime) -> int:
        """Delete old deliveries, page by page; after an error, the same call goes on with the rest."""
        check_time("before", before)
        count, after = await self._write("cannot purge deliveries", removal.purge, before, None)
        while after is not None:
            deleted, after = await self._write("cannot purge deliveries", removal.purge, before, after)
            count += deleted
        return count

    async def cases(
        self, *, kind: str | None = None, member: str | None = None, after: int = 0, limit: int | None = None
    ) -> Sequence[Case]:
        """Return the cases that are not settled."""
        arguments.check_kind(kind)
        check_type("member", member, str | None, "str")
        check_whole("after", after)
        return await self._read(queries.open_cases, kind, member, after=after, limit=arguments.checked_limit(limit))

    async def settle(self, numbers: Collection[int], /) -> int:
        """Mark cases as settled."""
        arguments.check_numbers(numbers)
        return await self._write("cannot settle cases", queries.settle, numbers, now())

    async def dead_letters(self) -> Sequence[DeadLetters]:
        """Return the quarantined deliveries by rule."""
        return await self._read(queries.dead_letters)

    async def open_since(
        self, age: datetime.timedelta, /, *, after: Overdue | None = None, limit: int | None = None
    ) -> Sequence[Overdue]:
        """Return the transactions that have been open for longer than this."""
        arguments.check_overdue(after)
        before, most = arguments.time_before(age, now()), arguments.checked_limit(limit)
        return await self._read(queries.overdue, before, after=after, limit=most)

    async def _write(self, doing: str, statements: Callable[..., T], /, *arguments: object) -> T:
        self._check_open(is_to_write=True)
        return await self._in(self._writer, partial(_within, self.store.write(doing), statements, *arguments))

    async def _read(self, statements: Callable[..., T], /, *arguments: object, **named: object) -> T:
        self._check_open()
        read = self.store.read("cannot read the inbox")
        return await self._in(self._readers, partial(_within, read, statements, *arguments, **named))

    def _check_open(self, *, is_to_write: bool = False) -> None:
        if not self._is_open:
            raise InboxError("the inbox is not open: use `async with`")
        if is_to_write:
            check_caller(self.store.url)

    async def _in(self, threads: Executor, run: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, run)


def _within(
    transaction: AbstractContextManager[Connection], statements: Callable[..., T], *arguments: Any, **named: Any
) -> T:
    with transaction as connection:
        return statements(connection, *arguments, **named)
