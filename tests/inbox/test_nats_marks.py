# SPDX-License-Identifier: MIT
"""What an inbox on NATS stores of a delivery stays true when several processes write it, or one is killed half way."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, examine
from inbox.history import filled, payloads
from inbox.nats_server import NatsServer

pytestmark = pytest.mark.nats

HISTORY = payloads(1)


def test_a_worker_that_is_faster_than_who_asked_for_a_retry_finds_all_that_it_needs(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        from bankhook.inbox._nats import retrying

        wait = retrying._wait
        old = examine(HISTORY[0]).replace(findings=examine(b"{}").findings)
        async with bankhook.inbox.open(nats.url()) as inbox:

            async def wait_until_handled(reading: Any, state: Any, owner: str, number: int) -> None:
                await wait(reading, state, owner, number)
                await state.wake(owner, await state.member(owner))
                await inbox.drain(bankhook.Handlers())

            monkeypatch.setattr(retrying, "_wait", wait_until_handled)
            assert await inbox.retry(await inbox.append([old])) == 1
            assert await inbox.counts() == {"pending": 0, "handled": 1, "quarantined": 0, "parked": 0}
            assert [(one.state, one.findings) async for one in inbox.find()] == [(DeliveryState.HANDLED, ())]

    asyncio.run(run())


def test_a_retry_that_was_killed_half_way_is_asked_for_again(nats: NatsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        from bankhook.inbox._nats import retrying

        async def killed(*arguments: Any) -> None:
            raise KeyboardInterrupt

        old = examine(HISTORY[0]).replace(findings=examine(b"{}").findings)
        async with bankhook.inbox.open(nats.url()) as inbox:
            numbers = await inbox.append([old])
            with monkeypatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
                patch.setattr(retrying, "_wait", killed)
                await inbox.retry(numbers)
            await inbox.retry(numbers)
            assert await inbox.drain(bankhook.Handlers()) == 1
            assert await inbox.counts() == {"pending": 0, "handled": 1, "quarantined": 0, "parked": 0}

    asyncio.run(run())


@pytest.mark.parametrize("put_off", [False, True], ids=["in turn", "put off"])
def test_a_worker_that_fails_late_does_not_undo_that_another_one_handled_it(nats: NatsServer, put_off: bool) -> None:
    async def run() -> None:
        from bankhook.inbox._nats.handling import Failed
        from bankhook.inbox._nats.state import owner_of

        async with filled(nats.url(), HISTORY[:1], backoff=datetime.timedelta(0)) as inbox:
            (delivery,) = [one async for one in inbox.find()]
            subject = await inbox._reading.subject_of(1)  # type: ignore[attr-defined]

            async def handle(call: Any, *, again: bool) -> None:
                handling = inbox._worker(bankhook.Tracker(), call)._handling  # type: ignore[attr-defined]
                if put_off:
                    await handling.waiting(owner_of(delivery), 0, set(), lambda: None)
                else:
                    await handling.in_turn(subject, delivery, set(), again=again)

            async def fail(*arguments: Any) -> None:
                raise Failed

            async def succeed(*arguments: Any) -> None:
                pass

            async def fail_late(*arguments: Any) -> None:
                await handle(succeed, again=True)
                raise Failed

            if put_off:
                handling = inbox._worker(bankhook.Tracker(), fail)._handling  # type: ignore[attr-defined]
                await handling.in_turn(subject, delivery, set(), again=False)
            await handle(fail_late, again=False)
            mark = await inbox._reading.mark(1)  # type: ignore[attr-defined]
            assert mark.state is DeliveryState.HANDLED
            assert await inbox.state_of(delivery.member or "") is not None

    asyncio.run(run())
