# SPDX-License-Identifier: MIT
"""What a handler does wrong with its transaction is a failure of its own delivery, at once, and others go on."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import text

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, examine
from bankhook.inbox._sql.inbox import SqlInbox
from inbox.history import HANGS, Ledger, filled, found
from inbox.postgresql import PostgreSQL

BODIES = [b'{"event":"bad"}', b'{"event":"good"}', b'{"event":"good"}']
DELETE = text("DELETE FROM bankhook_deliveries WHERE number = :number")


async def states(inbox: Inbox) -> list[tuple[str, int]]:
    """The state and the attempts of each delivery."""
    return [(one.state.value, one.attempts) for one in await found(inbox)]


PARKED_ALONE = [("parked", 2), ("handled", 0), ("handled", 0)]


def test_who_deletes_its_own_row_is_parked(url: str) -> None:
    handlers, ledger = bankhook.Handlers(), Ledger(url)

    @handlers.fallback
    def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        ledger.credit(context.replace(key="key"))
        if event.event == "bad":
            context.begin().execute(DELETE, {"number": context.delivery.number})

    async def run() -> None:
        async with filled(url, BODIES, attempts=2) as inbox:
            stop = asyncio.Event()
            running = asyncio.create_task(inbox.run(handlers, stop=stop))
            async with asyncio.timeout(HANGS):
                while (await inbox.counts())[DeliveryState.PENDING]:
                    await asyncio.sleep(0.01)
            stop.set()
            await running
            assert await states(inbox) == PARKED_ALONE
        assert [number for _, number in ledger.rows()] == [2, 3]

    asyncio.run(run())


async def by_an_appender(inbox: Inbox) -> None:
    assert isinstance(inbox, SqlInbox)
    bankhook.inbox.Appender(inbox.store.url).append([examine(BODIES[1])])


async def by_another(inbox: Inbox) -> None:
    assert isinstance(inbox, SqlInbox)
    async with SqlInbox(inbox.store.url, create=True, turn=datetime.timedelta(seconds=5), **RETRIES):
        pass


RETRIES = {"attempts": 1, "backoff": datetime.timedelta(), "give_up": datetime.timedelta()}
WRITING: dict[str, Callable[[Inbox], Coroutine[Any, Any, object]]] = {
    "append": lambda inbox: inbox.append([examine(BODIES[1])]),
    "appender": by_an_appender,
    "another": by_another,
    "check": lambda inbox: inbox.check(),
    "close": lambda inbox: inbox.__aexit__(),
    "dismiss": lambda inbox: inbox.dismiss([1]),
    "forget": lambda inbox: inbox.forget("nobody"),
    "purge": lambda inbox: inbox.purge(before=datetime.datetime.now(datetime.UTC)),
    "reprocess": lambda inbox: inbox.reprocess(bankhook.Handlers(), name="again"),
    "settle": lambda inbox: inbox.settle([1]),
}


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("is_async", [False, True])
def test_who_writes_to_its_own_inbox_within_its_transaction_fails_at_once(url: str, name: str, is_async: bool) -> None:
    handlers, loops = bankhook.Handlers(), list[asyncio.AbstractEventLoop]()

    async def bad_async(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        await context.begin()
        await WRITING[name](inboxes[0])

    def bad(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        context.begin()
        asyncio.run_coroutine_threadsafe(WRITING[name](inboxes[0]), loops[0]).result()

    handlers.on(bankhook.UnknownEvent, event="bad")(bad_async if is_async else bad)

    @handlers.fallback
    def good(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        context.begin()

    inboxes = list[Inbox]()

    async def run() -> None:
        loops.append(asyncio.get_running_loop())
        async with filled(url, BODIES, attempts=2, turn=HANGS) as inbox:
            inboxes.append(inbox)
            await inbox.drain(handlers)
            assert await states(inbox) == PARKED_ALONE
            parked = (await found(inbox))[0]
            assert f"cannot {'close' if name == 'close' else 'write to'} its own inbox" in (parked.error or "")
            assert len(await inbox.append([examine(BODIES[1])])) == 1

    asyncio.run(asyncio.wait_for(run(), HANGS))


def test_who_executes_two_statements_at_a_time_fails_and_the_event_loop_goes_on(postgresql: PostgreSQL) -> None:
    handlers = bankhook.Handlers()

    @handlers.on(bankhook.UnknownEvent, event="bad")
    async def bad(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        connection = await context.begin()
        await asyncio.gather(*(connection.execute(text("SELECT pg_sleep(0.2)")) for _ in range(2)))

    @handlers.fallback
    async def good(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        await (await context.begin()).execute(text("SELECT 1"))

    async def run() -> None:
        async with filled(postgresql.url(), BODIES, attempts=2) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers), HANGS) == 3
            assert await states(inbox) == PARKED_ALONE
            assert "another statement runs" in ((await found(inbox))[0].error or "")

    asyncio.run(run())


@pytest.mark.parametrize("turn", [0, -1, datetime.timedelta(), datetime.timedelta(seconds=-1), "1", None])
def test_a_turn_that_is_not_a_positive_time_is_refused(url: str, turn: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="turn: expected"):
        bankhook.inbox.open(url, turn=turn)
