# SPDX-License-Identifier: MIT
"""An inbox on PostgreSQL with a spool: a file beside it that takes deliveries while the server does not answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import URL, Connection, insert, select, text

from bankhook.inbox._arguments import check_arrivals
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import Arrival
from bankhook.inbox._sql import queries
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.inbox import SqlInbox, log
from bankhook.inbox._sql.moving import PAGE, move
from bankhook.inbox._sql.tables import deliveries, unsure
from bankhook.inbox._sql.threads import Thread

ANSWER_SECONDS = 5.0  # after which a server does not answer
PAUSE = 1.0  # between attempts to reach it, and between looks for what another process has put into the spool


class _Attempt:
    """A transaction that stores deliveries: it is given up before its commit, or it is known which one it is."""

    def __init__(self) -> None:
        self._lock, self._is_over = threading.Lock(), False
        self._commit: int | None = None

    def begin_commit(self, commit: int) -> None:
        with self._lock:
            if self._is_over:
                raise InboxError("the server has answered too late")
            self._commit = commit

    def give_up(self) -> int | None:
        """Let it not commit; the number of the commit if it may be made nevertheless."""
        with self._lock:
            self._is_over = True
            return self._commit


class SpooledInbox(SqlInbox):
    """What is in the spool comes first: nothing is stored in the table before all of it was moved there."""

    def __init__(self, url: URL, spool: URL, **options: Any) -> None:
        super().__init__(url, **options)
        self.spool = Database(spool, create=True)
        self._is_prepared = False
        self._spooled: asyncio.Event
        self._gate: asyncio.Lock
        self._mover: asyncio.Task[None]
        self._moves: Thread
        self._stores: Thread

    async def append(self, arrivals: Sequence[Arrival], /) -> Sequence[int]:
        """Store deliveries in the table, or in the spool: then their numbers are negative, and others when they were moved."""
        check_arrivals(arrivals)
        self._check_open()
        if not arrivals:
            return ()
        async with self._gate:
            return await self._append(arrivals)

    async def _append(self, arrivals: Sequence[Arrival]) -> Sequence[int]:
        attempt = _Attempt()
        if self._is_prepared and not await self._in(self._writer, self._has_spooled):
            storing = asyncio.ensure_future(self._in(self._stores, lambda: self._store(attempt, arrivals)))
            done, _ = await asyncio.wait([storing], timeout=ANSWER_SECONDS)
            if not done:
                self._stores = Thread("bankhook-inbox-table")
            elif storing.exception() is None:
                self._news.set()
                return storing.result()
            elif not isinstance(storing.exception(), InboxError):
                storing.result()
        commit = attempt.give_up()
        numbers = await self._in(self._writer, lambda: self._keep(commit, arrivals))
        self._spooled.set()
        return [-number for number in numbers]

    async def _connect(self) -> None:
        await self._in(self._writer, self.spool.open)
        self._is_prepared = False
        self._moves, self._stores = Thread("bankhook-inbox-mover"), Thread("bankhook-inbox-table")
        self._spooled, self._gate, tried = asyncio.Event(), asyncio.Lock(), asyncio.Event()
        self._mover = asyncio.create_task(self._move(tried), name="bankhook: move what is in the spool")
        with suppress(TimeoutError):
            await asyncio.wait_for(tried.wait(), ANSWER_SECONDS)

    async def _close(self) -> None:
        if hasattr(self, "_mover"):
            self._mover.cancel()
            ended = asyncio.ensure_future(self._in(self._moves, lambda: None))
            await asyncio.wait([ended], timeout=ANSWER_SECONDS)  # a server that does not answer is not waited for
            self._moves.shutdown()
            self._stores.shutdown()
        await super()._close()
        self.spool.close()

    async def _move(self, tried: asyncio.Event) -> None:
        is_away = False
        while True:
            self._spooled.clear()
            try:
                if moved := await self._in(self._moves, self._move_some):
                    self._news.set()
                if 0 < moved < PAGE:  # nothing is added to the rest, so that the spool becomes empty
                    async with self._gate:
                        rest = asyncio.ensure_future(self._in(self._moves, self._move_some))
                        await asyncio.wait([rest], timeout=ANSWER_SECONDS)
                    await rest
                is_away = False
            except Exception as error:  # the text of an InboxError has no personal value, that of another error may have
                if not is_away:
                    why = str(error) if isinstance(error, InboxError) else type(error).__name__
                    log.warning("%s; deliveries are stored in the spool, and moved when it answers", why)
                is_away, moved = True, 0
            tried.set()
            if not moved:
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.Event().wait() if is_away else self._spooled.wait(), PAUSE)

    def _move_some(self) -> int:
        if not self._is_prepared:
            self.database.open()
            self._is_prepared = True
        return move(self.spool, self.database)

    def _has_spooled(self) -> bool:
        with self.spool.read("cannot read the spool") as connection:
            return connection.scalar(select(deliveries.c.number).limit(1)) is not None

    def _store(self, attempt: _Attempt, arrivals: Sequence[Arrival]) -> Sequence[int]:
        with self.database.write("cannot store deliveries") as connection:
            numbers = queries.append(connection, arrivals)
            attempt.begin_commit(_transaction(connection))
        return numbers

    def _keep(self, commit: int | None, arrivals: Sequence[Arrival]) -> Sequence[int]:
        with self.spool.write("cannot store deliveries") as connection:
            numbers = queries.append(connection, arrivals)
            if commit is not None:
                connection.execute(insert(unsure).values(first=numbers[0], last=numbers[-1], commit=commit))
        return numbers


def _transaction(connection: Connection) -> int:
    number: int = connection.scalars(text("SELECT txid_current()")).one()
    return number
