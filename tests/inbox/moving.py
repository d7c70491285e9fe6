# SPDX-License-Identifier: MIT
"""A process that moves what is in a spool, and kills itself at a given place: `python -m inbox.moving URL SPOOL PLACE`."""

from __future__ import annotations

import asyncio
import sys

import bankhook.inbox
from inbox.killed import kill_at


async def main(url: str, spool: str) -> None:
    """Wait until nothing is in the spool."""
    async with bankhook.inbox.open(url, spool=spool), bankhook.inbox.open(spool) as waiting:
        while any((await waiting.counts()).values()):
            await asyncio.sleep(0.01)


if __name__ == "__main__":
    kill_at(int(sys.argv[3]))
    asyncio.run(main(*sys.argv[1:3]))
