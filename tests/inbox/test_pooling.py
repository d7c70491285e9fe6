# SPDX-License-Identifier: MIT
"""A pooler that gives a session to others between two transactions is refused: settings and claims would go with it."""

from __future__ import annotations

import asyncio

import pytest

import bankhook.inbox
from bankhook.inbox import InboxError
from inbox.pooling import pooled
from inbox.postgresql import PostgreSQL


def test_a_pooler_of_transactions_is_refused_with_its_cause_and_nothing_is_left(postgresql: PostgreSQL) -> None:
    async def run() -> None:
        url = postgresql.url()
        async with pooled(postgresql.port) as port:
            with pytest.raises(InboxError, match="pool_mode = session"):
                async with bankhook.inbox.open(url.replace(str(postgresql.port), str(port))):
                    pass
        with postgresql.connect() as connection:
            assert connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,)
        async with bankhook.inbox.open(url):
            pass

    asyncio.run(asyncio.wait_for(run(), 60))
