# SPDX-License-Identifier: MIT
"""How many durable deliveries a second a receiver acknowledges, how long they take, and what storing and handling them takes.

wrk gives the load, over loopback, on the same processors. Each bar is printed with what is reached.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState
from inbox.postgresql import PostgreSQL
from receiving.filled import bar
from receiving.stores import handled

HERE = Path(__file__).parent
CONNECTIONS = 128
MEMBERS, HISTORY = 2_000, 100_000
WARM_UP = 2  # seconds
PAUSE = round(CONNECTIONS / 3_000 * 1e3)  # milliseconds, for 3,000 deliveries a second
FULL = CONNECTIONS, 0
LOADS = {
    "bare uvicorn": [FULL],
    "by hand": [FULL, (16, 0), (CONNECTIONS, PAUSE)],
    "plain": [FULL],
    "receiver": [FULL, (16, 0), (CONNECTIONS, PAUSE)],
    "without storing": [FULL],
}
"""Connections, and milliseconds between an answer and the next request."""


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

    def load(self, seconds: int, *, connections: int = CONNECTIONS, pause: int = 0, history: int = 1) -> Load:
        """Post a history in a circle; with pauses of these milliseconds between the answer and the next request."""
        body = self._folder / "bodies.ndjson"
        if history == 1:
            sandbox = bankhook.Sandbox(seed=1, members=1)
            body.write_bytes(sandbox.send_initial_transaction(sandbox.member(0)).raw + b"\n")
        else:
            deliveries = bankhook.Sandbox(seed=1, members=MEMBERS).deliveries(history)
            body.write_bytes(b"".join(delivery.payload + b"\n" for delivery in deliveries))
        done = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(HERE / "load.lua"), self._url],
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
        command = [sys.executable, "-m", "receiving.servers", kind, folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                served = Served(process, Path(folder))
                served.load(WARM_UP)
                yield served
            finally:
                process.terminate()


def main() -> int:
    """Measure, print, and return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=4, help="of each load; each server is loaded three times in turn")
    parser.add_argument("--deliveries", type=int, default=50_000, help="over which memory has to stay flat")
    parser.add_argument(
        "--folder", type=Path, default=Path("build"), help="where databases are written, on the disk to measure"
    )
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    met = [*served(options), *in_stores(options)]
    print(f"{sum(met)} of {len(met)} bars met")
    return 0 if all(met) else 1


def served(options: argparse.Namespace) -> Generator[bool]:
    """Measure what is asked over HTTP."""
    found = defaultdict[tuple[str, int], list[Load]](list)
    errors = 0
    for _ in range(3):  # in turn, so that what else the machine does meets all of them
        for kind, loads in LOADS.items():
            with serving(kind, options.folder) as server:
                for connections, pause in loads:
                    load = server.load(options.seconds, connections=connections, pause=pause)
                    found[kind, pause or connections].append(load)
                    errors += load.errors if kind == "receiver" else 0
                    print(
                        f"{kind:16} {connections:4} connections {load.rate:8,.0f} a second, "
                        f"median {load.median:.1f} ms, p99 {load.p99:.1f} ms"
                    )

    def rate(kind: str, connections: int = CONNECTIONS) -> float:
        return statistics.median(load.rate for load in found[kind, connections])

    def p99(kind: str) -> float:
        return statistics.median(load.p99 for load in found[kind, PAUSE])

    def middle(kind: str) -> float:
        return statistics.median(load.median for load in found[kind, PAUSE])

    ours = rate("receiver")
    with serving("receiver", options.folder) as server:
        before, taken, start = server.megabytes(), 0.0, time.monotonic()
        while taken < options.deliveries:
            load = server.load(options.seconds)
            taken += load.rate * options.seconds
            errors += load.errors
        after = server.megabytes()
        print(f"memory           {before:.0f} MB, after {taken:,.0f} more {after:.0f} MB, {time.monotonic() - start:.0f} s")
    with serving("handling", options.folder) as server:
        beside = server.load(2 * options.seconds, pause=round(CONNECTIONS / (ours / 2) * 1e3), history=HISTORY)
        late = server.pending() / beside.rate
        print(f"handling         {beside.rate:8,.0f} a second received, those of {late:.2f} s not handled at the end")
    yield bar("the peer by hand, of uvicorn alone", rate("by hand") / rate("bare uvicorn"), 0.3, at_least=True)
    for connections in (16, CONNECTIONS):
        part = rate("receiver", connections) / rate("by hand", connections)
        yield bar(f"of the peer by hand, {connections} connections", part, 0.7, at_least=True)
    yield bar("times the plain receiver", ours / rate("plain"), 8, at_least=True)
    yield bar("of the rate without storing", ours / rate("without storing"), 0.5, at_least=True)
    yield bar("99th percentile at 3,000 a second, times the peer's", p99("receiver") / p99("by hand"), 4, at_least=False)
    yield bar("99th percentile at 3,000 a second, in medians", p99("receiver") / middle("receiver"), 10, at_least=False)
    yield bar("memory afterwards, of that before", after / before, 1.1, at_least=False)
    yield bar("seconds by which handling is later, at half load", late, 1, at_least=False)
    yield bar("answers that are not a 2xx, or missing", errors, 0, at_least=False)


def in_stores(options: argparse.Namespace) -> Generator[bool]:
    """Measure what is asked of a store alone."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, PostgreSQL() as server:
        numbers = count(1)
        for store, least in (("SQLite", 15_000), ("PostgreSQL", 4_000)):
            url = server.url if store == "PostgreSQL" else lambda: f"{folder}/{next(numbers)}.db"
            rate = 20_000 / handled(url(), 20_000, members=MEMBERS)
            yield bar(f"{store}: handled a second without I/O", rate, least, at_least=True)
            for is_async in (False, True):
                seconds = handled(url(), 40, members=40, seconds=0.05, concurrency=32, is_async=is_async)
                kind = "async" if is_async else "sync"
                yield bar(f"{store}: seconds of 40 {kind} handlers of 50 ms, 32 at a time", seconds, 0.2, at_least=False)
        for milliseconds, deliveries, wanted in ((0, 20_000, 1), (5, 1_000, 1.9)):
            one, two = (
                handled(server.url(), deliveries, members=200, seconds=milliseconds / 1e3, workers=workers)
                for workers in (1, 2)
            )
            yield bar(f"two workers whose handlers wait {milliseconds} ms, times one", one / two, wanted, at_least=True)


if __name__ == "__main__":
    sys.exit(main())
