# SPDX-License-Identifier: MIT
"""A way to a server of this machine on which what is sent arrives late."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self

__all__ = ["SlowConnection"]


class SlowConnection:
    """In a block, `port` leads to another one of the loopback; what clients send there arrives `delay` seconds later."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._tasks = set[asyncio.Task[None]]()
        self.delay = 0.0
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._server.close()
        await asyncio.gather(*self._tasks)

    async def _connect(self, source: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        answering, target = await asyncio.open_connection("127.0.0.1", self._to)
        for task in (self._send(source, target), self._answer(answering, answers)):
            self._tasks.add(asyncio.create_task(task))

    async def _send(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await _read(source):
            await asyncio.sleep(self.delay)
            target.write(data)
        target.close()

    async def _answer(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await _read(source):
            target.write(data)
        target.close()


async def _read(source: asyncio.StreamReader) -> bytes:
    with contextlib.suppress(OSError):
        return await source.read(1 << 16)
    return b""
