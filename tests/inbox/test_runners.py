# SPDX-License-Identifier: MIT
"""Two runners at once, in SQLite after the file of the lock was deleted: none stores a state that lacks what the other stored."""

from __future__ import annotations

import asyncio
import datetime
import threading
from contextlib import ExitStack

from sqlalchemy import Connection

import bankhook
from bankhook.inbox import examine
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.runner import Runner
from bankhook.inbox._sql.urls import database_url
from inbox.history import filled, payloads

HISTORY = payloads(4, members=1)


def test_a_runner_goes_on_from_what_another_one_stored(url: str) -> None:
    async def run() -> None:
        with ExitStack() as stack:
            database = Database(database_url(url), create=True)
            stack.callback(database.close)

            def connect() -> Connection:
                return stack.enter_context(database.connect())

            def runner() -> Runner:
                once = Retries(1, datetime.timedelta(0))
                made = Runner(
                    database, connect, lambda _: None, threading.Event(), handlers=bankhook.Handlers(), retries=once
                )
                stack.callback(made.close)
                return made

            async with filled(url, HISTORY[:1]) as inbox:
                old = runner()
                assert old.batch() == (1, 1)
                new = runner()
                await inbox.append([examine(HISTORY[1])])
                assert new.batch() == (1, 1)
                await inbox.append([examine(HISTORY[2])])
                assert old.batch() == (1, 1)
                await inbox.append([examine(HISTORY[3])])
                assert runner().batch() == (1, 1)
                state = await inbox.state_of(examine(HISTORY[0]).member or "")
        tracker = bankhook.Tracker()
        for body in HISTORY:
            tracker.apply(bankhook.parse(body))
        assert state is not None
        assert bankhook.Tracker.restore(state) == tracker

    asyncio.run(run())
