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
    """What is worked out for all who ask while it is, and who ask in the half second after its start."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._work = work
        self._task: asyncio.Task[T] | None = None
        self._due = 0.0

    async def get(self) -> T:
        """Return the answer; raises what working it out raises."""
        loop = asyncio.get_running_loop()
        task = self._task
        if task is None or task.get_loop() is not loop or (task.done() and loop.time() >= self._due):
            self._due = loop.time() + LOOK_SECONDS
            self._task = task = loop.create_task(self._work())
        return await asyncio.shield(task)


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
