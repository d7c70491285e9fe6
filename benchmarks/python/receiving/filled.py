# SPDX-License-Identifier: MIT
"""What storing and handling write, and how fast they are, in an inbox that is nearly empty and in one that is full.

    ./dev bench --inbox

Deliveries are of random members and have random keys. An inbox is filled by SQL, as if the deliveries had been handled, and each
round continues a copy of it (in PostgreSQL, the table of the round before). What is counted is `wchar` of `/proc/self/io`.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import create_engine, insert, literal, select, update

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery, examine
from bankhook.inbox._sql.tables import deliveries, found, handled, inbox, opened
from bankhook.inbox._sql.types import hash_of
from bankhook.inbox._sql.urls import database_url
from inbox.postgresql import PostgreSQL

__all__ = ["bar", "fill", "measured"]

EMPTY = 10_000
COMMIT, PART, ROWS = (
    64,
    19_200,
    10_000,
)  # deliveries that are appended, then handled at once; rows that are filled in at once
MEMBERS = 1_000_000


class Measured(NamedTuple):
    """Of a delivery: bytes that were written to store and to handle it, and how many a second were."""

    stored_bytes: float
    handled_bytes: float
    stored_rate: float
    handled_rate: float


def made(seed: int) -> Iterator[Delivery]:
    """Deliveries of random members: each the first of a transaction."""
    sandbox, ids = bankhook.Sandbox(seed=1, members=1), random.Random(seed)
    event = sandbox.send_initial_transaction(sandbox.member(0))
    old = [one.encode() for one in (event.customer.id, event.initial_transaction.id)]
    while True:
        body = event.raw
        for one, new in zip(old, (f"member{ids.randrange(MEMBERS):018}", f"{ids.getrandbits(96):024x}"), strict=True):
            body = body.replace(one, new.encode())
        yield examine(body)


def fill(url: str, count: int) -> None:
    """Make an inbox in which so many deliveries were handled, one a second."""

    async def make() -> None:
        async with bankhook.inbox.open(url):
            pass

    asyncio.run(make())
    entries, begin = list[dict[str, int]](), datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=count)
    engine = create_engine(database_url(url))
    with engine.begin() as connection:
        new = zip(range(1, count + 1), made(0), strict=False)
        for _ in range(0, count, ROWS):
            rows = list[dict[str, object]]()
            for number, one in (next(new) for _ in range(ROWS)):
                received = begin + datetime.timedelta(seconds=number)
                about = {name: getattr(one, name) for name in ("event", "member", "key", "body")}
                rows.append({"number": number, "received": received, "headers": "[]", "findings": "[]", **about})
                hashes = hash_of("member", one.member or ""), hash_of("key", one.key or "")
                entries += ({"hash": each, "number": number, "commit_number": number // 2000} for each in hashes)
            connection.execute(insert(deliveries), rows)
        entries.sort(key=lambda entry: entry["hash"])
        for start in range(0, len(entries), ROWS):
            connection.execute(insert(found), entries[start : start + ROWS])
        for table in (handled, opened):
            times = select(deliveries.c.received, deliveries.c.number).order_by(deliveries.c.number)
            connection.execute(insert(table).from_select(["received", "number"], times))
        connection.execute(update(inbox).values(commit_number=literal(count // 2000)))
    engine.dispose()


def written() -> int:
    """How many bytes this process has written."""
    found = re.search(r"wchar: (\d+)", Path("/proc/self/io").read_text())
    assert found is not None
    return int(found[1])


async def measured(url: str, count: int, seed: int) -> Measured:
    """Append so many deliveries at least, a few with each commit, and handle them."""
    new, looks, done = made(seed), list[list[float]](), 0
    async with bankhook.inbox.open(url) as inbox:
        while done < count:
            part = [next(new) for _ in range(PART)]
            looks.append([written(), time.perf_counter()])
            for start in range(0, PART, COMMIT):
                await inbox.append(part[start : start + COMMIT])
            looks[-1] += written(), time.perf_counter()
            await inbox.drain(bankhook.Handlers())
            looks[-1] += written(), time.perf_counter()
            done += PART
    bytes_before, before, bytes_between, between, bytes_after, after = map(sum, zip(*looks, strict=True))
    return Measured(
        (bytes_between - bytes_before) / done,
        (bytes_after - bytes_between) / done,
        done / (between - before),
        done / (after - between),
    )


def bar(sentence: str, reached: float, limit: float, *, at_least: bool) -> bool:
    """Print a bar with what is reached."""
    is_met = reached >= limit if at_least else reached <= limit
    print(
        f"{'met   ' if is_met else 'MISSED'}  {sentence}: {reached:.2f}, {'at least' if at_least else 'at most'} {limit:g}"
    )
    return is_met


def main() -> int:
    """Measure, print, and return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often all of it is measured, in turn")
    parser.add_argument("--stored", type=int, nargs="*", default=[500_000, 1_000_000], help="with which an inbox is full")
    parser.add_argument("--in-postgresql", type=int, default=500_000, help="the same in PostgreSQL; 0: not there")
    parser.add_argument("--folder", type=Path, default=Path("build"), help="where files are, on the disk to measure")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    results, met = defaultdict[tuple[str, int], list[Measured]](list), list[bool]()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, PostgreSQL() as server:
        urls = {("SQLite", count): f"{folder}/{count}.db" for count in (EMPTY, *options.stored)}
        if options.in_postgresql:
            urls |= {("PostgreSQL", count): server.url() for count in (EMPTY, options.in_postgresql)}
        for (_, count), url in urls.items():
            fill(url, count)
        for seed in range(1, options.rounds + 1):
            for (store, stored), url in urls.items():
                is_file = store == "SQLite"
                round_url = shutil.copy(url, f"{folder}/round{seed}-{stored}.db") if is_file else url
                # All that gathers before it is put in order, at least once.
                one = asyncio.run(measured(round_url, stored // 18 if is_file else PART, seed))
                results[store, stored].append(one)
                if is_file:
                    Path(round_url).unlink()
                print(f"{store:10} {stored:9,} stored: " + ", ".join(f"{n} {v:,.0f}" for n, v in one._asdict().items()))
    middles = {key: Measured(*map(statistics.median, zip(*rounds, strict=True))) for key, rounds in results.items()}
    for (store, stored), middle in middles.items():
        if stored == EMPTY:
            continue
        early = middles[store, EMPTY]
        if store == "SQLite":
            whole = middle.stored_bytes + middle.handled_bytes
            met.append(bar(f"SQLite, {stored:,} stored: bytes to store and handle", whole, 4000, at_least=False))
        for name in ("stored_rate", "handled_rate"):
            part = getattr(middle, name) / getattr(early, name)
            met.append(bar(f"{store}, {stored:,} stored: {name}, of that at {EMPTY:,}", part, 0.8, at_least=True))
    print(f"{sum(met)} of {len(met)} bars met")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
