# SPDX-License-Identifier: MIT
"""What of an inbox is to be watched: how many deliveries are in each state, and how long the oldest has been pending."""

from __future__ import annotations

import asyncio
import datetime
import math
from time import monotonic

from bankhook.inbox import DeliveryState, Inbox, InboxError, Query

SHARE = 0.1  # of the time may be spent on counting
OLDEST = 10  # pending deliveries that are looked at
STUCK_SECONDS = 300.0
PENDING = Query(states=(DeliveryState.PENDING,))


class Counts:
    """The counts of an inbox: pages that ask at once share them, and what took long to count is valid for longer."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._counts: dict[DeliveryState, int] = {}
        self._lock = asyncio.Lock()
        self._due = 0.0
        self._first: tuple[int | None, float] = None, 0.0

    async def now(self) -> dict[DeliveryState, int]:
        """Return the counts, which are at most ten times as old as counting takes."""
        async with self._lock:
            start = monotonic()
            if start >= self._due:
                self._counts = await self._inbox.counts()
                end = monotonic()
                self._due = end + (end - start) * (1 / SHARE - 1)
            return self._counts

    async def watched(self) -> tuple[dict[DeliveryState, int], float]:
        """Return the counts, and the seconds for which the oldest pending delivery has been stored; NaN if that is not known."""
        try:
            return await self.now(), await self._seconds_pending()
        except InboxError:
            return {}, math.nan

    async def _seconds_pending(self) -> float:
        async for one in self._inbox.find(PENDING, limit=1):
            return max(0.0, (datetime.datetime.now(datetime.UTC) - one.received).total_seconds())
        return 0.0

    async def is_stuck(self) -> bool:
        """Whether the same delivery has been the next one for too long, as while its handler hangs.

        One that waits for a retry, for itself or for an earlier one of its member, is not the next one.
        """
        try:
            first = await self._next()
        except InboxError:  # the health of the store says that
            return False
        if first is None or first != self._first[0]:
            self._first = first, monotonic()
        return first is not None and monotonic() - self._first[1] > STUCK_SECONDS

    async def _next(self) -> int | None:
        waiting = set[str | None]()
        async for one in self._inbox.find(PENDING, limit=OLDEST):
            if one.retry_at is not None:
                waiting.add(one.member)
            elif one.member is None or one.member not in waiting:
                return one.number
        return None
