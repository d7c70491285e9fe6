# SPDX-License-Identifier: MIT
"""What pages and counts cost does not grow with what was handled: SQLite says how it reads the tables."""

from __future__ import annotations

import asyncio
import datetime
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import bankhook
from bankhook.inbox import DeliveryState, Inbox, Overdue, Query, examine
from bankhook.inbox._records import IdQuery
from inbox.bought import CONNECTED, CREATED
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
    "newest of a key": lambda inbox: newest(inbox, Query(key="k")),
    "newest of either": lambda inbox: newest(inbox, IdQuery(id="k")),
    "beside one": lambda inbox: inbox._beside([Query(), Query(member="m")], 5),  # type: ignore[attr-defined]
    "newest of a rule": lambda inbox: newest(inbox, Query(rule="r")),
    "newest of a state": lambda inbox: newest(inbox, Query(states=(DeliveryState.PARKED,))),
    "cases": lambda inbox: inbox.cases(after=5, limit=100),
    "overdue": lambda inbox: inbox.open_since(ANY_AGE, limit=100),
    "more overdue": lambda inbox: inbox.open_since(ANY_AGE, after=LAST, limit=100),
    "dead letters": lambda inbox: inbox.dead_letters(),
}


def fail(event: bankhook.AnyEvent) -> None:
    raise RuntimeError


def plan(path: Path, statements: list[tuple[str, Any]]) -> list[str]:
    """How SQLite runs them, step by step."""
    with sqlite3.connect(path) as database:
        plans = [database.execute(f"EXPLAIN QUERY PLAN {text}", parameters).fetchall() for text, parameters in statements]
    database.close()
    return [row[3] for one in plans for row in one]


@pytest.mark.parametrize("what", ASKED)
def test_nothing_reads_through_the_deliveries_that_were_handled(tmp_path: Path, what: str) -> None:
    path = tmp_path / "inbox.db"

    async def run() -> list[str]:
        async with filled(path, payloads(10)) as inbox:
            with watched() as seen:
                await ASKED[what](inbox)
        return plan(path, [one for one in seen.statements if one[0].startswith("SELECT")])

    steps = asyncio.run(run())
    assert steps
    for step in steps:
        assert "TEMP B-TREE FOR ORDER BY" not in step
        if step.startswith("SCAN bankhook_deliveries"):
            assert step.endswith("INDEX bankhook_deliveries_not_handled") or what in ("newest", "beside one")


def test_deliveries_that_are_not_handled_are_read_once_for_either_id(tmp_path: Path) -> None:
    path = tmp_path / "inbox.db"

    async def run() -> list[str]:
        async with filled(path, payloads(10)) as inbox:
            with watched() as seen:
                await newest(inbox, IdQuery(id="k", states=(DeliveryState.QUARANTINED,)))
        return plan(path, [one for one in seen.statements if one[0].startswith("SELECT")])

    assert sum("bankhook_states_not_handled" in step for step in asyncio.run(run())) == 1


def test_whether_there_is_a_case_is_read_from_the_deliveries_of_its_key(tmp_path: Path) -> None:
    path = tmp_path / "inbox.db"
    sandbox = bankhook.Sandbox(seed=1, members=1)
    event = sandbox.send_initial_transaction(sandbox.member(0))
    other = event.replace(customer=event.customer.replace(id="another"))

    async def run() -> list[str]:
        async with filled(path, payloads(10)) as inbox:
            await inbox.append([examine(other.to_json())])
            with watched() as seen:
                await inbox.drain(bankhook.Handlers())
        return plan(
            path, [one for one in seen.statements if "bankhook_found" in one[0] or "bankhook_deliveries.key" in one[0]]
        )

    steps = asyncio.run(run())
    assert "SEARCH entry USING PRIMARY KEY (hash=?)" in steps
    assert {step for step in steps if step.startswith("SCAN")} <= {"SCAN wanted VIRTUAL TABLE INDEX 1:"}


def test_whether_newer_news_was_handled_is_read_from_the_deliveries_of_its_key(tmp_path: Path) -> None:
    path = tmp_path / "inbox.db"

    async def run() -> list[str]:
        async with filled(path, [CREATED.raw, CONNECTED.raw], attempts=1) as inbox:
            handlers = bankhook.Handlers()
            handlers.fallback(fail)
            await inbox.drain(handlers)
            with watched() as seen:
                assert await inbox.retry([1, 2]) == 2
            return plan(path, [one for one in seen.statements if "bankhook_found.hash" in one[0]])

    steps = asyncio.run(run())
    assert [step for step in steps if "bankhook_found" in step] == 2 * [
        "SEARCH bankhook_found USING PRIMARY KEY (hash=? AND number>?)"
    ]
