# SPDX-License-Identifier: MIT
"""Deliveries for a loop of the user's: one at a time, each handled when the loop asks for the next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable

from bankhook._core import AnyEvent
from bankhook._records.tracking import Outcome
from bankhook.inbox._nats.handling import Call
from bankhook.inbox._nats.work import Withdrawn, Worker
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import StoredDelivery

__all__ = ["Iteration"]


class Iteration:
    """Runs a worker whose handler is the loop; when it ends, what the loop did not finish is for the next worker."""

    def __init__(self, worker_for: Callable[[Call], Worker]) -> None:
        self._turn = asyncio.Lock()
        self._given: asyncio.Queue[StoredDelivery] = asyncio.Queue()
        self._handled: asyncio.Future[None] | None = None
        self._end = asyncio.Event()
        self._worker = asyncio.create_task(worker_for(self._give).run(self._end.wait))

    async def deliveries(self) -> AsyncGenerator[StoredDelivery]:
        """What the worker gets, until the loop ends. InboxError if the inbox is closed meanwhile."""
        take: asyncio.Task[StoredDelivery] | None = None
        try:
            while True:
                take = asyncio.create_task(self._given.get())
                await asyncio.wait([take, self._worker], return_when=asyncio.FIRST_COMPLETED)
                if not take.done():
                    self._worker.result()
                    raise InboxError("the inbox was closed during the iteration")
                yield take.result()
                if self._handled is not None and not self._handled.done():
                    self._handled.set_result(None)
        finally:
            if take is not None:
                take.cancel()
            await self.end()

    async def end(self) -> None:
        """Withdraw what is unfinished, and wait until the worker has given it back."""
        self._end.set()
        if self._handled is not None and not self._handled.done():
            self._handled.set_exception(Withdrawn())
        await asyncio.gather(self._worker, return_exceptions=True)

    async def _give(self, delivery: StoredDelivery, event: AnyEvent, outcome: Outcome, done: set[str]) -> None:
        async with self._turn:
            if self._end.is_set():
                raise Withdrawn
            self._handled = asyncio.get_running_loop().create_future()
            self._given.put_nowait(delivery)
            await self._handled
