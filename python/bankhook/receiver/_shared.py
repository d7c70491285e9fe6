# SPDX-License-Identifier: MIT
"""What many ask for: answers, of which one is worked out at a time, and the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

LOOK_SECONDS = 0.5
AT_ONCE = 32  # requests; to begin with one takes a tenth of a millisecond

T = TypeVar("T")


class Shared(Generic[T]):
    """What is worked out for all who ask while it is, and for a while afterwards.

    That is half a second after its start, or, with a share of the time that may be spent on it, as long as the share allows.
    """

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]], share: float | None = None) -> None:
        self._work, self._share = work, share
        self._task: asyncio.Task[T] | None = None
        self._due = 0.0

    async def get(self) -> T:
        """Return the answer; raises what working it out raises."""
        loop = asyncio.get_running_loop()
        task = self._task
        if task is None or task.get_loop() is not loop or (task.done() and loop.time() >= self._due):
            self._task = task = loop.create_task(self._timed(loop))
        return await asyncio.shield(task)

    async def _timed(self, loop: asyncio.AbstractEventLoop) -> T:
        start = loop.time()
        self._due = start + LOOK_SECONDS
        try:
            return await self._work()
        finally:
            if self._share is not None:
                self._due = start + (loop.time() - start) / self._share


class Turns:
    """Lets few requests begin at once, in their order: however many come together, what has begun goes on meanwhile."""

    def __init__(self) -> None:
        self._free, self._waiting = AT_ONCE, deque[asyncio.Future[None]]()

    async def wait(self) -> None:
        """Wait until a request may begin."""
        loop = asyncio.get_running_loop()
        if not self._free:
            self._waiting.append(turn := loop.create_future())
            await turn
            return
        if self._free == AT_ONCE:
            loop.call_soon(self._begin)
        self._free -= 1

    def _begin(self) -> None:
        self._free = AT_ONCE
        while self._waiting and self._free:
            if not (turn := self._waiting.popleft()).done():
                turn.set_result(None)
                self._free -= 1
        if self._free < AT_ONCE:
            asyncio.get_running_loop().call_soon(self._begin)
