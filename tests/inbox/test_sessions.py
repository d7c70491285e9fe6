# SPDX-License-Identifier: MIT
"""Handlers may use a Session of SQLAlchemy, and break what they were given: only their own delivery fails."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

import bankhook
from bankhook.inbox import DeliveryState, Query, examine
from bankhook.inbox._sql.urls import database_url
from inbox.history import HANGS, Ledger, filled, found
from inbox.postgresql import PostgreSQL

BODIES = [b'{"event":"%c"}' % letter for letter in b"abcdef"]
BAD = (2, 5)


class Base(DeclarativeBase):
    """The tables of this file."""


class Credit(Base):
    """A row of the ledger."""

    __tablename__ = "credits"
    key: Mapped[str | None] = mapped_column(primary_key=True)
    delivery: Mapped[int | None] = mapped_column()


def session_that_flushes(context: bankhook.HandlerContext, number: int) -> None:
    with Session(context.begin()) as session:
        session.add(Credit(key=f"key {number}", delivery=None if number in BAD else number))
        session.commit()


def session_that_is_left_open(context: bankhook.HandlerContext, number: int) -> None:
    session = Session(context.begin())
    session.add(Credit(key=f"key {number}", delivery=number))
    session.flush()
    if number not in BAD:
        session.commit()


def whole_transaction_rolled_back(context: bankhook.HandlerContext, number: int) -> None:
    context.begin().execute(text("INSERT INTO credits VALUES (:key, :n)"), {"key": f"key {number}", "n": number})
    if number in BAD:
        transaction = context.begin().get_transaction()
        assert transaction is not None
        transaction.rollback()


def invalidated(context: bankhook.HandlerContext) -> None:
    context.begin().invalidate()


def given_back(context: bankhook.HandlerContext) -> None:
    context.begin().connection.close()


def closed_in_the_driver(context: bankhook.HandlerContext) -> None:
    driver = context.begin().connection.driver_connection
    assert driver is not None
    driver.close()


def terminated(context: bankhook.HandlerContext) -> None:
    context.begin().execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))


@pytest.mark.parametrize("is_swallowed", [False, True])
@pytest.mark.parametrize("lose", [invalidated, given_back, closed_in_the_driver, terminated])
def test_a_handler_that_costs_the_connection_fails_alone_and_is_parked_in_the_end(
    url: str, lose: Callable[[bankhook.HandlerContext], None], is_swallowed: bool
) -> None:
    """In SQLite, which has no such function, `terminated` is a statement that fails."""

    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            ledger.credit(context.replace(key="key"))
            if context.delivery.number in BAD:
                with contextlib.suppress(SQLAlchemyError) if is_swallowed else contextlib.nullcontext():
                    lose(context)
                if lose is terminated:
                    raise RuntimeError

        async with filled(url, BODIES, attempts=2) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers), 60) == len(BODIES)
            parked = await found(inbox, Query(states=(DeliveryState.PARKED,)))
            assert [(one.number, one.attempts) for one in parked] == [(number, 2) for number in BAD]
        assert [number for _, number in ledger.rows()] == [1, 3, 4, 6]
        async with filled(url, []) as other:  # whatever became of the lock
            assert await other.drain(handlers) == 0

    asyncio.run(run())


@pytest.mark.parametrize("handle", [session_that_flushes, session_that_is_left_open, whole_transaction_rolled_back])
def test_only_the_delivery_fails_whose_handler_breaks_its_session(
    url: str, handle: Callable[[bankhook.HandlerContext, int], None]
) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            handle(context, context.delivery.number)

        async with filled(url, BODIES, attempts=2) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers), 60) == len(BODIES)
            parked = await found(inbox, Query(states=(DeliveryState.PARKED,)))
            assert [(one.number, one.attempts) for one in parked] == [(number, 2) for number in BAD]
            if handle is session_that_is_left_open:
                assert all(one.error is not None and "a handler left a savepoint open" in one.error for one in parked)
            await inbox.append([examine(BODIES[0])])
            assert await asyncio.wait_for(inbox.drain(handlers), 60) == 1
        assert ledger.rows() == [(f"key {number}", number) for number in (1, 3, 4, 6, 7)]

    asyncio.run(run())


def test_an_async_handler_writes_through_an_async_connection_and_waits_without_stopping_the_loop(url: str) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()

        @handlers.fallback
        async def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            async with await context.begin() as connection:
                await connection.execute(text("INSERT INTO credits VALUES ('key', :n)"), {"n": context.delivery.number})
            async with AsyncSession(await context.begin()) as session:
                assert (await session.execute(text("SELECT count(*) FROM credits"))).scalar_one() > 0
                session.add(Credit(key=f"key {context.delivery.number}", delivery=context.delivery.number))
                await session.commit()
            if context.delivery.number in BAD:
                raise RuntimeError

        async with filled(url, BODIES, attempts=1) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers), 60) == len(BODIES)
            assert (await inbox.counts())[DeliveryState.PARKED] == len(BAD)
        assert [number for _, number in ledger.rows()] == [1, 1, 3, 3, 4, 4, 6, 6]

    asyncio.run(run())


def test_closing_the_connection_or_leaving_with_stops_nobody(url: str) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            ledger.credit(context.replace(key="key"))
            with context.begin() as connection:
                connection.close()
            ledger.credit(context.replace(key="key"))

        async with filled(url, BODIES) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers), 60) == len(BODIES)
        assert [number for _, number in ledger.rows()] == sorted([*range(1, 7), *range(1, 7)])

    asyncio.run(run())


def test_what_only_the_commit_refuses_is_the_fault_of_one_delivery_and_the_others_go_on(url: str) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()
        refused = text("INSERT INTO late VALUES (1)")

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            connection = context.begin()
            if context.delivery.number in BAD:
                if connection.dialect.name == "sqlite":
                    connection.execute(text("PRAGMA query_only = ON"))
                else:
                    connection.execute(refused)
            else:
                ledger.credit(context.replace(key="key"))

        engine = create_engine(database_url(url))
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE early (n INTEGER PRIMARY KEY)"))
            late = "CREATE TABLE late (n INTEGER REFERENCES early (n) DEFERRABLE INITIALLY DEFERRED)"
            connection.execute(text(late))
        engine.dispose()
        async with filled(url, BODIES, attempts=2) as inbox:
            running = asyncio.create_task(inbox.run(handlers))
            async with asyncio.timeout(HANGS):
                while (await inbox.counts())[DeliveryState.PENDING]:
                    await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.wait([running])
            parked = await found(inbox, Query(states=(DeliveryState.PARKED,)))
            assert [(one.number, one.attempts) for one in parked] == [(number, 2) for number in BAD]
        assert [number for _, number in ledger.rows()] == [1, 3, 4, 6]

    asyncio.run(run())


def test_drain_goes_on_whenever_a_connection_is_lost(postgresql: PostgreSQL) -> None:
    """Also if the next deliveries are to be read just then."""
    handlers, lost = bankhook.Handlers(), set[int]()

    @handlers.fallback
    def lose_once(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        connection = context.begin()
        if context.delivery.number not in lost:
            lost.add(context.delivery.number)
            time.sleep(context.delivery.number / 200)
            closed_in_the_driver(context)
        connection.execute(text("SELECT 1"))

    async def run() -> None:
        async with filled(postgresql.url(), 5 * BODIES) as inbox:
            assert await asyncio.wait_for(inbox.drain(handlers, concurrency=2), HANGS) == len(5 * BODIES)

    asyncio.run(run())
