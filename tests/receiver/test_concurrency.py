# SPDX-License-Identifier: MIT
"""Handlers beside a receiver, for several deliveries at a time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import bankhook
import bankhook.inbox
from bankhook.receiver import Receiver, anyone
from receiver.asked import asking, running


def test_handlers_are_called_for_as_many_members_at_a_time_as_were_asked_for(tmp_path: Path) -> None:
    sandbox, handlers, met = bankhook.Sandbox(seed=1, members=2), bankhook.Handlers(), list[str]()
    barrier = asyncio.Barrier(2)

    @handlers.fallback
    async def meet(event: bankhook.AnyEvent) -> None:
        await barrier.wait()
        met.append(event.event)

    @running
    async def deliver() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db")
        async with asking(Receiver(inbox, verify=anyone, handlers=handlers, concurrency=2)) as client:
            for index in range(2):
                await client.post("/webhook", content=sandbox.send_initial_transaction(sandbox.member(index)).raw)
            while len(met) < 2:
                await asyncio.sleep(0.01)

    deliver()
