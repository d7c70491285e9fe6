# SPDX-License-Identifier: MIT
"""What pages and counts cost does not grow with what was handled: SQLite says how it reads the tables."""

from __future__ import annotations

import asyncio
import datetime
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bankhook.inbox import DeliveryState, Inbox, Overdue, Query
from inbox.history import filled, payloads
from inbox.watching import watched

ANY_AGE = datetime.timedelta(0)
LAST = Overdue("key", "member", datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC), 1)


async def newest(inbox: Inbox, query: Query | None = None) -> None:
    async for _ in inbox.find(query, newest_first=True, limit=100):
        pass


ASKED: dict[str, Callable[[Inbox], Awaitable[object]]] = {
    "counts": lambda inbox: inbox.counts(),
    "newest": newest,
    "newest of a member": lambda inbox: newest(inbox, Query(member="m")),
    "newest of a state": lambda inbox: newest(inbox, Query(states=(DeliveryState.PARKED,))),
    "cases": lambda inbox: inbox.cases(after=5, limit=100),
    "overdue": lambda inbox: inbox.open_since(ANY_AGE, limit=100),
    "more overdue": lambda inbox: inbox.open_since(ANY_AGE, after=LAST, limit=100),
    "dead letters": lambda inbox: inbox.dead_letters(),
}


@pytest.mark.parametrize("what", ASKED)
def test_nothing_reads_through_the_deliveries_that_were_handled(tmp_path: Path, what: str) -> None:
    path = tmp_path / "inbox.db"

    async def run() -> list[str]:
        async with filled(path, payloads(10)) as inbox:
            with watched() as seen:
                await ASKED[what](inbox)
        with sqlite3.connect(path) as database:
            plans = [
                database.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
                for statement, parameters in seen.statements
                if statement.startswith("SELECT")
            ]
        database.close()
        return [row[3] for plan in plans for row in plan]

    steps = asyncio.run(run())
    assert steps
    for step in steps:
        assert "TEMP B-TREE FOR ORDER BY" not in step
        if step.startswith("SCAN bankhook_deliveries"):
            assert step.endswith("INDEX bankhook_deliveries_not_handled") or what == "newest"
