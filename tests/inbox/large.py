# SPDX-License-Identifier: MIT
"""A process that handles deliveries of members with large states, and prints how much memory it took: `python -m inbox.large`."""

from __future__ import annotations

import asyncio
import resource
import sys

import bankhook
import bankhook.inbox
from bankhook.inbox import examine

SIZE = 4 << 20


async def main(url: str, count: int) -> None:
    """A large delivery for each member, then a small one for each, which needs the state of all of them."""
    sandbox = bankhook.Sandbox(seed=1, members=count)
    async with bankhook.inbox.open(url) as inbox:
        for member in range(count):
            body = sandbox.send_initial_transaction(sandbox.member(member)).raw
            await inbox.append([examine(body.replace(b'"store-', b'"' + b"x" * SIZE))])
        assert await inbox.drain(bankhook.Handlers()) == count
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        small = [sandbox.send_initial_transaction(sandbox.member(member)).raw for member in range(count)]
        await inbox.append([examine(body) for body in small])
        assert await inbox.drain(bankhook.Handlers()) == count
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
