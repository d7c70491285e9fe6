# SPDX-License-Identifier: MIT
"""What a look at the health of a receiver costs: one is shared by all who ask, and none reads a body."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError, examine
from bankhook.receiver import Receiver, _counts, _shared, _writer, anyone
from inbox.watching import watched
from receiver.asked import CREATED, asking, eventually, is_green, is_red, running
from receiver.memory import MemoryInbox


class Counted(MemoryInbox):
    """It counts the looks of a receiver, and can leave them without an answer."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0
        self.answers = asyncio.Event()
        self.answers.set()

    async def check(self) -> None:
        self.looks += 1
        await self.answers.wait()

    async def counts(self) -> dict[DeliveryState, int]:
        self.looks += 1
        await self.answers.wait()
        raise InboxError("it is away")


@pytest.mark.parametrize("path", ["/readyz", "/healthz", "/metrics"])
def test_a_thousand_who_ask_cost_two_looks_a_second(path: str) -> None:
    @running
    async def ask() -> None:
        inbox = Counted()
        async with asking(Receiver(inbox, verify=anyone)) as client:
            start = time.monotonic()
            for _ in range(20):
                answers = await asyncio.gather(*(client.get(path) for _ in range(50)))
                assert {answer.status_code for answer in answers} == {200}
            assert inbox.looks <= 2 * (time.monotonic() - start) + 1

    ask()


def test_a_look_that_hangs_is_shared_and_answers_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_counts, "COUNT_SECONDS", 0.5)

    @running
    async def ask() -> None:
        inbox = Counted()
        async with asking(Receiver(inbox, verify=anyone)) as client:
            inbox.answers.clear()
            await asyncio.gather(*(client.get(path) for path in ("/readyz", "/healthz", "/metrics") for _ in range(20)))
            assert inbox.looks == 2
            assert (await client.post("/webhook", content=CREATED)).status_code == 204  # no look blocks it
            await asyncio.sleep(0)
            assert (await client.get("/readyz")).status_code == 200  # it was stored
            monkeypatch.setattr(_writer, "PAUSE_SECONDS", 0.0)
            await eventually(lambda: is_red(client))
            inbox.answers.set()
            await eventually(lambda: is_green(client))

    ask()


def test_looks_read_no_bodies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_shared, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(_writer, "PAUSE_SECONDS", 0.0)

    @running
    async def look() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db")
        async with asking(Receiver(inbox, verify=anyone)) as client:
            await inbox.append([examine(CREATED)] * 20)
            with watched() as seen:
                for path in ("/readyz", "/healthz", "/metrics") * 3:
                    assert (await client.get(path)).status_code == 200
            assert [one for one, _ in seen.statements if one.startswith("SELECT") and "body" in one] == []
            # What a look stores, and does not keep.
            assert len([one for one, _ in seen.statements if one.startswith("DELETE FROM bankhook_deliveries")]) == 3
            assert (await inbox.counts())[DeliveryState.PENDING] == 20

    look()
