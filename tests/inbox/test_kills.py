# SPDX-License-Identifier: MIT
"""Whatever the place at which a process is killed: the state is that without kills, and effects in its database happen once."""

from __future__ import annotations

import asyncio
import datetime
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import Case, Inbox
from inbox.history import HANGS, ROUNDS, Ledger, filled, found, payloads
from inbox.killed import handlers

pytestmark = pytest.mark.soak

FAULTS = bankhook.sandbox.Faults(duplicate=0.1, reorder=0.1, drop=0.05, truncate=0.05, future=0.05)
HISTORY = payloads(400, members=20, faults=FAULTS)
TESTS = Path(__file__).parents[1]


async def all_of(inbox: Inbox) -> tuple[dict[str, bytes | None], dict[int, str], list[Case], list[str]]:
    """Everything that handling stores, but for what depends on when it happened."""
    deliveries = await found(inbox)
    members = sorted({one.member for one in deliveries if one.member is not None})
    snapshots = {member: await inbox.state_of(member) for member in members}
    states = {one.number: one.state.value for one in deliveries}
    cases = sorted((one.replace(number=0, received=one.received.min) for one in await inbox.cases()), key=repr)
    return snapshots, states, cases, sorted(one.key for one in await inbox.open_since(datetime.timedelta(days=-1)))


async def without_kills(url: str, ledger: Ledger) -> object:
    async with filled(url, HISTORY, attempts=50) as inbox:
        await inbox.drain(handlers(ledger))
        return await all_of(inbox)


async def fill(url: str) -> None:
    async with filled(url, HISTORY):
        pass


async def read(url: str) -> object:
    async with bankhook.inbox.open(url) as inbox:
        return await all_of(inbox)


def lives(url: str, places: random.Random) -> int:
    """Run processes until one of them lives to the end; how many were killed."""
    kills = 0
    while True:
        # A life is longer than the one before, so that there is an end.
        command = [sys.executable, "-m", "inbox.killed", url, str(places.randrange(200, 20_000 * (1 + kills)))]
        done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False, timeout=HANGS)
        if done.returncode == 0:
            return kills
        assert done.returncode == -signal.SIGKILL, done.stderr
        kills += 1
        assert kills < 200, "no process lived to the end"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(max(2, ROUNDS)))
def test_kills_at_any_place_change_nothing(url: str, tmp_path: Path, seed: int) -> None:
    quiet = str(tmp_path / "quiet.db")
    expected = asyncio.run(without_kills(quiet, Ledger(quiet)))
    asyncio.run(fill(url))
    Ledger(url)
    assert lives(url, random.Random(seed)) > 0
    assert asyncio.run(read(url)) == expected
    rows = Ledger(url).rows()
    assert len({key for key, _ in rows}) == len(rows) > 30
    assert rows == Ledger(quiet).rows()
