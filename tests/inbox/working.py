# SPDX-License-Identifier: MIT
"""A worker of an inbox in a process of its own: `python -m inbox.working URL NAME FOLDER [SIGNAL CALL]`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from itertools import count
from pathlib import Path

from sqlalchemy import text

import bankhook
import bankhook.inbox
from inbox.history import HANGS, SOON

__all__ = ["DONE", "TABLE"]

TABLE = text("CREATE TABLE done (place BIGSERIAL, worker TEXT, member TEXT, delivery BIGINT)")
DONE = text("INSERT INTO done (worker, member, delivery) VALUES (:worker, :member, :delivery)")


def handlers(name: str, folder: Path, signal_: int, call: int) -> bankhook.Handlers:
    """Note each delivery, and wait a little; send this process a signal in a call, if asked for.

    The first call does not end before another worker has had its first: each handles something.
    """
    made, calls, met = bankhook.Handlers(), count(1), threading.Event()

    @made.fallback
    def work(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        if not met.is_set():
            (folder / name).touch()
            end = time.monotonic() + HANGS
            while len([*folder.iterdir()]) < 2:
                assert time.monotonic() < end
                time.sleep(0.01)
            met.set()
        done = {"worker": name, "member": context.delivery.member, "delivery": context.delivery.number}
        context.begin().execute(DONE, done)
        if next(calls) == call:
            os.kill(os.getpid(), signal_)
        time.sleep(0.005)

    return made


async def main(url: str, name: str, folder: str, signal_: str = "0", call: str = "0") -> None:
    """Handle all that is pending; again if the connection was lost outside of a handler, which `drain` raises."""
    made = handlers(name, Path(folder), int(signal_), int(call))
    async with bankhook.inbox.open(url, attempts=50, backoff=SOON) as inbox:
        while True:
            with contextlib.suppress(bankhook.inbox.InboxError):
                await inbox.drain(made, concurrency=3)
                return


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
