# SPDX-License-Identifier: MIT
"""The stores that every test of an inbox runs on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from inbox.nats_server import NatsServer
    from inbox.postgresql import PostgreSQL


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server of this process."""
    from inbox.postgresql import PostgreSQL

    with PostgreSQL() as server:
        yield server


@pytest.fixture(scope="session")
def nats() -> Iterator[NatsServer]:
    """A NATS server of this process."""
    from inbox.nats_server import NatsServer

    with NatsServer() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an inbox can be made in a SQL database: a new file, a new schema."""
    return _new(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", "postgresql", "nats"])
def any_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an inbox can be made in any store."""
    return _new(request.param, request, tmp_path)


def _new(store: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if store == "sqlite":
        return str(folder / "inbox.db")
    server: PostgreSQL | NatsServer = request.getfixturevalue(store)
    return server.url()
