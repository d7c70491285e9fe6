# SPDX-License-Identifier: MIT
"""The end of a process whose handlers do not end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, examine

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
