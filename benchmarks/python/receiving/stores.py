# SPDX-License-Identifier: MIT
"""What storing and handling cost without a network, as an inbox fills, and with processes that handle it side by side."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import re
import statistics
import time
from itertools import pairwise
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

import bankhook
import bankhook.inbox
from bankhook.inbox import examine

__all__ = ["Growth", "growth", "handled"]

COMMIT = 64  # deliveries
PART = 100 * COMMIT
AROUND = 3  # parts, of which the middle one counts
EARLY = 10_000


class Growth(NamedTuple):
    """Of a delivery when the inbox is full, to store it and to handle it: bytes, and rates as parts of those at `EARLY`."""

    stored_bytes: float
    handled_bytes: float
    stored_rate: float
    handled_rate: float


async def growth(file: Path, count: int) -> Growth:
    """Store and handle so many deliveries of a million members."""
    sandbox, ids = bankhook.Sandbox(seed=1, members=1), random.Random(1)
    event = sandbox.send_initial_transaction(sandbox.member(0))
    members = [f"{ids.getrandbits(96):024x}" for _ in range(1_000_000)]

    def delivery() -> bankhook.inbox.Delivery:
        customer = event.customer.replace(id=ids.choice(members))
        bought = event.initial_transaction.replace(id=f"{ids.getrandbits(96):024x}")
        return examine(event.replace(customer=customer, initial_transaction=bought).to_json())

    parts = list[Growth]()  # with seconds in place of rates
    async with bankhook.inbox.open(file) as inbox:
        for _ in range(0, count, PART):
            deliveries = [delivery() for _ in range(PART)]
            looks = [(_written(), time.perf_counter())]
            for start in range(0, PART, COMMIT):
                await inbox.append(deliveries[start : start + COMMIT])
            looks.append((_written(), time.perf_counter()))
            await inbox.drain(bankhook.Handlers())
            looks.append((_written(), time.perf_counter()))
            (append, appended), (handle, handled) = (
                ((after[0] - before[0]) / PART, after[1] - before[1]) for before, after in pairwise(looks)
            )
            parts.append(Growth(append, handle, appended, handled))

    def middle(found: list[Growth]) -> Growth:
        return Growth(*map(statistics.median, zip(*found, strict=True)))

    first = max(0, EARLY // PART - AROUND // 2)
    early, late = middle(parts[first : first + AROUND]), middle(parts[-AROUND:])
    return Growth(*late[:2], early.stored_rate / late.stored_rate, early.handled_rate / late.handled_rate)


def _written() -> int:
    found = re.search(r"wchar: (\d+)", Path("/proc/self/io").read_text())
    assert found is not None
    return int(found[1])


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
