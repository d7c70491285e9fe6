# SPDX-License-Identifier: MIT
"""A handler begins once: its transaction is there then."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text

import bankhook
from bankhook.inbox import DeliveryState
from inbox.history import Ledger, filled, found, payloads

HISTORY = payloads(300)


@pytest.mark.parametrize("is_async", [False, True])
def test_to_begin_what_has_begun_is_refused_with_what_to_write(url: str, is_async: bool) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()
        handlers.fallback(name="credit")(credit_async if is_async else credit)
        async with filled(url, [b'{"event":"begins"}', b'{"event":"nested"}'], attempts=1) as inbox:
            assert await inbox.drain(handlers) == 2
            begins, nested = await found(inbox)
        assert "the transaction has begun: execute in it, or in one of begin_nested()" in str(begins.error)
        assert nested.state is DeliveryState.HANDLED
        assert ledger.rows() == [("nested", 1)]

    def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        connection = context.begin()
        with connection.begin() if event.event == "begins" else connection.begin_nested():
            connection.execute(text("INSERT INTO credits VALUES (:event, 1)"), {"event": event.event})

    async def credit_async(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        connection = await context.begin()
        async with connection.begin() if event.event == "begins" else connection.begin_nested():
            await connection.execute(text("INSERT INTO credits VALUES (:event, 1)"), {"event": event.event})

    asyncio.run(run())
