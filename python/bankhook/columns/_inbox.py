# SPDX-License-Identifier: MIT
"""An open inbox as a source of tables: its deliveries by their numbers, read by an event loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

__all__ = ["Stored", "StoredInput"]

_BYTES = 1 << 18
_COUNT = 1 << 12


class Delivery(Protocol):
    """A delivery that was stored."""

    @property
    def number(self) -> int: ...
    @property
    def body(self) -> bytes: ...


class Stored(Protocol):
    """An inbox, as `bankhook.inbox.open` returns it."""

    def find(self) -> AsyncIterator[Any]: ...


class StoredInput:
    """An open inbox of a SQL database, which any event loop can read."""

    name = "<inbox>"

    def __init__(self, inbox: Stored) -> None:
        self._inbox = inbox

    def open(self) -> _Reader:
        return _Reader(self._inbox)


class _Reader:
    """Reads in a thread: the thread that asks may run an event loop, in a notebook for example."""

    position = 0  # in bytes of a file

    def __init__(self, inbox: Stored) -> None:
        self._inbox = inbox
        self._thread: ThreadPoolExecutor | None = None
        self._loop = asyncio.new_event_loop()
        self._found: AsyncIterator[Delivery] | None = None

    def __del__(self) -> None:
        self.close()

    def payloads(self) -> list[tuple[int, bytes]]:
        """Return the next deliveries and their numbers; none at the end."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "bankhook-tables-inbox")
        return self._thread.submit(self._loop.run_until_complete, self._next()).result()

    async def _next(self) -> list[tuple[int, bytes]]:
        if self._found is None:
            self._found = aiter(self._inbox.find())
        taken: list[tuple[int, bytes]] = []
        size = 0
        while size < _BYTES and len(taken) < _COUNT:
            try:
                delivery = await anext(self._found)
            except StopAsyncIteration:
                break
            taken.append((delivery.number, delivery.body))
            size += len(delivery.body)
        return taken

    def close(self) -> None:
        """End the thread and its event loop."""
        if self._thread is not None:
            self._thread.submit(self._loop.run_until_complete, self._loop.shutdown_asyncgens()).result()
            self._thread.shutdown()
            self._thread = None
        self._loop.close()
