# SPDX-License-Identifier: MIT
"""What tests of handling share: payloads, a table of a handler's own, and what is in it."""

from __future__ import annotations

import asyncio
import datetime
import os
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import Engine, create_engine, text

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery, Inbox, examine
from bankhook.inbox._sql.urls import database_url

__all__ = ["HANGS", "ROUNDS", "SOON", "Ledger", "Progress", "filled", "found", "handling", "payloads"]

SOON = datetime.timedelta(milliseconds=1)
CREDIT = text("INSERT INTO credits (key, delivery) VALUES (:key, :delivery)")
HANGS = 300
"""Seconds after which a test that waits has failed, on whatever machine."""
ROUNDS = int(os.environ.get("BANKHOOK_SOAK_ROUNDS", "1"))
"""How often a fault is repeated."""


def payloads(count: int, *, seed: int = 5, members: int = 4, faults: bankhook.sandbox.Faults | None = None) -> list[bytes]:
    """Deliveries of the sandbox."""
    return [one.payload for one in bankhook.Sandbox(seed=seed, members=members, faults=faults).deliveries(count)]


@asynccontextmanager
async def filled(
    url: str | Path,
    bodies: Sequence[bytes],
    *,
    attempts: int = 3,
    backoff: datetime.timedelta = SOON,
    turn: float = 5,
    give_up: datetime.timedelta = datetime.timedelta(days=1),
) -> AsyncGenerator[Inbox]:
    """An open inbox to which these were appended."""
    seconds = datetime.timedelta(seconds=turn)
    async with bankhook.inbox.open(url, attempts=attempts, backoff=backoff, turn=seconds, give_up=give_up) as inbox:
        await inbox.append([examine(body) for body in bodies])
        yield inbox


@asynccontextmanager
async def handling(inbox: Inbox) -> AsyncGenerator[list[int]]:
    """While the deliveries of an inbox are handled, from the first one on: the numbers of those that were."""
    handlers, stop, seen, begun = bankhook.Handlers(), asyncio.Event(), list[int](), asyncio.Event()

    @handlers.fallback
    async def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        seen.append(context.delivery.number)
        begun.set()

    tasks = asyncio.create_task(inbox.run(handlers, stop=stop)), asyncio.create_task(begun.wait())
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    try:
        yield seen
    finally:
        stop.set()
        tasks[1].cancel()
        await tasks[0]


async def found(inbox: Inbox, query: bankhook.inbox.Query | None = None) -> list[Delivery]:
    """The deliveries that a query finds."""
    return [delivery async for delivery in inbox.find(query)]


class Progress:
    """Ends a loop that waits for something: nothing may stay the same for longer than `HANGS`."""

    def __init__(self, awaited: str) -> None:
        self._awaited = awaited
        self._seen: object = None
        self._since = time.monotonic()

    def check(self, seen: object = None) -> None:
        """Fail if what the loop sees has not changed for too long; with nothing to see, if the loop has taken too long."""
        now = time.monotonic()
        if seen != self._seen:
            self._seen, self._since = seen, now
        assert now - self._since < HANGS, f"{self._awaited}: nothing changed for {HANGS} s, last seen: {seen}"


class Ledger:
    """A table of the user's own in the database of the inbox: what a handler credits, in the order of crediting."""

    def __init__(self, url: str) -> None:
        self._engine: Engine = create_engine(database_url(url))
        with self._engine.begin() as connection:
            connection.execute(text("CREATE TABLE IF NOT EXISTS credits (key TEXT NOT NULL, delivery BIGINT NOT NULL)"))
        self._engine.dispose()

    @staticmethod
    def credit(context: bankhook.HandlerContext) -> None:
        """Credit, in the inbox's transaction."""
        assert context.delivery is not None
        context.begin().execute(CREDIT, {"key": context.key, "delivery": context.delivery.number})

    @staticmethod
    async def credit_async(context: bankhook.HandlerContext) -> None:
        """Credit, in the inbox's transaction, from an async handler."""
        assert context.delivery is not None
        connection = await context.begin()
        await connection.execute(CREDIT, {"key": context.key, "delivery": context.delivery.number})

    def rows(self) -> list[tuple[str, int]]:
        """All that was credited."""
        with self._engine.connect() as connection:
            rows = connection.execute(text("SELECT key, delivery FROM credits ORDER BY delivery, key"))
            found = [(row.key, row.delivery) for row in rows]
        self._engine.dispose()
        return found
