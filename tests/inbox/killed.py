# SPDX-License-Identifier: MIT
"""A process that handles an inbox, and kills itself with signal 9 at a given place: `python -m inbox.killed URL PLACE`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any

import bankhook
import bankhook.inbox
from bankhook.inbox._sql import finding
from inbox.history import SOON, Ledger

__all__ = ["handlers"]

PLACES = ("bankhook/inbox/", "sqlalchemy/engine/")


def handlers(ledger: Ledger) -> bankhook.Handlers:
    """Credit each validated transaction, in the database of the inbox; fail now and then."""
    made, failed = bankhook.Handlers(), set[int]()

    @made.on_validated
    def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        ledger.credit(context)
        if context.delivery.number % 7 == 0 and context.delivery.number not in failed:
            failed.add(context.delivery.number)
            raise RuntimeError("the first attempt fails")

    @made.on_rejected
    async def note(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
        await asyncio.sleep(0)
        await ledger.credit_async(context)

    return made


def kill_at(place: int) -> None:
    """Kill this process when this many functions of the inbox and of what it stores with were called or have returned."""
    left = place

    def count(frame: FrameType, event: str, _: Any) -> None:
        nonlocal left
        if event in ("call", "return") and any(one in frame.f_code.co_filename for one in PLACES):
            left -= 1
            if left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(count)
    sys.setprofile(count)


async def main(url: str) -> None:
    """Handle all that is pending."""
    async with bankhook.inbox.open(url, attempts=50, backoff=SOON) as inbox:
        await inbox.drain(handlers(Ledger(url)))


if __name__ == "__main__":
    finding.LEAST, finding.PART, finding.AT_ONCE = 60, sys.maxsize, 40  # so that entries are put in order all the time
    kill_at(int(sys.argv[2]))
    asyncio.run(main(sys.argv[1]))
