# SPDX-License-Identifier: MIT
"""What is read at once is one state of the inbox, whatever is committed meanwhile."""

from __future__ import annotations

import asyncio
import datetime
from typing import Any

from sqlalchemy import Engine, event

import bankhook
from bankhook.inbox import Query, examine
from inbox.history import HANGS, filled, found, payloads

HISTORY = payloads(12)
AGO = datetime.timedelta(days=-1)  # whatever is open


def test_counts_are_those_of_one_moment(url: str) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        async with filled(url, HISTORY[:4]) as inbox:
            assert await inbox.drain(bankhook.Handlers()) == 4
            before = await inbox.counts()
            appended = list[int]()

            def append(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
                if "count(*)" in statement and not appended:
                    appending = inbox.append([examine(body) for body in HISTORY[4:]])
                    appended.extend(asyncio.run_coroutine_threadsafe(appending, loop).result(HANGS))

            event.listen(Engine, "after_cursor_execute", append)
            try:
                meanwhile = await inbox.counts()
            finally:
                event.remove(Engine, "after_cursor_execute", append)
            assert appended == list(range(5, 13))
            assert meanwhile == before
            assert await inbox.counts() == before | {"pending": 8}

    asyncio.run(run())


def test_numbers_that_no_delivery_can_have_are_those_of_none(url: str) -> None:
    async def run() -> None:
        huge = 2**64
        async with filled(url, HISTORY[:2]) as inbox:
            assert await inbox.drain(bankhook.Handlers()) == 2
            assert await inbox.retry([huge, -huge, 0]) == 0
            assert await inbox.settle([huge, -huge, 0]) == 0
            assert await found(inbox, Query(after=huge)) == []
            assert await inbox.cases(after=huge, limit=huge) == []
            (opened,) = await inbox.open_since(AGO, limit=huge)
            assert await inbox.open_since(AGO, after=opened.replace(delivery=huge), limit=huge) == []
            assert await inbox.open_since(AGO, after=opened.replace(delivery=-huge)) == [opened]
            assert len(await found(inbox, Query(after=-huge, before=huge))) == 2
            assert await found(inbox, Query(before=-huge)) == []

    asyncio.run(run())
