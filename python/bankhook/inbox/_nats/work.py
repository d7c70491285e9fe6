# SPDX-License-Identifier: MIT
"""A worker: takes deliveries from all partitions, as other workers do at the same time, and has them handled."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import nats.errors
from nats.aio.msg import Msg

from bankhook.inbox._nats.connection import Connection
from bankhook.inbox._nats.handling import Handling
from bankhook.inbox._nats.layout import Layout
from bankhook.inbox._nats.messages import stored
from bankhook.inbox._nats.pulling import Pull, give_back
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import DeliveryState

__all__ = ["Withdrawn", "Worker"]

PATIENCE = (
    3  # how often a delivery fails while there is a connection, before a worker gives up that is not to go on for ever
)
PAUSE = 5.0  # seconds between two attempts, at most
GROUP = 16  # members whose deliveries wait that a worker sees to at once
log = logging.getLogger("bankhook.inbox")


class Withdrawn(Exception):
    """A delivery is not handled after all: it is for the next worker that asks."""


class Worker:
    """Runs in a `with` block."""

    def __init__(self, connection: Connection, layout: Layout, handling: Handling, *, for_ever: bool) -> None:
        self._connection = connection
        self._layout = layout
        self._handling = handling
        self._for_ever = for_ever
        self._in_work: dict[str, Msg] = {}
        self._stopping = asyncio.Event()
        self._pulls: list[Pull] = []
        self.finished = 0

    async def run(self, until: Callable[[], Awaitable[object]]) -> None:
        """Work until that returns, then end what was begun. InboxError if the server does not store, unless for ever."""
        layout = self._layout
        async with self._connection.bounded("read"):
            await layout.make_partitions(self._connection.js)
        loops = [self._loop(layout.deliveries, name, self._in_turn) for name in layout.consumers()]
        loops += [self._loop(layout.retries, "retries", self._waiting) for _ in range(GROUP)]
        tasks = [asyncio.create_task(loop) for loop in loops]
        others = [asyncio.ensure_future(until()), asyncio.create_task(self._keep())]
        try:
            finished, _ = await asyncio.wait([*tasks, *others], return_when=asyncio.FIRST_COMPLETED)
            self._stop()
            for task in finished:
                task.result()
            await asyncio.gather(*tasks)
        finally:
            self._stop()  # the client may swallow the cancellation of a call whose answer comes at the same time
            for task in [*tasks, *others]:
                task.cancel()
            await asyncio.gather(*tasks, *others, return_exceptions=True)

    def _stop(self) -> None:
        self._stopping.set()
        for pull in self._pulls:
            pull.stop()

    async def _loop(self, stream: str, consumer: str, handle: Callable[[Msg, set[str]], Awaitable[None]]) -> None:
        async with Pull(self._connection, stream, consumer) as pull:
            self._pulls.append(pull)
            if self._stopping.is_set():
                return
            while (message := await pull.next()) is not None:
                self._in_work[message.reply] = message
                try:
                    await self._patiently(message, handle)
                except Withdrawn:  # the worker is about to stop, and what it gives back must not come to it again
                    await give_back(self._connection, message)
                    return
                except BaseException:
                    await give_back(self._connection, message)
                    raise
                finally:
                    del self._in_work[message.reply]

    async def _patiently(self, message: Msg, handle: Callable[[Msg, set[str]], Awaitable[None]]) -> None:
        """Handle a message through outages: what was done for it before one is not done again afterwards."""
        done: set[str] = set()
        failures = 0
        while True:
            try:
                await handle(message, done)
                return
            except InboxError as error:
                if self._stopping.is_set():
                    raise Withdrawn from error
                failures += self._connection.client.is_connected
                if failures >= PATIENCE and not self._for_ever:
                    raise
                log.warning("%s; handling goes on when it can", error)
                await self._unless_stopped(self._connection.wait())
                await self._unless_stopped(asyncio.sleep(min(PAUSE, 0.1 * 2 ** min(failures, 9))))

    async def _unless_stopped(self, wait: Coroutine[Any, Any, None]) -> None:
        tasks = [asyncio.create_task(wait), asyncio.create_task(self._stopping.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    async def _in_turn(self, message: Msg, done: set[str]) -> None:
        facts = message.metadata
        delivery = stored(facts.sequence.stream, message.headers or {}, message.data, DeliveryState.PENDING, None)
        is_again = facts.num_delivered > 1 or bool(done)
        if await self._handling.in_turn(message.subject, delivery, done, again=is_again):
            self.finished += 1
        await self._ack(message)

    async def _waiting(self, message: Msg, done: set[str]) -> None:
        _, _, owner, generation = message.subject.split(".")
        until = await self._handling.waiting(owner, int(generation), done, self._count)
        if until is not None:
            seconds = (until - datetime.datetime.now(datetime.UTC)).total_seconds()
            with self._connection.errors("write"):
                await message.nak(max(0.001, seconds))
            return
        async with self._connection.bounded("write"):
            await message.ack_sync(self._connection.timeout)

    def _count(self) -> None:
        """One that was put off is finished; the rest of its member is for others, if this worker is to stop."""
        self.finished += 1
        if self._stopping.is_set():
            raise Withdrawn

    async def _ack(self, message: Msg) -> None:
        with self._connection.errors("write"):
            await message.ack()

    async def _keep(self) -> None:
        """Tell the server what is worked on, so that nobody else gets it."""
        while True:
            await asyncio.sleep(self._layout.ack_wait / 3)
            for message in list(self._in_work.values()):
                with contextlib.suppress(nats.errors.Error, OSError):
                    await message.in_progress()
