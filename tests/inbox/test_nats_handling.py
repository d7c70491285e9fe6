# SPDX-License-Identifier: MIT
"""Workers on NATS share what is pending: a member's deliveries in order, each at least once, whoever fails meanwhile."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, Query, examine
from inbox.history import HANGS, filled, payloads
from inbox.nats_server import NatsServer

pytestmark = pytest.mark.nats

HISTORY = payloads(300, members=20)
MEMBERS = [examine(body).member for body in HISTORY]


class Seen:
    """Handlers that note who got which delivery."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []

    def handlers(self, worker: str) -> bankhook.Handlers:
        made = bankhook.Handlers()

        @made.fallback
        async def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            self.calls.append((worker, context.delivery.number))
            await asyncio.sleep(0.001)

        return made

    def check(self) -> None:
        """Each delivery came, and those of a member in order: a repeat does not count."""
        numbers = list(dict.fromkeys(number for _, number in self.calls))
        assert sorted(numbers) == list(range(1, len(HISTORY) + 1))
        for member in set(MEMBERS):
            of_member = [number for number in numbers if MEMBERS[number - 1] == member]
            assert of_member == sorted(of_member)


async def until_handled(inbox: Inbox, count: int = len(HISTORY)) -> None:
    """Wait until the server knows it: workers do not wait for it to confirm what they acknowledge."""
    async with asyncio.timeout(HANGS):
        while (await inbox.counts())[DeliveryState.HANDLED] < count:
            await asyncio.sleep(0.02)


async def check_states(inbox: Inbox) -> None:
    """The states of the members are those of one tracker that got everything."""
    merged, expected = bankhook.Tracker(), bankhook.Tracker()
    for member in set(MEMBERS):
        snapshot = await inbox.state_of(member or "")
        assert snapshot is not None
        merged.merge(bankhook.Tracker.restore(snapshot))
    for body in HISTORY:
        expected.apply(bankhook.parse(body))
    assert merged == expected


def test_two_workers_share_the_load_and_keep_the_order_of_each_member(nats: NatsServer) -> None:
    async def run() -> None:
        seen, stop, url = Seen(), asyncio.Event(), nats.url()
        async with filled(url, HISTORY) as one, bankhook.inbox.open(url) as other:
            workers = [
                asyncio.create_task(inbox.run(seen.handlers(name), stop=stop)) for name, inbox in [("1", one), ("2", other)]
            ]
            await until_handled(one)
            stop.set()
            await asyncio.gather(*workers)
            await check_states(other)
        seen.check()
        assert len(seen.calls) == len(HISTORY)
        assert set(Counter(worker for worker, _ in seen.calls)) == {"1", "2"}

    asyncio.run(run())


def test_what_a_killed_worker_had_taken_is_for_the_others(nats: NatsServer) -> None:
    async def run() -> None:
        seen, url = Seen(), nats.url(ack_wait=1)
        async with filled(url, HISTORY) as inbox:
            command = [sys.executable, "-m", "inbox.stuck", url]
            with subprocess.Popen(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE) as stuck:
                assert stuck.stdout is not None
                taken = int(await asyncio.to_thread(stuck.stdout.readline))
                stuck.kill()
            assert await inbox.drain(seen.handlers("1")) == len(HISTORY)
            await check_states(inbox)
        seen.check()
        assert taken in [number for _, number in seen.calls]

    asyncio.run(run())


def test_a_worker_gives_signs_of_life_for_as_long_as_a_handler_takes(nats: NatsServer) -> None:
    async def run() -> None:
        import nats as client
        from nats.aio.msg import Msg

        signs, handlers, url = asyncio.Queue[str](), bankhook.Handlers(), nats.url(ack_wait=1)
        name = url.partition("?")[0].rpartition("/")[2]

        async def heard(message: Msg) -> None:
            if message.data == b"+WPI":
                signs.put_nowait(message.subject)

        @handlers.fallback
        async def slow(event: bankhook.AnyEvent) -> None:
            given = Counter[str]()
            while max(given.values(), default=0) < 5:  # more of them than fit into the time that the server waits for one
                given[await signs.get()] += 1

        async with filled(url, HISTORY[:1]) as inbox:
            observer = await client.connect(f"nats://127.0.0.1:{nats.port}")
            await observer.subscribe(f"$JS.ACK.{name}_deliveries.>", cb=heard)
            await observer.flush()
            assert await inbox.drain(handlers) == 1
            await observer.close()

    asyncio.run(run())


