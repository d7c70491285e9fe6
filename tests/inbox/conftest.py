# SPDX-License-Identifier: MIT
"""The stores that every test of an inbox runs on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from inbox.postgresql import PostgreSQL


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server of this process."""
    from inbox.postgresql import PostgreSQL

    with PostgreSQL() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an inbox can be made: a new file, a new schema."""
    if request.param == "sqlite":
        return str(tmp_path / "inbox.db")
    server: PostgreSQL = request.getfixturevalue(request.param)
    return server.url()
