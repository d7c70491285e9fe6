# SPDX-License-Identifier: MIT
"""A process that opens, fills, reads and closes an inbox in random order: `python -m inbox.sharing INBOX SEED [receives]`.

It prints each delivery that was acknowledged, and ends when its standard input does. One that receives has an inbox open all
the time, beside those that it opens and closes.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import select
import sys
from contextlib import AsyncExitStack, suppress

import bankhook
import bankhook.inbox
from bankhook.inbox import Inbox, InUse, examine
from inbox.history import found

DOES = ("open", "append", "append", "append", "read", "handle", "close", "close", "parse")


async def main(path: str, seed: int, receives: bool) -> None:
    """Do one thing after another."""
    choose, opened, numbers = random.Random(seed), list[tuple[Inbox, AsyncExitStack]](), itertools.count()

    async def open_one() -> None:
        stack, name = AsyncExitStack(), choose.choice((path, os.path.relpath(path), f"sqlite:///{path}"))
        inbox = bankhook.inbox.open(name, create=not opened or choose.random() < 0.5)
        opened.append((await stack.enter_async_context(inbox), stack))

    await open_one()
    while not select.select([sys.stdin], [], [], 0)[0]:
        one = choose.choice(opened)[0] if opened else None
        match choose.choice(DOES):
            case "append" if one is not None:
                body = b'{"event":"x","by":%d,"number":%d,"pad":"%s"}' % (
                    seed,
                    next(numbers),
                    b"p" * choose.randrange(3000),
                )
                await one.append([examine(body)])
                print(body.decode(), flush=True)
            case "read" if one is not None:
                await one.counts()
                await found(one, bankhook.inbox.Query(after=choose.randrange(100), before=200))
            case "handle" if one is not None:
                with suppress(InUse):
                    await one.drain(bankhook.Handlers())
            case "close" if len(opened) > receives:
                await opened.pop()[1].aclose()
            case "parse":
                with suppress(OSError):
                    list(bankhook.parse_lines(path))
            case "open" if len(opened) < 4:
                await open_one()
            case _:
                pass
    for _, stack in opened:
        await stack.aclose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["receives"]))
