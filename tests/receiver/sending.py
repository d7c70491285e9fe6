# SPDX-License-Identifier: MIT
"""A sender that knows nothing but HTTP: it sends each body, over several connections, until it is answered with 204."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Collection, Sequence

from inbox.history import Progress

__all__ = ["send_all"]

SECONDS = 120.0


async def send_all(
    port: int,
    bodies: Sequence[bytes],
    *,
    connections: int,
    answered: Callable[[int], None],
    paths: Sequence[str] = ("/webhook",),
    unavailable: Collection[int] = (),
) -> list[bytes]:
    """Send all, to one path after another, and call `answered` with how many have their 204.

    Return those that were sent again, one for each time: they had no answer, or one that is `unavailable`. It fails once none
    has been answered for `HANGS`.
    """
    waiting, done, again, progress = (
        iter(zip(bodies, itertools.cycle(paths))),
        0,
        list[bytes](),
        Progress("a delivery is answered"),
    )

    async def work() -> None:
        nonlocal done
        connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        for body, path in waiting:
            head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {len(body)}\r\n\r\n".encode()
            while True:
                try:
                    if connection is None:
                        connection = await asyncio.open_connection("127.0.0.1", port)
                    connection[1].write(head + body)
                    answer = await asyncio.wait_for(connection[0].readuntil(b"\r\n\r\n"), SECONDS)
                    status = int(answer.split()[1])
                    if status in unavailable:
                        raise ConnectionError
                except (OSError, asyncio.IncompleteReadError):
                    if connection is not None:
                        connection[1].close()
                    connection = None
                    again.append(body)
                    progress.check(done)
                    await asyncio.sleep(0.01)  # the receiver was killed: it starts again
                    continue
                assert status == 204
                break
            done += 1
            answered(done)
        if connection is not None:
            connection[1].close()

    await asyncio.gather(*(work() for _ in range(connections)))
    return again
