# SPDX-License-Identifier: MIT
"""The tables that migrations make are those that the code expects; tables of a newer version are left alone."""

from __future__ import annotations

import asyncio

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

import bankhook.inbox
from bankhook.inbox import InboxError
from bankhook.inbox._sql.schema import VERSION_TABLE
from bankhook.inbox._sql.tables import metadata
from bankhook.inbox._sql.urls import database_url


async def make(url: str) -> None:
    async with bankhook.inbox.open(url):
        pass


def test_migrations_make_the_tables_that_the_code_expects(url: str) -> None:
    asyncio.run(make(url))
    engine = create_engine(database_url(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_tables_of_a_newer_version_are_an_error_and_stay(url: str) -> None:
    asyncio.run(make(url))
    engine = create_engine(database_url(url))
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = 'from the future'"))
    engine.dispose()
    with pytest.raises(InboxError, match="a newer version of bankhook"):
        asyncio.run(make(url))
