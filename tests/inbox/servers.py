# SPDX-License-Identifier: MIT
"""A server of a test's own, which it may kill."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from inbox.nats_server import NatsServer
from inbox.postgresql import PostgreSQL

__all__ = ["started"]


@contextmanager
def started(store: str) -> Generator[NatsServer | PostgreSQL]:
    servers: dict[str, type[NatsServer | PostgreSQL]] = {"postgresql": PostgreSQL, "nats": NatsServer}
    with servers[store]() as running:
        yield running
