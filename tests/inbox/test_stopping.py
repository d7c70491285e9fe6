# SPDX-License-Identifier: MIT
"""The end of a process whose handlers do not end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, examine
from inbox.history import HANGS, filled

SECONDS = 240.0


def test_a_sync_handler_that_hangs_does_not_hold_up_the_end_and_its_delivery_is_handled_again(url: str) -> None:
    async def append() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(b'{"event":"reward_update"}')])

    async def handle() -> list[str]:
        handlers, called = bankhook.Handlers(), list[str]()
        handlers.fallback(name="seen")(lambda event: called.append(event.event))
        async with bankhook.inbox.open(url) as inbox:
            assert (await inbox.counts())[DeliveryState.PENDING] == 1
            assert await inbox.drain(handlers) == 1
        return called

    asyncio.run(append())
    command = [sys.executable, "-m", "inbox.hanging", url]
    with subprocess.Popen(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"called\n"
            process.terminate()
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()
    assert asyncio.run(handle()) == ["reward_update"]


def test_what_was_handled_is_committed_before_the_slowest_handler_ends(url: str) -> None:
    handlers, stop, are_handled, called = bankhook.Handlers(), asyncio.Event(), threading.Event(), list[str]()

    @handlers.fallback
    def begin(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        called.append(event.event)
        if event.event == "slow":
            assert are_handled.wait(HANGS)
        else:
            context.begin()
            while not stop.is_set():
                time.sleep(0.001)

    async def run() -> None:
        async with filled(url, [b'{"event":"slow"}', b'{"event":"quick"}'], turn=HANGS) as inbox, asyncio.timeout(HANGS):
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=2))
            while len(called) < 2:
                await asyncio.sleep(0.01)
            stop.set()
            while (await inbox.counts())[DeliveryState.HANDLED] < 1:
                await asyncio.sleep(0.01)
            await inbox.append([examine(b"{")])  # nobody has kept the turn
            assert not running.done()
            are_handled.set()
            await running
            assert (await inbox.counts())[DeliveryState.HANDLED] == 2

    try:
        asyncio.run(run())
    finally:
        are_handled.set()
