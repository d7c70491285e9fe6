# SPDX-License-Identifier: MIT
"""A sender that knows nothing but HTTP: it sends each body, over several connections, until it is answered with 204."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from inbox.history import Progress

__all__ = ["send_all"]

SECONDS = 120.0


async def send_all(port: int, bodies: Sequence[bytes], *, connections: int, answered: Callable[[int], None]) -> int:
    """Send all, and call `answered` with how many have their 204; return how many were sent again without an answer.

    It fails once none has been answered for `HANGS`.
    """
    waiting, done, again, progress = iter(bodies), 0, 0, Progress("a delivery is answered")

    async def work() -> None:
        nonlocal done, again
        connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        for body in waiting:
            head = b"POST /webhook HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: %d\r\n\r\n" % len(body)
            while True:
                try:
                    if connection is None:
                        connection = await asyncio.open_connection("127.0.0.1", port)
                    connection[1].write(head + body)
                    status = await asyncio.wait_for(connection[0].readuntil(b"\r\n\r\n"), SECONDS)
                except (OSError, asyncio.IncompleteReadError):
                    if connection is not None:
                        connection[1].close()
                    connection, again = None, again + 1
                    progress.check(done)
                    await asyncio.sleep(0.01)  # the receiver was killed: it starts again
                    continue
                assert status.startswith(b"HTTP/1.1 204"), status.partition(b"\r\n")[0]
                break
            done += 1
            answered(done)
        if connection is not None:
            connection[1].close()

    await asyncio.gather(*(work() for _ in range(connections)))
    return again
