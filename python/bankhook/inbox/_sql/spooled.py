# SPDX-License-Identifier: MIT
"""An inbox on PostgreSQL with a spool: a file beside it that takes deliveries while the server does not answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import URL, insert, select

from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import Arrival
from bankhook.inbox._sql import queries
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.inbox import SqlInbox, log
from bankhook.inbox._sql.moving import PAGE, AnotherInbox, belong_to, belong_together, move
from bankhook.inbox._sql.tables import NOT_HANDLED, deliveries, unsure
from bankhook.inbox._sql.threads import Thread

ANSWER_SECONDS = 5.0  # after which a server does not answer
PAUSE = 1.0  # between attempts to reach it, and between looks for what another process has put into the spool


class _Attempt:
    """A transaction that stores deliveries: it is given up before its commit, or it is known which one it is."""

    def __init__(self) -> None:
        self._lock, self._is_over = threading.Lock(), False
        self._numbers: Sequence[int] = ()

    def begin_commit(self, numbers: Sequence[int]) -> None:
        with self._lock:
            if self._is_over:
                raise InboxError("the server has answered too late")
            self._numbers = numbers

    def give_up(self) -> Sequence[int]:
        """Let it not commit; the numbers that deliveries have in the table if it may be made nevertheless."""
        with self._lock:
            self._is_over = True
            return self._numbers


class SpooledInbox(SqlInbox):
    """What is in the spool comes first: nothing is stored in the table before all of it was moved there."""

    _closing_seconds = ANSWER_SECONDS

    def __init__(self, url: URL, spool: URL, **options: Any) -> None:
        super().__init__(url, **options)
        self.spool = Database(spool, create=True)
        self._moved = 0
        self._name: str | None = None
        """That of the inbox to which the spool belongs; it is known once the server has answered."""
        self._problem: Exception | None = None
        self._spooled: asyncio.Event
        self._gate: asyncio.Lock
        self._mover: asyncio.Task[None]
        self._moves: Thread
        self._stores: Thread
        self._keeps: Thread

    async def check(self) -> None:
        """Read the spool, which takes deliveries whether the server answers or not."""
        self._check_open()
        self._check_spool()
        await self._in(self._keeps, self._has_spooled)

    async def forget(self, member: str, /) -> int:
        """Delete all that is stored of a member. InboxError while deliveries are in the spool: they could be of the member."""
        self._check_open()
        if await self._in(self._keeps, self._has_spooled):
            raise InboxError("cannot forget a member: deliveries are in the spool")
        return await super().forget(member)

    async def _append(self, arrivals: Sequence[Arrival]) -> Sequence[int]:
        """Store in the table, or in the spool: then numbers are negative, and others when the deliveries were moved."""
        async with self._gate:
            self._check_spool()
            return await self._append_in_turn(arrivals)

    def _check_spool(self) -> None:
        if isinstance(self._problem, AnotherInbox):  # the server may have been away when this was opened
            raise AnotherInbox

    async def _append_in_turn(self, arrivals: Sequence[Arrival]) -> Sequence[int]:
        attempt = _Attempt()
        if self._name is not None and not await self._in(self._keeps, self._has_spooled):
            storing = asyncio.ensure_future(self._in(self._stores, lambda: self._store(attempt, arrivals)))
            # Not by `wait_for`: that of Python 3.11 may lose a cancellation.
            done, _ = await asyncio.wait([storing], timeout=ANSWER_SECONDS)
            if not done:
                self._stores.shutdown()
                self._stores = Thread("bankhook-inbox-table")
                storing.add_done_callback(lambda late: late.cancelled() or late.exception())  # it fails in time
            elif not isinstance(storing.exception(), InboxError):
                return storing.result()
        doubt = attempt.give_up()
        numbers = await self._in(self._keeps, lambda: self._keep(doubt, arrivals))
        self._spooled.set()
        return [-number for number in numbers]

    async def _connect(self) -> None:
        self._keeps = Thread("bankhook-inbox-spool")  # of its own: nothing here waits for the server
        self._moves, self._stores = Thread("bankhook-inbox-mover"), Thread("bankhook-inbox-table")
        await self._in(self._keeps, self.spool.open)
        self._name = self._problem = None
        self._spooled, self._gate = asyncio.Event(), asyncio.Lock()
        tried: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()
        self._mover = asyncio.create_task(self._move(tried), name="bankhook: move what is in the spool")
        with suppress(TimeoutError):
            if isinstance(problem := await asyncio.wait_for(tried, ANSWER_SECONDS), AnotherInbox):
                raise problem

    async def _close(self) -> None:
        if hasattr(self, "_mover"):
            self._mover.cancel()
            ended = asyncio.ensure_future(self._in(self._moves, lambda: None))
            await asyncio.wait([ended], timeout=ANSWER_SECONDS)  # a server that does not answer is not waited for
        await super()._close()
        await asyncio.to_thread(self._keeps.end, None)
        self.spool.close()
        self._moves.shutdown()
        self._stores.shutdown()

    async def _move(self, tried: asyncio.Future[Exception | None]) -> None:
        logged: str | None = None
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
                self._problem = logged = None
            except Exception as error:  # the text of an InboxError has no personal value, that of another error may have
                why = str(error) if isinstance(error, InboxError) else type(error).__name__
                if why != logged:
                    is_refused = isinstance(error, AnotherInbox)
                    log.warning("%s; deliveries are %s", why, "refused" if is_refused else "stored in the spool meanwhile")
                self._problem, logged, moved = error, why, 0
            if not tried.done():
                tried.set_result(self._problem)
            if not moved:
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.Event().wait() if self._problem else self._spooled.wait(), PAUSE)

    def _move_some(self) -> int:
        if self._name is None:
            self.database.open()
            self._name = belong_together(self.spool, self.database)
        moved, self._moved = move(self.spool, self.database, self._name)
        return moved

    def _has_spooled(self) -> bool:
        with self.spool.read("cannot read the spool") as connection:
            left = select(deliveries.c.number).where(NOT_HANDLED, deliveries.c.number > self._moved).limit(1)
            return connection.scalar(left) is not None

    def _store(self, attempt: _Attempt, arrivals: Sequence[Arrival]) -> Sequence[int]:
        with self.database.write("cannot store deliveries") as connection:
            numbers = queries.append(connection, arrivals)
            attempt.begin_commit(numbers)
        return numbers

    def _keep(self, doubt: Sequence[int], arrivals: Sequence[Arrival]) -> Sequence[int]:
        with self.spool.write("cannot store deliveries") as connection:
            if self._name is not None:
                belong_to(connection, self._name)
            numbers = queries.append(connection, arrivals)
            if doubt:
                connection.execute(insert(unsure).values(first=numbers[0], last=numbers[-1], there=doubt[0]))
        return numbers
