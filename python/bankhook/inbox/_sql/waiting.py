# SPDX-License-Identifier: MIT
"""Waiting in the event loop: for what comes, for a retry, and for the answer whether a store can write."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable

from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql import queries
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.threads import Thread
from bankhook.inbox._sql.types import now

POLL_SECONDS = 0.5
CHECK_SECONDS = 5.0  # a handler may keep the transaction for so long


class Asked:
    """Calls a function that writes a marker in a thread of its own, once for all who ask meanwhile."""

    def __init__(self, mark: Callable[[], None]) -> None:
        self._mark = mark
        self.thread = Thread("bankhook-inbox-check")
        self._asking: asyncio.Future[None] | None = None

    async def answer(self) -> None:
        """Wait for it. InboxError if it takes too long."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.wrap_future(self.thread.submit(self._mark))
            self._asking.add_done_callback(lambda one: one.cancelled() or one.exception())  # nobody may wait any more
        done, _ = await asyncio.wait([self._asking], timeout=CHECK_SECONDS)
        if not done:
            raise InboxError("cannot write to the inbox: the store does not answer")
        self._asking.result()


def mark(store: Store, size: int, seconds: float = CHECK_SECONDS) -> None:
    """Write a marker of so many bytes, and wait for others who write for so long."""
    with store.write("cannot write to the inbox", seconds) as connection:
        queries.mark(connection, size)


async def wait(seconds: float, *events: asyncio.Event | None) -> None:
    """Wait until one of these is set, for so long. Not by `wait_for`: that of Python 3.11 may lose a cancellation."""
    waiting = [asyncio.create_task((one or asyncio.Event()).wait()) for one in events]  # at least one, perhaps never set
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waiting:
            one.cancel()


def until(retry_at: datetime.datetime | None) -> float:
    """How long to wait for a retry, or a while: other processes append, too."""
    return POLL_SECONDS if retry_at is None else min(POLL_SECONDS, max(0, (retry_at - now()).total_seconds()))
