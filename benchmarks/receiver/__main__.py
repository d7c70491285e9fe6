# SPDX-License-Identifier: MIT
"""How many durable deliveries a second a receiver acknowledges, how long they take, and what memory it needs.

wrk gives the load, over loopback, on the same processors. Each bar is printed with what is reached.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, examine

HERE = Path(__file__).parent
CONNECTIONS = 128
MEMBERS, HISTORY = 2_000, 100_000
WARM_UP = 2  # seconds
COMMIT = 64  # deliveries
PART = 100 * COMMIT


class Load(NamedTuple):
    """What wrk reports."""

    rate: float
    median: float
    """Milliseconds."""
    p99: float
    errors: int


class Served:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        assert process.stdout is not None
        self._pid, self._folder = process.pid, folder
        self._url = f"http://127.0.0.1:{int(process.stdout.readline())}/webhook"

    def load(self, seconds: int, *, pause: int = 0, history: int = 1) -> Load:
        """Post a history in a circle; with pauses of these milliseconds between the answer and the next request."""
        body = self._folder / "bodies.ndjson"
        if history == 1:
            sandbox = bankhook.Sandbox(seed=1, members=1)
            body.write_bytes(sandbox.send_initial_transaction(sandbox.member(0)).raw + b"\n")
        else:
            deliveries = bankhook.Sandbox(seed=1, members=MEMBERS).deliveries(history)
            body.write_bytes(b"".join(delivery.payload + b"\n" for delivery in deliveries))
        done = subprocess.run(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(HERE / "load.lua"), self._url],
            env={**os.environ, "BODY": str(body), "MILLISECONDS": str(pause)},
            capture_output=True,
            text=True,
            check=True,
        )
        found = json.loads(done.stdout.splitlines()[-1])
        return Load(found["answers"] / found["seconds"], found["median"], found["p99"], found["errors"])

    def pending(self) -> int:
        """Count the deliveries that are stored and not handled yet."""

        async def counted() -> int:
            async with bankhook.inbox.open(self._folder / "inbox.db", create=False) as inbox:
                return (await inbox.counts()).get(DeliveryState.PENDING, 0)

        return asyncio.run(counted())

    def megabytes(self) -> float:
        """Memory that the process has."""
        return int(Path(f"/proc/{self._pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextlib.contextmanager
def serving(kind: str, parent: Path) -> Generator[Served, None, None]:
    """Run a server, and warm it up."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        command = [sys.executable, str(HERE / "servers.py"), kind, folder]
        path = str(HERE.parent / "python")
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
        ) as process:
            try:
                served = Served(process, Path(folder))
                served.load(WARM_UP)
                yield served
            finally:
                process.terminate()


def written(stored: int, parent: Path) -> tuple[float, float]:
    """Return the bytes that a process writes to store a delivery, and to handle it, when so many of many members are stored."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        return asyncio.run(_written(stored, Path(folder) / "inbox.db"))


async def _written(stored: int, file: Path) -> tuple[float, float]:
    sandbox, ids = bankhook.Sandbox(seed=1, members=1), random.Random(1)
    event = sandbox.send_initial_transaction(sandbox.member(0))
    members = [f"{ids.getrandbits(96):024x}" for _ in range(1_000_000)]

    def arrival() -> bankhook.inbox.Arrival:
        customer = event.customer.replace(id=ids.choice(members))
        bought = event.initial_transaction.replace(id=f"{ids.getrandbits(96):024x}")
        return examine(event.replace(customer=customer, initial_transaction=bought).to_json())

    async with bankhook.inbox.open(file) as inbox:
        appended = handled = 0.0
        for _ in range(0, stored, PART):
            arrivals = [arrival() for _ in range(PART)]
            before = _bytes()
            for start in range(0, PART, COMMIT):
                await inbox.append(arrivals[start : start + COMMIT])
            between = _bytes()
            await inbox.drain(bankhook.Handlers())
            appended, handled = (between - before) / PART, (_bytes() - between) / PART
        return appended, handled


def _bytes() -> int:
    found = re.search(r"wchar: (\d+)", Path("/proc/self/io").read_text())
    assert found is not None
    return int(found[1])


def bar(sentence: str, reached: float, limit: float, *, at_least: bool) -> bool:
    """Print a bar with what is reached."""
    is_met = reached >= limit if at_least else reached <= limit
    print(
        f"{'met   ' if is_met else 'MISSED'}  {sentence}: {reached:.2f}, {'at least' if at_least else 'at most'} {limit:g}"
    )
    return is_met


def main() -> int:
    """Measure, print, and return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=5, help="of each load; each server is loaded three times in turn")
    parser.add_argument("--deliveries", type=int, default=50_000, help="over which memory has to stay flat")
    parser.add_argument(
        "--folder", type=Path, default=Path("build"), help="where databases are written, on the disk to measure"
    )
    parser.add_argument("--stored", type=int, default=100_000, help="deliveries, after which the bytes of one are counted")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rates: dict[str, list[float]] = {"plain": [], "receiver": [], "without storing": []}
    errors = 0
    for _ in range(3):  # in turn, so that what else the machine does meets all of them
        for kind in rates:
            with serving(kind, options.folder) as served:
                load = served.load(options.seconds)
                rates[kind].append(load.rate)
                errors += load.errors if kind == "receiver" else 0
                print(f"{kind:16} {load.rate:8,.0f} a second, median {load.median:.1f} ms, p99 {load.p99:.1f} ms")
    middle = {kind: sorted(measured)[1] for kind, measured in rates.items()}
    with serving("receiver", options.folder) as served:
        half = served.load(2 * options.seconds, pause=round(CONNECTIONS / (middle["receiver"] / 2) * 1e3))
        print(f"half load        {half.rate:8,.0f} a second, median {half.median:.1f} ms, p99 {half.p99:.1f} ms")
        before, taken, start = served.megabytes(), 0.0, time.monotonic()
        while taken < options.deliveries:
            load = served.load(options.seconds)
            taken += load.rate * options.seconds
            errors += load.errors
        after = served.megabytes()
        print(f"memory           {before:.0f} MB, after {taken:,.0f} more {after:.0f} MB, {time.monotonic() - start:.0f} s")
    with serving("handling", options.folder) as served:
        pause = round(CONNECTIONS / (middle["receiver"] / 2) * 1e3)
        beside = served.load(2 * options.seconds, pause=pause, history=HISTORY)
        late = served.pending() / beside.rate
        print(f"handling         {beside.rate:8,.0f} a second received, those of {late:.2f} s not handled at the end")
    appended, handled = written(options.stored, options.folder)
    print(f"written          {appended:8,.0f} bytes to store a delivery, {handled:,.0f} to handle it")
    met = [
        bar("times the plain receiver", middle["receiver"] / middle["plain"], 5, at_least=True),
        bar("of the rate without storing", middle["receiver"] / middle["without storing"], 0.5, at_least=True),
        bar("99th percentile at half load, in medians", half.p99 / half.median, 10, at_least=False),
        bar("memory afterwards, of that before", after / before, 1.1, at_least=False),
        bar("seconds by which handling is later, at half load", late, 1, at_least=False),
        bar("bytes written to store a delivery", appended, 2000, at_least=False),
        bar("bytes written to store and handle a delivery", appended + handled, 4000, at_least=False),
        bar("answers that are not a 2xx, or missing", errors, 0, at_least=False),
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
