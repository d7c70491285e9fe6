# SPDX-License-Identifier: MIT
"""A delivery whose event an older version did not know becomes one of its member, and waits like others of it."""

from __future__ import annotations

import asyncio
import datetime

from sqlalchemy import create_engine, update

import bankhook
from bankhook.inbox import DeliveryState, Query, examine
from bankhook.inbox._sql.tables import deliveries
from bankhook.inbox._sql.urls import database_url
from inbox.history import SOON, filled, found, payloads

HISTORY = payloads(12, members=1)
MEMBER = examine(HISTORY[0]).member or ""
HOUR = datetime.timedelta(hours=1)


def disown(url: str, *numbers: int) -> None:
    """Store deliveries as a version would have that did not know their events."""
    engine = create_engine(database_url(url))
    with engine.begin() as connection:
        nobody = update(deliveries).where(deliveries.c.number.in_(numbers))
        connection.execute(nobody.values(event=None, member=None, key=None))
    engine.dispose()


def failing(calls: list[int], *failures: int) -> bankhook.Handlers:
    """Handlers that fail once for each of these deliveries."""
    handlers, rest = bankhook.Handlers(), list(failures)

    @handlers.fallback
    def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        assert context.delivery.member == MEMBER
        calls.append(context.delivery.number)
        if context.delivery.number in rest:
            rest.remove(context.delivery.number)
            raise RuntimeError

    return handlers


def test_it_is_tried_again_and_its_member_goes_on(url: str) -> None:
    async def run() -> None:
        calls = list[int]()
        async with filled(url, HISTORY, backoff=SOON) as inbox:
            disown(url, 3)
            assert await asyncio.wait_for(inbox.drain(failing(calls, 3)), 60) == len(HISTORY)
            assert calls == [1, 2, 3, *range(3, 13)]
            third = (await found(inbox, Query(member=MEMBER)))[2]
            assert (third.number, third.event) == (3, examine(HISTORY[2]).event)
            state = await inbox.state_of(MEMBER)
        assert state is not None
        tracker = bankhook.Tracker()
        for body in HISTORY:
            tracker.apply(bankhook.parse(body))
        assert bankhook.Tracker.restore(state) == tracker

    asyncio.run(run())


def test_it_waits_for_an_earlier_delivery_of_its_member(url: str) -> None:
    async def run() -> None:
        calls = list[int]()
        async with filled(url, HISTORY, backoff=HOUR) as inbox:
            disown(url, 3)
            running = asyncio.create_task(inbox.run(failing(calls, 2)))
            async with asyncio.timeout(60):
                while not [one for one in await found(inbox, Query(member=MEMBER)) if one.number == 3]:
                    await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.wait([running])
            assert (await inbox.counts())[DeliveryState.PENDING] == 11
        assert calls == [1, 2]

    asyncio.run(run())


def test_it_is_its_members_also_if_its_handler_broke_the_transaction(url: str) -> None:
    """Then the rest of the batch is rolled back, and only the failure is stored."""

    async def run() -> None:
        calls = list[int]()
        handlers = bankhook.Handlers()

        @handlers.fallback
        def fail(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)
            if context.delivery.number == 3:
                savepoint = context.begin().get_nested_transaction()
                assert savepoint is not None
                savepoint.rollback()
                raise RuntimeError

        async with filled(url, HISTORY, backoff=HOUR) as inbox:
            disown(url, 3)
            running = asyncio.create_task(inbox.run(handlers))
            async with asyncio.timeout(60):
                while not (third := (await found(inbox))[2]).attempts:
                    await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.wait([running])
            about = examine(HISTORY[2])
            assert (third.event, third.member, third.key) == (about.event, about.member, about.key)
            assert (third.state, third.attempts) == (DeliveryState.PENDING, 1)
        assert set(calls) == {1, 2, 3}

    asyncio.run(run())
