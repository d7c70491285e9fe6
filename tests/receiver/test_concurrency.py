# SPDX-License-Identifier: MIT
"""Handlers beside a receiver, for several deliveries at a time."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import InboxError
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
        receiver = Receiver(inbox, verify=anyone, handlers=handlers, concurrency=2)
        async with asking(receiver) as client:
            for index in range(2):
                await client.post("/webhook", content=sandbox.send_initial_transaction(sandbox.member(index)).raw)
            await receiver.idle()
            assert len(met) == 2
            await client.post("/webhook", content=b"{")
            await receiver.idle()  # what is quarantined waits for nobody

    deliver()


def test_idle_waits_for_retries_and_for_what_was_handled_to_be_committed(tmp_path: Path) -> None:
    handlers, calls = bankhook.Handlers(), list[str]()

    @handlers.fallback
    def fail_at_first(event: bankhook.AnyEvent) -> None:
        calls.append(event.event)
        if len(calls) == 1:
            raise bankhook.Retry(datetime.timedelta(seconds=0.2))

    @running
    async def deliver() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db")
        receiver = Receiver(inbox, verify=anyone, handlers=handlers)
        async with asking(receiver) as client:
            await client.post("/webhook", content=b'{"event":"new"}')
            await receiver.idle()
            assert [one.state.value async for one in inbox.find()] == ["handled"]
            assert len(calls) == 2
        with pytest.raises(InboxError, match="not open"):
            await receiver.idle()

    deliver()