@pytest.mark.slow
def test_a_worker_outlives_the_kills_of_the_server() -> None:
    async def run(server: NatsServer) -> None:
        seen, stop = Seen(), asyncio.Event()
        url = server.url(timeout=1, ack_wait=2)
        async with filled(url, HISTORY) as inbox:
            worker = asyncio.create_task(inbox.run(seen.handlers("1"), stop=stop))
            for calls in (50, 150):
                while len(seen.calls) < calls:
                    await asyncio.sleep(0.005)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
            while not stop.is_set():
                try:
                    await until_handled(inbox)
                    stop.set()
                except bankhook.inbox.InboxError:  # not back yet
                    continue
            await worker
            await check_states(inbox)
        seen.check()

    with NatsServer() as server:
        asyncio.run(run(server))


def test_an_effect_that_is_recorded_does_not_happen_again(nats: NatsServer) -> None:
    async def run() -> None:
        sandbox, effects, handlers = bankhook.Sandbox(seed=1, members=1), list[str | None](), bankhook.Handlers()
        created = sandbox.send_initial_transaction(sandbox.member(0))
        done = sandbox.validate(created.initial_transaction.id)
        fail = True

        @handlers.on_validated
        def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            assert context.transaction is None
            effects.append(context.key)

        @handlers.on_validated
        def fails_at_first(event: bankhook.InitialTransactionUpdate) -> None:
            nonlocal fail
            if fail:
                fail = False
                raise RuntimeError

        async with filled(nats.url(), [created.raw, done.raw, done.raw]) as inbox:
            await inbox.drain(handlers)
            assert await inbox.counts() == {"pending": 0, "handled": 3, "quarantined": 0, "parked": 0}
        assert effects == [f"credit:validated:{created.customer.id}:{created.initial_transaction.id}"]

    asyncio.run(run())


def test_a_stale_worker_does_not_overwrite_what_a_newer_one_stored(nats: NatsServer) -> None:
    async def run() -> None:
        from bankhook.inbox._nats.connection import Changed
        from bankhook.inbox._nats.layout import hashed

        async with filled(nats.url(), HISTORY[:1]) as inbox:
            state = inbox._state  # type: ignore[attr-defined]
            owner = hashed(MEMBERS[0] or "")
            stale = await state.member(owner)
            await inbox.drain(bankhook.Handlers())
            stored = await inbox.state_of(MEMBERS[0] or "")
            stale.snapshot = b"stale"
            with pytest.raises(Changed):
                await state.write_member(owner, stale)
            assert await inbox.state_of(MEMBERS[0] or "") == stored

    asyncio.run(run())


def test_an_event_that_was_quarantined_is_handled_after_it_was_examined_again(nats: NatsServer) -> None:
    async def run() -> None:
        body = HISTORY[0]
        old = examine(body).replace(event=None, member=None, key=None, findings=examine(b"{}").findings)
        seen: list[bytes] = []
        handlers = bankhook.Handlers()

        @handlers.fallback
        def see(event: bankhook.AnyEvent) -> None:
            seen.append(event.raw)

        async with bankhook.inbox.open(nats.url()) as inbox:
            (number,) = await inbox.append([old])
            assert await inbox.drain(handlers) == 0
            assert await inbox.retry([number]) == 1
            assert await inbox.drain(handlers) == 1
            assert seen == [body]
            assert await inbox.state_of(MEMBERS[0] or "") is not None
            assert [one.number async for one in inbox.find(Query(member=MEMBERS[0]))] == [number]
            assert await inbox.counts() == {"pending": 0, "handled": 1, "quarantined": 0, "parked": 0}

    asyncio.run(run())
