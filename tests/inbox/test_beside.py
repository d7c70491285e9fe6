# SPDX-License-Identifier: MIT
"""On PostgreSQL each handler that writes has a connection of its own."""

from __future__ import annotations

import asyncio
import datetime
import time

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import text

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError
from inbox.history import HANGS, Ledger, filled
from inbox.postgresql import PostgreSQL
from inbox.test_lanes import of_members

BODIES = [b'{"event":"first"}', *[b'{"event":"x"}'] * 3]


def test_handlers_in_their_transactions_run_beside_each_other_on_postgresql(postgresql: PostgreSQL) -> None:
    async def run(handlers: bankhook.Handlers) -> None:
        url = postgresql.url()
        ledger = Ledger(url)

        @handlers.fallback
        async def meet(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            await ledger.credit_async(context.replace(key="key"))
            await asyncio.wait_for(together.wait(), HANGS)

        together = asyncio.Barrier(16)
        async with filled(url, of_members(32), attempts=1) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers, concurrency=16), HANGS) == 32
            with pytest.raises(
                InboxError, match="concurrency: the server takes 60 connections, enough for 52 handlers, found 53"
            ):
                await inbox.drain(handlers, concurrency=53)
        assert [number for _, number in ledger.rows()] == [*range(1, 33)]

    asyncio.run(run(bankhook.Handlers()))


def test_a_session_that_the_server_ends_when_it_is_idle_is_lost_by_nobody(postgresql: PostgreSQL) -> None:
    """Neither that of the claims, nor one that a handler has left, while another handler takes longer before it begins."""
    handlers = bankhook.Handlers()

    @handlers.fallback
    def work(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        if event.event == "slow":
            time.sleep(2.5)
        context.begin().execute(text("SELECT 1"))

    async def run() -> None:
        with postgresql.connect() as connection:
            connection.execute("CREATE ROLE hasty LOGIN SUPERUSER")
            connection.execute("ALTER ROLE hasty SET idle_session_timeout = '1s'")
        url = postgresql.url().replace("test@", "hasty@")
        async with filled(url, [b'{"event":"quick"}', b'{"event":"slow"}', b'{"event":"quick"}'], attempts=1) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers), HANGS) == 3
            assert [one.state.value async for one in inbox.find()] == ["handled"] * 3

    asyncio.run(run())


def test_handlers_wait_if_the_server_has_no_connection_left(postgresql: PostgreSQL) -> None:
    handlers, refused, stop = bankhook.Handlers(), list[BaseException](), asyncio.Event()
    url = postgresql.url()
    limited = url.replace("test@", "limited@")

    @handlers.fallback
    def work(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        if event.event == "first":
            server.execute("ALTER ROLE limited CONNECTION LIMIT 0")
            return
        try:
            context.begin()
        except Exception as error:
            refused.append(error)
            if len(refused) == 3:
                server.execute("ALTER ROLE limited CONNECTION LIMIT -1")
            raise

    async def run() -> None:
        async with filled(limited, BODIES, attempts=1, give_up=datetime.timedelta()) as inbox, asyncio.timeout(HANGS):
            running = asyncio.create_task(inbox.run(handlers, stop=stop))
            while (await inbox.counts())[DeliveryState.PENDING]:
                await asyncio.sleep(0.1)
            stop.set()
            await running
            assert [(one.state.value, one.attempts) async for one in inbox.find()] == [("handled", 0)] * 4
        assert len(refused) >= 3

    with postgresql.connect() as server:
        server.execute("CREATE ROLE limited LOGIN")
        server.execute(SQL("ALTER SCHEMA {} OWNER TO limited").format(Identifier(url.rpartition("%3D")[2])))
        asyncio.run(run())


def test_a_statement_that_is_cancelled_ends_on_the_server_too(postgresql: PostgreSQL) -> None:
    handlers, url = bankhook.Handlers(), postgresql.url()

    @handlers.fallback
    async def work(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        await (await context.begin()).execute(text("UPDATE accounts SET points = 1"))

    async def run() -> None:
        stop = asyncio.Event()
        async with filled(url, BODIES, attempts=2) as inbox, asyncio.timeout(HANGS):
            running = asyncio.create_task(inbox.run(handlers, stop=stop, concurrency=2, timeout=0.2))
            while (await inbox.counts())[DeliveryState.PARKED] < len(BODIES):
                await asyncio.sleep(0.1)
            while [*server.execute("SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'UPDATE acc%'")]:
                await asyncio.sleep(0.1)
            stop.set()
            await running

    with postgresql.connect() as server, psycopg.connect(url) as blocking:
        blocking.execute("CREATE TABLE accounts (points integer)")
        blocking.commit()
        blocking.execute("LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE")
        asyncio.run(run())


@pytest.mark.parametrize("when", ["before", "after", "without"])
def test_who_ends_all_sessions_is_parked_and_nobody_else(postgresql: PostgreSQL, when: str) -> None:
    """Before it begins, afterwards, or without: also the session with the claims, so nothing of it is committed."""
    url, handlers = postgresql.url(), bankhook.Handlers()
    ledger = Ledger(url)
    role = f"ends_{when}"

    def end_all() -> None:
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", [role])

    @handlers.fallback
    def work(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        is_bad = event.event == "bad"
        if is_bad and when == "before":
            end_all()
        if when != "without":
            ledger.credit(context.replace(key="key"))
        if is_bad and when != "before":
            end_all()

    async def run() -> None:
        bodies = [b'{"event":"good"}', b'{"event":"bad"}', *[b'{"event":"good"}'] * 4]
        stop = asyncio.Event()
        async with filled(url.replace("test@", f"{role}@"), bodies, attempts=2) as inbox, asyncio.timeout(HANGS):
            running = asyncio.create_task(inbox.run(handlers, stop=stop))
            async with bankhook.inbox.open(url) as looking:
                while (await looking.counts())[DeliveryState.PENDING]:
                    await asyncio.sleep(0.1)
                stop.set()
                await running
                found = {one.number: one async for one in looking.find()}
        assert {number: one.state.value for number, one in found.items()} == dict.fromkeys(found, "handled") | {2: "parked"}
        assert found[2].attempts == 2
        assert [number for _, number in ledger.rows()] == ([] if when == "without" else [1, 3, 4, 5, 6])

    with postgresql.connect() as server:
        server.autocommit = True
        server.execute(SQL("CREATE ROLE {} LOGIN SUPERUSER").format(Identifier(role)))
        asyncio.run(run())
