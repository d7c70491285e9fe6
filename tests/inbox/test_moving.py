# SPDX-License-Identifier: MIT
"""An inbox that outgrows a file moves to PostgreSQL: with its states, and no effect happens again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import InboxError, examine
from bankhook.inbox._sql.moving import move_all
from cli.command import objects, run, shaped
from inbox.history import Ledger, filled, found
from inbox.killed import handlers
from inbox.postgresql import PostgreSQL
from inbox.test_kills import HISTORY, all_of


def test_a_file_moves_to_postgresql_with_all_that_it_knows(postgresql: PostgreSQL, tmp_path: Path) -> None:
    async def move() -> None:
        path, url = str(tmp_path / "inbox.db"), postgresql.url()
        ledger = Ledger(path)
        async with filled(path, HISTORY[:300], attempts=50) as inbox:
            await inbox.drain(handlers(ledger))
            await inbox.append([examine(body) for body in HISTORY[300:-1]])
            before = await all_of(inbox)
            async with bankhook.inbox.open(url, attempts=50) as moved:
                assert move_all(inbox, moved) == len(HISTORY) - 1
                assert move_all(inbox, moved) == 0
                assert await all_of(moved) == before
                await inbox.append([examine(HISTORY[-1])])
                assert move_all(inbox, moved) == 1
                assert [one.body for one in await found(moved)] == HISTORY
                again = Ledger(url)
                await moved.drain(handlers(again))
                both = [key for one in (ledger, again) for key, _ in one.rows()]
                assert len(both) == len(set(both)) > 30
                assert len(await moved.cases()) > len(before[2])
                with pytest.raises(InboxError, match="there are deliveries in the other one"):
                    move_all(moved, inbox)

    asyncio.run(move())


def test_the_command_moves_an_inbox_and_says_how_many_deliveries(tmp_path: Path) -> None:
    source, target = str(tmp_path / "inbox.db"), str(tmp_path / "target.db")

    async def fill() -> None:
        async with filled(source, HISTORY[:4]) as inbox:
            await inbox.drain(bankhook.Handlers())

    asyncio.run(fill())
    cases = run("inbox", "cases", source)
    done = run("inbox", "move", "--json", source, target)
    assert (done.status, shaped("done", objects(done))) == (0, [{"moved": 4}])
    assert run("inbox", "cases", target) == cases
    assert run("inbox", "move", source, target) == (0, "moved=0\n", "")
    done = run("inbox", "move", target, source)
    why = "cannot copy the inbox: there are deliveries in the other one"
    assert (done.status, done.err) == (2, f"bankhook: {target}: {why}\n")
