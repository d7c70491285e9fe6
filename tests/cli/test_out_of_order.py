# SPDX-License-Identifier: MIT
"""`bankhook inbox retry` of what is older than what was handled."""

from __future__ import annotations

import asyncio
from pathlib import Path

import bankhook
import bankhook.inbox
from bankhook.inbox import examine
from cli.command import run

SANDBOX = bankhook.Sandbox(seed=1, members=1)
CREATED = SANDBOX.send_initial_transaction(SANDBOX.member(0))


def test_older_news_is_left_alone_and_named_with_the_newer(tmp_path: Path) -> None:
    validated = SANDBOX.validate(CREATED.initial_transaction)
    unread = examine(validated.raw).replace(member=None, key=None, findings=examine(b"{}").findings)
    handlers = bankhook.Handlers()

    @handlers.fallback
    def fails(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        if context.delivery.number == 1:
            raise RuntimeError

    async def fill() -> None:
        async with bankhook.inbox.open(tmp_path / "inbox.db", attempts=1) as made:
            await made.append([examine(CREATED.raw), unread, examine(validated.raw), examine(b"{")])
            await made.drain(handlers)

    asyncio.run(fill())
    inbox = str(tmp_path / "inbox.db")
    why = "1 delivery was not retried, because later ones about the same were handled: "
    then = "; `dismiss` leaves them out, --out-of-order with numbers applies them after those\n"
    parked, quarantined = (f"bankhook: {why}{number} (later: 3){then}" for number in (1, 2))
    assert run("inbox", "retry", "--state", "parked", inbox) == (1, "retried=0\n", parked)
    left = "bankhook: 1 delivery is still not an event\n"
    assert run("inbox", "retry", "--state", "quarantined", inbox) == (1, "retried=0\n", quarantined + left)
    assert run("inbox", "retry", inbox, "2", "1") == (1, "retried=0\n", parked + quarantined)
    assert run("inbox", "retry", "--out-of-order", "--state", "parked", inbox).status == 2
    assert run("inbox", "retry", "--out-of-order", inbox, "1", "2") == (0, "retried=2\n", "")
