# SPDX-License-Identifier: MIT
"""Calls handlers again, in a process that kills itself in one of its calls: `python -m inbox.reprocessing URL CALL`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from itertools import count

import bankhook
import bankhook.inbox
from inbox.history import Ledger

__all__ = ["Called", "what"]

Called = tuple[int, str]
"""The number of a delivery, and what a handler was called for, with what its event meant then."""


def what(context: bankhook.HandlerContext) -> str:
    """Say for what a handler is called."""
    return f"{context.handler} {context.key} {context.outcome!r} {context.change!r}"


def handlers(ledger: Ledger, call: int) -> bankhook.Handlers:
    """Write down each call in the database of the inbox, sync or async; die in one of them, before that or after it."""
    made, calls = bankhook.Handlers(), count(1)

    def die() -> None:
        if next(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)

    @made.on_validated(name="credit")
    def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
        die()
        ledger.credit(context.replace(key=what(context)))
        die()

    @made.fallback(name="rest")
    async def note(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        die()
        await ledger.credit_async(context.replace(key=what(context)))
        await asyncio.sleep(0)
        die()

    return made


async def main(url: str, call: str) -> None:
    """Do it for what came first; the rest is of the worker beside it."""
    async with bankhook.inbox.open(url) as inbox:
        done = await inbox.reprocess(handlers(Ledger(url), int(call)), bankhook.inbox.Query(before=121), name="mended")
        print(done.called, done.skipped)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
