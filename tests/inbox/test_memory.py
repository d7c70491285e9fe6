# SPDX-License-Identifier: MIT
"""What handling holds in memory is bounded, however large the states of the members are that a batch needs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import bankhook
from bankhook.inbox._members import Load, MembersInUse
from bankhook.inbox._sql import engine, results
from inbox import large
from inbox.history import filled, payloads
from installed import need_packages

MEMBERS = 100
BOUND = 200 << 10  # KiB; all of the states have twice as many


def test_members_are_forgotten_while_others_are_handled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_use, limit, batch = list[int](), 10, 20

    class Few(MembersInUse):
        def __init__(self, load: Load, options: bankhook.Tracker) -> None:
            super().__init__(load, options, members=limit)

        def prepare(self, members: Iterable[str]) -> None:
            super().prepare(members)
            in_use.append(len(self._used))

    monkeypatch.setattr(results, "MembersInUse", Few)
    monkeypatch.setattr(engine, "BATCH", batch)

    async def run() -> None:
        async with filled(tmp_path / "inbox.db", payloads(400, members=200)) as inbox:
            assert await inbox.drain(bankhook.Handlers()) == 400

    asyncio.run(run())
    assert limit < max(in_use) <= limit + batch


@pytest.mark.soak
@pytest.mark.slow
def test_large_states_are_not_all_in_memory_at_once(url: str) -> None:
    need_packages("sqlalchemy")
    assert MEMBERS * large.SIZE >= 2 * BOUND << 10
    command = [sys.executable, "-m", "inbox.large", url, str(MEMBERS)]
    ran = subprocess.run(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, check=True)
    assert int(ran.stdout) < BOUND
