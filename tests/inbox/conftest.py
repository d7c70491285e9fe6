# SPDX-License-Identifier: MIT
"""The stores that every test of an inbox runs on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inbox.postgresql import PostgreSQL, is_installed


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server of this process."""
    if not is_installed():
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with PostgreSQL() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an inbox can be made: a new file, a new database."""
    if request.param == "sqlite":
        return str(tmp_path / "inbox.db")
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.url()
