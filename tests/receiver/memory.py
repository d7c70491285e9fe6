# SPDX-License-Identifier: MIT
"""An inbox in memory that counts its commits, and that a test can make slow, full or broken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from typing import NoReturn, Self

from bankhook._handlers import Handlers
from bankhook.inbox import Case, DeadLetters, Delivery, DeliveryState, Inbox, InboxError, Overdue, Query, Reprocessed

__all__ = ["MemoryInbox"]


class MemoryInbox(Inbox):
    """What was appended is in `stored`, and the sizes of the appends are in `commits`."""

    def __init__(self) -> None:
        self.stored: list[Delivery] = []
        self.commits: list[int] = []
        self.attempts = 0
        self.is_open = False
        self.error: Exception | None = None
        self.poison: bytes | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def __aenter__(self) -> Self:
        self.is_open = True
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.is_open = False

    async def append(self, deliveries: Sequence[Delivery], /) -> Sequence[int]:
        assert self.is_open
        self.attempts += 1
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        if any(delivery.body == self.poison for delivery in deliveries):
            raise ValueError("a text that this store cannot take")
        self.commits.append(len(deliveries))
        first = len(self.stored) + 1
        self.stored += deliveries
        return range(first, first + len(deliveries))

    async def state_of(self, member: str, /) -> bytes | None:
        if self.error is not None:
            raise self.error
        return None

    async def run(
        self, handlers: Handlers, /, *, stop: asyncio.Event | None = None, concurrency: int = 1, timeout: object = None
    ) -> None:
        """Handle what there is, or fail as the store does."""
        assert stop is not None
        handled = 0
        while not stop.is_set():
            if self.error is not None:
                raise self.error
            for delivery in self.stored[handled:]:
                handlers.handle(delivery.body)
                handled += 1
            await asyncio.sleep(0)

    async def _unused(self, *_: object, **__: object) -> NoReturn:
        raise InboxError("a receiver does not ask for that")

    async def drain(self, handlers: Handlers, /, *, concurrency: int = 1) -> int:
        return await self._unused()

    async def counts(self) -> dict[DeliveryState, int]:
        return await self._unused()

    async def retry(self, numbers: Collection[int] | Query, /, *, out_of_order: bool = False) -> int:
        return await self._unused()

    async def reprocess(self, handlers: Handlers, /, query: Query | None = None, *, name: str) -> Reprocessed:
        return await self._unused()

    async def dismiss(self, numbers: Collection[int] | Query, /) -> int:
        return await self._unused()

    async def forget(self, member: str | None = None, /, **named: object) -> int:
        return await self._unused()

    async def purge(self, *, before: object) -> int:
        return await self._unused()

    async def cases(
        self, *, kind: str | None = None, member: str | None = None, after: int = 0, limit: int | None = None
    ) -> Sequence[Case]:
        return await self._unused()

    async def settle(self, numbers: Collection[int], /) -> int:
        return await self._unused()

    async def dead_letters(self) -> Sequence[DeadLetters]:
        return await self._unused()

    async def open_since(
        self, age: object, /, *, after: Overdue | None = None, limit: int | None = None
    ) -> Sequence[Overdue]:
        return await self._unused()

    async def find(self, *_: object, **__: object) -> AsyncIterator[Delivery]:
        for _ in ():
            yield _
        await self._unused()
