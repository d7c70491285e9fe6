# SPDX-License-Identifier: MIT
"""Answers that many ask for: one look at a time, and at most two a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

LOOK_SECONDS = 0.5

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
