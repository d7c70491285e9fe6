# SPDX-License-Identifier: MIT
"""A pooler as PgBouncer with `pool_mode = transaction`: one session of the server, which each client has for a transaction."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

__all__ = ["pooled"]

PROTOCOL = (3 << 16).to_bytes(4)


@asynccontextmanager
async def pooled(port: int) -> AsyncGenerator[int]:
    """While a pooler is before the server at a port: its own port."""
    turn, begun = asyncio.Lock(), asyncio.Lock()
    session, greeting = list[Any](), list[bytes]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (start := await _message(reader, 0))[4:8] != PROTOCOL:  # asks for encryption
            writer.write(b"N")
        async with begun:
            if not session:
                session.extend(await asyncio.open_connection("127.0.0.1", port))
                session[1].write(start)
                greeting.append(await _answer(session[0]))
        writer.write(greeting[0])
        has_turn = False
        while (message := await _message(reader))[:1] != b"X":
            if not has_turn:
                has_turn = await turn.acquire()
            session[1].write(message)
            if message[:1] in b"QS":
                writer.write(said := await _answer(session[0]))
                if said.endswith(b"I"):  # no transaction is open
                    turn.release()
                    has_turn = False
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        session[1].close()


async def _message(reader: asyncio.StreamReader, kind: int = 1) -> bytes:
    head = await reader.readexactly(kind + 4)
    return head + await reader.readexactly(int.from_bytes(head[kind:]) - 4)


async def _answer(reader: asyncio.StreamReader) -> bytes:
    """All that the server says until it is ready again."""
    said = b""
    while True:
        said += (message := await _message(reader))
        if message[:1] == b"Z":
            return said
