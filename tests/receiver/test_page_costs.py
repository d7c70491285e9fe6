# SPDX-License-Identifier: MIT
"""What the page costs the receiver beside it: payloads are read in threads, lists are short, counting is rare."""

from __future__ import annotations

import asyncio
import threading
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import Case, DeliveryState, Overdue
from bankhook.receiver import Receiver, _counts as counts, anyone
from bankhook.receiver._page import views
from bankhook.receiver._page.routes import routes
from receiver.asked import CREATED, asking, running
from receiver.memory import MemoryInbox


def test_a_list_reads_each_payload_once_and_not_in_the_thread_that_receives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    select = bankhook.select("eventType")

    def select_type(payload: bytes) -> tuple[Any, ...]:
        threads.append(threading.current_thread())
        return select(payload)

    @running
    async def look() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db")
        async with asking(Receiver(inbox, verify=anyone)._serve_beside(routes(inbox))) as client:
            for body in (CREATED, CREATED, b"{", CREATED[:-1] + b" " * views.BODY_LIMIT + b"}"):
                await client.post("/webhook", content=body)
            monkeypatch.setattr(views, "_select_type", select_type)
            text = (await client.get("http://127.0.0.1:8000/")).text
            assert text.count(">created<") == 2

    look()
    assert len(threads) == 2
    assert threading.current_thread() not in threads


def test_a_list_of_large_payloads_takes_bounded_memory(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db")
        async with asking(Receiver(inbox, verify=anyone)._serve_beside(routes(inbox))) as client:
            for number in range(60):
                await inbox.append([bankhook.inbox.examine(b"%d" % number + b" " * (1 << 20))])
            tracemalloc.start()
            try:
                text = (await client.get("http://127.0.0.1:8000/")).text
                _, peak = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
            assert text.count('<a href="/delivery/') == 60
            assert peak < 40 << 20

    look()


class Asked(MemoryInbox):
    """Answers what a page asks, and remembers how many records were wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.limits: list[int | None] = []
        self.counted = 0

    async def counts(self) -> dict[DeliveryState, int]:
        self.counted += 1
        await asyncio.sleep(0)
        return dict.fromkeys(DeliveryState, self.counted)

    async def dead_letters(self) -> Sequence[bankhook.inbox.DeadLetters]:
        return ()

    async def find(self, *_: object, limit: int | None = None, **__: object) -> Any:  # type: ignore[override]
        self.limits.append(limit)
        for _ in ():
            yield _

    async def cases(self, *, limit: int | None = None, **_: object) -> Sequence[Case]:
        self.limits.append(limit)
        return ()

    async def open_since(
        self, age: object, /, *, after: Overdue | None = None, limit: int | None = None
    ) -> Sequence[Overdue]:
        self.limits.append(limit)
        return ()


@running
async def test_what_needs_a_person_is_read_up_to_a_limit() -> None:
    inbox = Asked()
    async with asking(Receiver(inbox, verify=anyone)._serve_beside(routes(inbox))) as client:
        assert (await client.get("http://127.0.0.1:8000/attention")).status_code == 200
    assert inbox.limits == [100, 100, 100]


def test_pages_share_counts_and_count_a_tenth_of_the_time_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = [0.0]

    class Slow(Asked):
        async def counts(self) -> dict[DeliveryState, int]:
            passed[0] += 2.0
            return await super().counts()

    @running
    async def look() -> None:
        loop = asyncio.get_running_loop()
        time = loop.time
        monkeypatch.setattr(loop, "time", lambda: time() + passed[0])
        shared = counts.Counts(Slow())
        found = await asyncio.gather(*(shared.now() for _ in range(5)))
        assert [one[DeliveryState.PENDING] for one in found] == [1] * 5
        passed[0] += 17
        assert (await shared.now())[DeliveryState.PENDING] == 1
        passed[0] += 1.2
        assert (await shared.now())[DeliveryState.PENDING] == 2

    look()
