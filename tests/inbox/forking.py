# SPDX-License-Identifier: MIT
"""A process that handles an inbox, and forks one that stays when it is killed: `python -m inbox.forking`."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys

import bankhook
import bankhook.inbox


async def main(url: str) -> None:
    """Print the number of the process that was forked, and wait for ever."""
    handlers = bankhook.Handlers()

    @handlers.fallback
    def fork(event: bankhook.AnyEvent) -> None:
        child = os.fork()
        if child == 0:
            gc.collect()
            print(os.getpid(), flush=True)
        signal.pause()

    async with bankhook.inbox.open(url) as inbox:
        await inbox.run(handlers)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
