# SPDX-License-Identifier: MIT
"""What Alembic runs: your tables are in the database of the inbox, whose own tables it leaves alone."""

from __future__ import annotations

from alembic import context
from handlers import INBOX, metadata
from sqlalchemy import create_engine, make_url


def is_ours(name: str | None, kind: str, parents: object) -> bool:
    """Whether Alembic looks at it: bankhook makes its own tables when an inbox is opened."""
    return not (kind == "table" and name is not None and name.startswith("bankhook_"))


with create_engine(make_url(INBOX).set(drivername="postgresql+psycopg")).connect() as connection:
    context.configure(connection=connection, target_metadata=metadata, include_name=is_ours)
    with context.begin_transaction():
        context.run_migrations()
