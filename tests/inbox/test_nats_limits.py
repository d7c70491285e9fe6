# SPDX-License-Identifier: MIT
"""What does not fit the server, or fails there, concerns one delivery of one member: an inbox on NATS goes on with the others."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import pytest
from nats import connect

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, InboxError, Query, examine
from cli.command import run
from inbox.history import SOON, filled
from inbox.nats_server import NatsServer

pytestmark = pytest.mark.nats

PARKED = Query(states=(DeliveryState.PARKED,))


async def run_until_parked(inbox: Inbox, handlers: bankhook.Handlers, count: int) -> None:
    """Handle deliveries until so many are parked."""
    running = asyncio.create_task(inbox.run(handlers))
    while (await inbox.counts())[DeliveryState.PARKED] < count:
        assert not running.done()
        await asyncio.sleep(0.05)
    running.cancel()


def test_a_member_whose_state_is_too_large_is_parked_and_the_others_go_on() -> None:
    async def run(url: str) -> None:
        sandbox, seen, handlers = bankhook.Sandbox(seed=1, members=2), list[int](), bankhook.Handlers()

        @handlers.fallback
        def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            seen.append(context.delivery.number)

        large, other = sandbox.members
        history = [sandbox.send_initial_transaction(large).raw for _ in range(150)]
        history.append(sandbox.send_initial_transaction(other).raw)
        async with filled(url, history) as inbox:
            assert await inbox.drain(handlers) == len(history)
            parked = [one async for one in inbox.find(PARKED)]
            assert 0 < len(parked) < 150
            assert {one.member for one in parked} == {large.id}
            assert all("raise the max_payload" in (one.error or "") for one in parked)
            assert sorted([*seen, *(one.number for one in parked)]) == list(range(1, 152))
            assert await inbox.retry([parked[0].number]) == 1  # nothing changed: it is parked again
            assert await inbox.drain(handlers) == 1
            assert len([one async for one in inbox.find(PARKED)]) == len(parked)

    with NatsServer(max_payload="8KB") as server:
        asyncio.run(run(server.url()))


def test_what_cannot_wait_with_its_member_any_more_is_parked() -> None:
    async def run(url: str) -> None:
        sandbox, handlers = bankhook.Sandbox(seed=1, members=1), bankhook.Handlers()

        @handlers.fallback
        def fail(event: bankhook.AnyEvent) -> None:
            raise RuntimeError("x" * 20_000)  # more of it than the server takes

        async with filled(
            url, [sandbox.send_initial_transaction(sandbox.member(0)).raw] * 500, backoff=SOON * 1e7
        ) as inbox:
            await run_until_parked(inbox, handlers, 1)
            (first, *_) = [one async for one in inbox.find(PARKED)]
            assert "deliveries of the member wait" in (first.error or "")
            (failed,) = [one async for one in inbox.find(limit=1)]
            assert (failed.state, (failed.error or "").endswith("xxx\n")) == (DeliveryState.PENDING, True)
            assert (failed.error or "").startswith("RuntimeError\n")

    with NatsServer(max_payload="3KB") as server:
        asyncio.run(run(server.url()))


def test_the_command_goes_on_to_retry_others_if_one_cannot_wait_with_its_member() -> None:
    async def fill(url: str) -> tuple[int, int]:
        """Return a delivery that is parked for want of room, and one of another member that a handler failed for."""
        sandbox, handlers = bankhook.Sandbox(seed=1, members=2), bankhook.Handlers()

        @handlers.fallback
        def fail(event: bankhook.AnyEvent) -> None:
            raise RuntimeError

        many, other = (sandbox.send_initial_transaction(member).raw for member in sandbox.members)
        async with filled(url, [other], attempts=1) as inbox:
            await inbox.drain(handlers)
        async with filled(url, [many] * 500, backoff=SOON * 1e7) as inbox:
            await run_until_parked(inbox, handlers, 2)
            other_parked, full, *_ = [one.number async for one in inbox.find(PARKED)]
            return full, other_parked

    with NatsServer(max_payload="3KB") as server:
        url = server.url()
        full, other = asyncio.run(fill(url))
        done = run("inbox", "retry", url, str(full), str(other), "9999")
        assert (done.status, done.out) == (1, "retried=1\n")
        first, second = done.err.splitlines()
        assert first.startswith(f"bankhook: delivery {full}: NATS: too many deliveries of the member wait")
        assert second == "bankhook: delivery 9999 is not in the inbox"


def test_run_goes_on_for_ever_once_it_has_started(nats: NatsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        body = bankhook.Sandbox(seed=1, members=1).deliveries(1)
        handlers, stop, failures = bankhook.Handlers(), asyncio.Event(), 4
        async with filled(nats.url(), [one.payload for one in body]) as inbox:
            state = inbox._state  # type: ignore[attr-defined]
            write = state.write_member

            async def fail(*arguments: Any) -> None:
                nonlocal failures
                failures -= 1
                if failures >= 0:
                    raise InboxError("no space left")
                await write(*arguments)

            monkeypatch.setattr(state, "write_member", fail)
            running = asyncio.create_task(inbox.run(handlers, stop=stop))
            while (await inbox.counts())[DeliveryState.HANDLED] == 0:
                assert not running.done()
                await asyncio.sleep(0.02)
            stop.set()
            await running
        assert failures < 0

    asyncio.run(run())


def test_run_that_cannot_store_anything_stops_when_it_is_asked_to(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        stop = asyncio.Event()
        (one,) = bankhook.Sandbox(seed=1, members=1).deliveries(1)
        async with filled(nats.url(), [one.payload]) as inbox:

            async def fail(*arguments: Any) -> None:
                stop.set()
                raise InboxError("no space left")

            monkeypatch.setattr(inbox._state, "write_member", fail)  # type: ignore[attr-defined]
            await inbox.run(bankhook.Handlers(), stop=stop)
            with pytest.raises(InboxError, match="no space left"):
                await inbox.drain(bankhook.Handlers())

    asyncio.run(run())


def test_a_full_stream_keeps_what_was_acknowledged(nats: NatsServer) -> None:
    async def run() -> None:
        url = nats.url(timeout=2)
        name = urlsplit(url).path[1:]
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(b'{"number":0}')])
            client = await connect(url.rpartition("/")[0])
            config = (await client.jetstream().stream_info(f"{name}_deliveries")).config
            await client.jetstream().update_stream(config, max_bytes=100_000)
            await client.close()
            stored = [b'{"number":0}']
            with pytest.raises(InboxError):
                for number in range(1, 9):
                    body = b'{"number":%d,"x":"%s"}' % (number, b"x" * 30_000)
                    await asyncio.wait_for(inbox.append([examine(body)]), 60)
                    stored.append(body)
            assert 1 < len(stored) < 5
            assert [one.body async for one in inbox.find()] == stored

    asyncio.run(run())
