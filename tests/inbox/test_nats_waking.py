# SPDX-License-Identifier: MIT
"""What is put off, or was taken by whoever is gone, is looked at again, whatever else happens at that moment."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from nats.aio.msg import Msg

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, examine
from bankhook.inbox._nats.layout import has_lost_position
from bankhook.inbox._nats.pulling import Pull
from inbox.history import HANGS, SOON, payloads
from inbox.nats_server import NatsServer

pytestmark = pytest.mark.nats

HISTORY = payloads(2, members=1)


class Killed(Exception):
    """The worker ends here."""


def failing_once() -> bankhook.Handlers:
    """Handlers whose first attempt at each delivery fails."""
    handlers, failed = bankhook.Handlers(), set[int]()

    @handlers.fallback
    def fail(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        if context.delivery.number not in failed:
            failed.add(context.delivery.number)
            raise RuntimeError("the first attempt fails")

    return handlers


async def until_put_off(inbox: Inbox) -> None:
    """Wait until no delivery is left in its turn."""
    while any(info.num_pending or info.num_ack_pending for info in await inbox._reading.progress()):  # type: ignore[attr-defined]
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("killed", [False, True], ids=["goes on", "is killed"])
def test_what_is_put_off_between_the_last_look_and_its_acknowledgement_is_handled(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    async def run() -> None:
        url, acknowledge, times = nats.url(), Msg.ack_sync, 0
        async with asyncio.timeout(HANGS), bankhook.inbox.open(url, backoff=SOON) as inbox:

            async def late(message: Msg, timeout: float = 1) -> Msg:
                nonlocal times
                times += 1
                is_first = times == 1
                if is_first:  # nothing waits any more, and the message that something does is still there
                    await inbox.append([examine(HISTORY[1])])
                    await until_put_off(inbox)
                done = await acknowledge(message, timeout)
                if is_first and killed:
                    raise Killed
                return done

            monkeypatch.setattr(Msg, "ack_sync", late)
            await inbox.append([examine(HISTORY[0])])
            handlers = failing_once()
            if killed:
                with pytest.raises(Killed):
                    await inbox.drain(handlers)
            await inbox.drain(handlers)
            assert times > 1
            assert await inbox.counts() == {"pending": 0, "handled": 2, "quarantined": 0, "parked": 0}

    asyncio.run(run())


async def take(inbox: Inbox, partition: str, *, answered: bool) -> None:
    """Ask for a delivery of a partition, and go away with it, or before there is one."""
    connection = inbox._connection.another()  # type: ignore[attr-defined]
    await connection.open()
    async with Pull(connection, inbox._layout.deliveries, partition) as pull:  # type: ignore[attr-defined]
        if answered:
            assert await pull.next() is not None
        else:
            await pull._connection.client.publish(pull._consumer, b'{"batch": 1, "expires": 60000000000}', pull._inbox)
            await pull._connection.client.flush()
    await connection.close()


@pytest.mark.parametrize("reopened", [False, True], ids=["open", "opened afterwards"])
def test_a_delivery_that_nobody_lives_to_handle_is_handled_by_the_next_worker(nats: NatsServer, reopened: bool) -> None:
    async def run() -> None:
        url = nats.url(ack_wait=1)
        async with asyncio.timeout(HANGS), bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(body) for body in HISTORY])
            partition = inbox._layout.partition(examine(HISTORY[0]).member)  # type: ignore[attr-defined]
            for _ in range(10):  # server 2.9 counts down each time, and is below zero after the third; newer ones never are
                if any(map(has_lost_position, await inbox._reading.progress())):  # type: ignore[attr-defined]
                    break
                await take(inbox, partition, answered=True)
                await take(inbox, partition, answered=False)
                await asyncio.sleep(1.2)
            assert (await inbox.counts())[DeliveryState.HANDLED] == 0
            async with bankhook.inbox.open(url) if reopened else contextlib.nullcontext(inbox) as worker:
                assert await worker.drain(bankhook.Handlers()) == 2
                assert await worker.counts() == {"pending": 0, "handled": 2, "quarantined": 0, "parked": 0}

    asyncio.run(run())
