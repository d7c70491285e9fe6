# SPDX-License-Identifier: MIT
"""What a server, a database, a role or the environment sets for the sessions of PostgreSQL changes nothing that an inbox does."""

from __future__ import annotations

import asyncio
import datetime

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import InboxError, examine
from inbox.history import Ledger, found
from inbox.postgresql import PostgreSQL

BODY = '{"event":"caf\u00e9 \u20ac \U0001f600","customer":{"id":"\u00fc"}}'.encode()
SETTINGS = (
    *("DateStyle = German", "DateStyle = 'SQL, DMY'", "TimeZone = '<+03>-3'", "bytea_output = escape"),
    *("client_encoding = LATIN1", "client_encoding = SQL_ASCII", "client_encoding = EUC_TW"),
    "standard_conforming_strings = off",
)
HERE = {"PGCLIENTENCODING": "EUC_TW", "PGDATESTYLE": "German", "PGTZ": "Asia/Kathmandu"}


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_a_role_change_nothing(postgresql: PostgreSQL, setting: str) -> None:
    url, role = postgresql.url(), f"other{SETTINGS.index(setting)}"
    ledger = Ledger(url)
    with postgresql.connect() as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN SUPERUSER".encode())
        connection.execute(f"ALTER ROLE {role} SET {setting}".encode())
    asyncio.run(use(url.replace("//test@", f"//{role}@"), ledger))
    assert ledger.rows() == [("key", 1)]


def test_the_environment_changes_nothing(postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgresql.url()
    ledger = Ledger(url)
    with monkeypatch.context() as patched:
        for name, value in HERE.items():
            patched.setenv(name, value)
        asyncio.run(use(url, ledger))
    assert ledger.rows() == [("key", 1)]


async def use(url: str, ledger: Ledger) -> None:
    handlers = bankhook.Handlers()

    @handlers.fallback
    def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        ledger.credit(context.replace(key="key"))

    async with bankhook.inbox.open(url) as inbox:
        before = datetime.datetime.now(datetime.UTC)
        await inbox.append([examine(BODY)])
        assert await inbox.drain(handlers) == 1
        (stored,) = await found(inbox)
        assert (stored.body, stored.event) == (BODY, "caf\u00e9 \u20ac \U0001f600")
        assert before <= stored.received <= datetime.datetime.now(datetime.UTC)
        assert await inbox.purge(before=datetime.datetime.now(datetime.UTC)) == 1


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII", "EUC_JP"])
def test_a_database_that_cannot_store_every_text_is_refused_at_the_start(postgresql: PostgreSQL, encoding: str) -> None:
    with postgresql.connect() as connection:
        connection.execute(f"CREATE DATABASE {encoding} TEMPLATE template0 LOCALE 'C' ENCODING '{encoding}'".encode())

    async def run() -> None:
        with pytest.raises(InboxError, match=f"{encoding}: an inbox needs one with the encoding UTF8"):
            await bankhook.inbox.open(f"postgresql://test@127.0.0.1:{postgresql.port}/{encoding.lower()}").__aenter__()

    asyncio.run(run())
