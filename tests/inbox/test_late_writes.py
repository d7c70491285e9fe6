# SPDX-License-Identifier: MIT
"""Handlers that leave a task: what it asks of the inbox after their end comes too late, and does no harm."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError, examine

BODIES = [b'{"event":"one"}', b'{"event":"two"}', b'{"event":"three"}']


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_task_that_outlives_its_handler_gets_an_error_and_others_can_write(url: str, has_begun: bool) -> None:
    handlers, failed, tasks = bankhook.Handlers(), list[str](), set[asyncio.Task[None]]()
    ended = asyncio.Event()

    async def write_late(context: bankhook.HandlerContext) -> None:
        await ended.wait()
        try:
            await (await context.begin()).execute(text("select 1"))
        except InboxError as error:
            failed.append(str(error))

    @handlers.fallback(name="leaves a task")
    async def leave(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        if has_begun:
            await (await context.begin()).execute(text("select 1"))
        tasks.add(asyncio.create_task(write_late(context)))

    async def use() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(BODIES[0])])
            assert await inbox.drain(handlers) == 1
            ended.set()
            await asyncio.gather(*tasks)
            ended.clear()
            await inbox.append([examine(body) for body in BODIES[1:]])
            assert await inbox.drain(handlers) == 2
            ended.set()
            await asyncio.gather(*tasks)
            assert (await inbox.counts())[DeliveryState.HANDLED] == 3

    asyncio.run(asyncio.wait_for(use(), 60))
    assert len(failed) == 3
    assert all("have ended" in one for one in failed)
