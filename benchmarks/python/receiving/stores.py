# SPDX-License-Identifier: MIT
"""How long handling takes without a network, also with processes that handle side by side."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from multiprocessing.synchronize import Barrier

import bankhook
import bankhook.inbox
from bankhook.inbox import examine

__all__ = ["handled"]


def handled(
    url: str,
    count: int,
    *,
    members: int,
    seconds: float = 0,
    workers: int = 1,
    concurrency: int = 1,
    is_async: bool = False,
) -> float:
    """Fill an inbox, and return how long processes take to handle it whose handlers wait for so long each."""
    sandbox = bankhook.Sandbox(seed=1, members=members)
    bodies = [sandbox.send_initial_transaction(sandbox.member(number % members)).raw for number in range(count)]

    async def fill() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(body) for body in bodies])

    asyncio.run(fill())
    spawn = multiprocessing.get_context("spawn")
    meeting = spawn.Barrier(workers + 1, timeout=300)
    processes = [spawn.Process(target=_handle, args=(url, seconds, concurrency, is_async, meeting)) for _ in range(workers)]
    for process in processes:
        process.start()
    meeting.wait()
    start = time.perf_counter()
    meeting.wait()
    taken = time.perf_counter() - start
    for process in processes:
        process.join()
    return taken


def _handle(url: str, seconds: float, concurrency: int, is_async: bool, meeting: Barrier) -> None:
    handlers = bankhook.Handlers()

    def wait(event: bankhook.AnyEvent) -> None:
        if seconds:
            time.sleep(seconds)

    async def wait_async(event: bankhook.AnyEvent) -> None:
        await asyncio.sleep(seconds)

    handlers.fallback(wait_async if is_async else wait)

    async def handle() -> None:
        async with bankhook.inbox.open(url) as inbox:
            meeting.wait()
            await inbox.drain(handlers, concurrency=concurrency)
            meeting.wait()

    asyncio.run(handle())
