# SPDX-License-Identifier: MIT
"""A process that takes deliveries of an inbox, and never gets done with the first: `python -m inbox.stuck`."""

from __future__ import annotations

import asyncio
import sys

import bankhook
import bankhook.inbox


async def main(url: str) -> None:
    """Say when the handler was called, and wait for ever."""
    handlers = bankhook.Handlers()

    @handlers.fallback
    async def wait(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        print(context.delivery.number, flush=True)
        await asyncio.Event().wait()

    async with bankhook.inbox.open(url) as inbox:
        await inbox.run(handlers)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
