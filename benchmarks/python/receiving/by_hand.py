# SPDX-License-Identifier: MIT
"""What one writes by hand: Starlette and sqlite3, a commit for all that waits, each durable before it is answered."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

__all__ = ["ByHand"]

COMMIT = 512  # deliveries at most
TABLE = "CREATE TABLE deliveries (number INTEGER PRIMARY KEY, event TEXT, member TEXT, body BLOB NOT NULL)"


class ByHand:
    """One writer, which commits what came while it wrote; it knows event and member, and has no index, limit or metric."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", TABLE):
            self._connection.execute(statement)
        self._waiting: list[tuple[tuple[object, ...], asyncio.Future[None]]] = []
        self._came = asyncio.Event()
        self.app = Starlette(routes=[Route("/webhook", self.receive, methods=["POST"])], lifespan=self._lifespan)

    async def receive(self, request: Request) -> Response:
        """Answer once the delivery is durable."""
        body = await request.body()
        try:
            read = orjson.loads(body)
            row = read["event"], read["customer"]["id"], body
        except (KeyError, TypeError, ValueError):
            row = None, None, body
        stored = asyncio.get_running_loop().create_future()
        self._waiting.append((row, stored))
        self._came.set()
        await stored
        return Response(status_code=204)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncGenerator[None]:
        writer = asyncio.create_task(self._write())
        yield
        writer.cancel()

    async def _write(self) -> None:
        while await self._came.wait():
            batch, self._waiting = self._waiting[:COMMIT], self._waiting[COMMIT:]
            await asyncio.to_thread(self._store, [row for row, _ in batch])
            for _, stored in batch:
                stored.set_result(None)
            if not self._waiting:
                self._came.clear()

    def _store(self, rows: list[tuple[object, ...]]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT INTO deliveries (event, member, body) VALUES (?, ?, ?)", rows)
        self._connection.execute("COMMIT")
