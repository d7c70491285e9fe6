# SPDX-License-Identifier: MIT
"""A server of a test's own, which it may kill."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import pytest

from inbox import nats_server, postgresql
from inbox.nats_server import NatsServer
from inbox.postgresql import PostgreSQL

__all__ = ["started"]


@contextmanager
def started(store: str) -> Generator[NatsServer | PostgreSQL]:
    servers = {"postgresql": (postgresql.is_installed, PostgreSQL), "nats": (nats_server.is_installed, NatsServer)}
    is_installed, server = servers[store]
    if not is_installed():
        pytest.skip(f"{store} is not installed")
    with server() as running:
        yield running
