# SPDX-License-Identifier: MIT
"""How many deliveries are in each state, counted again only as often as an inbox of any size can bear."""

from __future__ import annotations

import asyncio
from time import monotonic

from bankhook.inbox import DeliveryState, Inbox

__all__ = ["Counts"]

SHARE = 0.1  # of the time may be spent on counting


class Counts:
    """The counts of an inbox: pages that ask at once share them, and what took long to count is valid for longer."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._counts: dict[DeliveryState, int] = {}
        self._lock = asyncio.Lock()
        self._due = 0.0

    async def now(self) -> dict[DeliveryState, int]:
        """Return the counts, which are at most ten times as old as counting takes."""
        async with self._lock:
            start = monotonic()
            if start >= self._due:
                self._counts = await self._inbox.counts()
                end = monotonic()
                self._due = end + (end - start) * (1 / SHARE - 1)
            return self._counts
