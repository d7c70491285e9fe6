# SPDX-License-Identifier: MIT
"""What of a receiver is watched: its health, how many deliveries are in each state, how long the oldest has been pending."""

from __future__ import annotations

import asyncio
import datetime
import math
from time import monotonic

from bankhook.inbox import DeliveryState, DeliveryStore, Inbox, InboxError, Query
from bankhook.receiver._metrics import Figures
from bankhook.receiver._runner import Runner
from bankhook.receiver._shared import Shared
from bankhook.receiver._writer import Writer

SHARE = 0.1  # of the time may be spent on counting
COUNT_SECONDS = 5.0  # for a store to answer
ASKED_SECONDS = 30.0
STUCK_SECONDS = 300.0
"""How long a handler may run if `run` has no `timeout`."""
LATE_SECONDS = 2.0  # until a handler that was cancelled has to have ended
PENDING = Query(states=(DeliveryState.PENDING,))


class Counts:
    """The counts of an inbox: those that ask at once share them, and what took long to count is valid for longer."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._counts, self._figures = Shared(inbox.counts, SHARE), Shared(self._look, SHARE)

    async def now(self) -> dict[DeliveryState, int]:
        """Return the counts, which are at most ten times as old as counting takes."""
        return await self._counts.get()

    async def watched(self) -> tuple[Figures, float, float | None]:
        """Return the figures, for how many seconds the oldest pending delivery has been stored, and how many are in the spool.

        NaN is what is not known, and None what an inbox without a spool does not have.
        """
        spooled = None
        if (count := getattr(self._inbox, "_count_spooled", None)) is not None:
            try:
                spooled = float(await count())
            except InboxError:
                spooled = math.nan
        try:
            async with asyncio.timeout(COUNT_SECONDS):
                figures, received = await self._figures.get()
        except (InboxError, TimeoutError):
            return {}, math.nan, spooled
        age = datetime.timedelta() if received is None else datetime.datetime.now(datetime.UTC) - received
        return figures, max(0.0, age.total_seconds()), spooled

    async def _look(self) -> tuple[Figures, datetime.datetime | None]:
        if (look := getattr(self._inbox, "_figures", None)) is not None:
            found: tuple[Figures, datetime.datetime | None] = await look()
            return found
        counts: Figures = {("", state.value): (count, math.nan) for state, count in (await self._inbox.counts()).items()}
        async for one in self._inbox.find(PENDING, limit=1):  # another store knows no event, and has to read the body, too
            return counts, one.received
        return counts, None


class Health:
    """Whether deliveries can be stored and handled now, and whether a new process would help."""

    def __init__(self, inbox: DeliveryStore, writer: Writer, runner: Runner) -> None:
        self._inbox, self._writer, self._runner = inbox, writer, runner
        self._asked = -math.inf
        self._look = Shared(writer.look)

    def tick(self) -> None:
        """Look without being asked for as long as somebody asks now and then: a store that hangs is noticed between questions."""
        if monotonic() - self._asked < ASKED_SECONDS:
            self._writer.start_look()

    def alive(self) -> dict[str, bool]:
        """What only a new process can mend, if it is False."""
        return self._named(not self._writer.has_died, not self._runner.has_died)

    async def ready(self) -> dict[str, bool]:
        """What has to be True for a receiver to be of use."""
        self._asked = monotonic()
        await self._look.get()
        return self._named(self._writer.can_write, self._runner.is_fine)

    def _named(self, store: bool, handlers: bool) -> dict[str, bool]:
        seconds, most = getattr(self._inbox, "_longest_call", (0.0, None))
        is_late = seconds > (STUCK_SECONDS if most is None else most + LATE_SECONDS)
        has_handlers = self._runner.has_handlers or is_late
        return {"store": store and self._has_files()} | ({"handlers": handlers and not is_late} if has_handlers else {})

    def _has_files(self) -> bool:
        try:
            getattr(self._inbox, "_check_files", _nothing)()
        except InboxError:
            return False
        return True


def _nothing() -> None:
    """Check nothing: the files of another store are not known."""
