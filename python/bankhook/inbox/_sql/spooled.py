# SPDX-License-Identifier: MIT
"""An inbox on PostgreSQL with a spool: a file beside it that takes deliveries while the server does not answer."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence
from typing import Any

from sqlalchemy import URL, func, insert, select

from bankhook._records.stored import Delivery
from bankhook.inbox._problems import Problem
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._retries import log
from bankhook.inbox._sql.appending import append
from bankhook.inbox._sql.inbox import SqlInbox
from bankhook.inbox._sql.moving import OWN_NAME, PAGE, WAITS, AnotherInbox, belong_to, move
from bankhook.inbox._sql.rows import driver_of
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import NOT_HANDLED, states, unsure
from bankhook.inbox._sql.threads import Thread
from bankhook.inbox._sql.waiting import mark, wait

ANSWER_SECONDS = 5.0  # after which a server does not answer
QUICK_SECONDS = 1.0  # for others who write to the spool, before the table is tried
PAUSE = 1.0  # between attempts to reach it, and between looks for what another process has put into the spool


class SpooledInbox(SqlInbox):
    """What is in the spool comes first: nothing is stored in the table before all of it was moved there."""

    _closing_seconds = ANSWER_SECONDS
    _stores_without_server = True

    def __init__(self, url: URL, spool: URL, **options: Any) -> None:
        super().__init__(url, **options)
        self.spool = Store(spool, create=True)
        self._moved = 0
        self._name: str | None = None  # that of the inbox to which the spool belongs, once the server has answered
        self._problem: Exception | None = None

    async def _connect(self) -> None:
        self._keeps = Thread("bankhook-inbox-spool")  # of its own: nothing here waits for the server
        self._moves, self._stores = Thread("bankhook-inbox-mover"), Thread("bankhook-inbox-table")
        await self._in(self._keeps, self.spool.open)
        self._name = self._problem = None
        self._spooled, self._gate = asyncio.Event(), asyncio.Lock()
        tried = asyncio.Event()
        self._mover = asyncio.create_task(self._move(tried), name="bankhook: move what is in the spool")
        await wait(ANSWER_SECONDS, tried)
        self._check_spool()

    async def __aexit__(self, *exception: object) -> None:
        """End what moves deliveries, too; a server that does not answer is not waited for."""
        if not self._threads:
            return
        if hasattr(self, "_mover"):
            self._mover.cancel()
        await asyncio.to_thread(self._moves.end, ANSWER_SECONDS)
        await super().__aexit__()
        await asyncio.to_thread(self._keeps.end, None)
        self.spool.close()
        self._stores.end()

    def _mark(self) -> None:
        """Write to the spool, which takes deliveries whether the server answers or not; else the table may take them."""
        self._check_spool()
        try:
            mark(self.spool, self._room, QUICK_SECONDS)
        except InboxError:
            if self._name is None or self._has_spooled():
                raise
            super()._mark()

    def _check_files(self) -> None:
        self.spool.check()

    async def _count_spooled(self) -> int:
        def count() -> int:
            with self.spool.read("cannot read the spool") as connection:
                waiting = select(func.count()).select_from(states).where(NOT_HANDLED, states.c.number > self._moved)
                return int(connection.scalar(waiting) or 0)

        return await self._in(self._keeps, count)

    async def forget(self, member: str | None = None, /, *, external_id: str | None = None, several: bool = False) -> int:
        """Delete all that is stored of a member. InboxError while deliveries are in the spool: they could be of the member."""
        self._check_open()
        if await self._in(self._keeps, self._has_spooled):
            raise InboxError("cannot forget a member: deliveries are in the spool")
        return await super().forget(member, external_id=external_id, several=several)

    async def _append(self, new: Sequence[Delivery]) -> Sequence[int]:
        """Store in the table, or in the spool: then numbers are negative, and others when the deliveries were moved."""
        decided = threading.Lock()  # who takes it decides: the thread to commit, or the loop that it does not
        there = list[int]()  # the numbers in the table, before it is decided
        async with self._gate:
            self._check_spool()
            if self._name is not None and not await self._in(self._keeps, self._has_spooled):
                storing = asyncio.ensure_future(self._in(self._stores, lambda: self._append_there(new, decided, there)))
                # Not by `wait_for`: that of Python 3.11 may lose a cancellation.
                done, _ = await asyncio.wait([storing], timeout=ANSWER_SECONDS)
                if not done:
                    self._stores.end()
                    self._stores = Thread("bankhook-inbox-table")
                    storing.add_done_callback(lambda late: late.cancelled() or late.exception())  # it fails in time
                elif not isinstance(storing.exception(), InboxError):
                    return storing.result()
            doubt = () if decided.acquire(blocking=False) else there  # the commit may be made nevertheless
            numbers = await self._in(self._keeps, lambda: self._keep(doubt, new))
            self._spooled.set()
            return [-number for number in numbers]

    def _check_spool(self) -> None:
        if isinstance(self._problem, AnotherInbox):  # the server may have been away when this was opened
            raise AnotherInbox

    async def _move(self, tried: asyncio.Event) -> None:
        problem = Problem(log, logging.WARNING, "deliveries are stored in the table again")
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
                self._problem = None
                problem.end()
            except Exception as error:  # the text of an InboxError has no personal value, that of another error may have
                why = str(error) if isinstance(error, InboxError) else type(error).__name__
                meanwhile = "refused" if isinstance(error, AnotherInbox) else "stored in the spool meanwhile"
                problem.note(f"{why}; deliveries are {meanwhile}")
                self._problem, moved = error, 0
            tried.set()
            if not moved:
                await wait(PAUSE, None if self._problem else self._spooled)

    def _move_some(self) -> int:
        if self._name is None:
            self.store.open()
            with self.store.read("cannot read the inbox") as reading:
                name: str = reading.scalars(OWN_NAME).one()
            with self.spool.write("cannot write to the spool") as writing:
                belong_to(writing, name)
            self._name = name
        moved, self._moved = move(self.spool, self.store, self._name)
        return moved

    def _has_spooled(self) -> bool:
        with self.spool.read("cannot read the spool") as connection:
            return connection.scalar(WAITS.where(states.c.number > self._moved)) is not None

    def _append_there(self, new: Sequence[Delivery], decided: threading.Lock, numbers: list[int]) -> Sequence[int]:
        with self.store.drive("cannot store deliveries") as driver:
            numbers.extend(append(driver, new))
            if not decided.acquire(blocking=False):
                raise InboxError("the server has answered too late")
        return numbers

    def _keep(self, doubt: Sequence[int], new: Sequence[Delivery]) -> Sequence[int]:
        with self.spool.write("cannot store deliveries") as connection:
            if self._name is not None:
                belong_to(connection, self._name)
            numbers = append(driver_of(connection), new)
            if doubt:
                connection.execute(insert(unsure).values(first=numbers[0], last=numbers[-1], there=doubt[0]))
        return numbers
