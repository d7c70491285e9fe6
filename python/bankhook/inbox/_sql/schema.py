# SPDX-License-Identifier: MIT
"""Makes the tables of an inbox, brings those of an older version up to date, or only looks at their version."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from sqlalchemy import Connection, insert, inspect, select, text, update

from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.tables import OWN, inbox, metadata, sources

# Advisory locks of PostgreSQL are numbers of a database. This one is the first bytes of "bankhook".
MIGRATION_LOCK = int.from_bytes(b"bankhook")
# In a transaction that others wait for: the server ends it if this process is stopped within it.
END_IF_STOPPED = "set_config('idle_in_transaction_session_timeout', '15s', true)"


def _make(connection: Connection) -> None:
    metadata.create_all(connection)
    connection.execute(insert(inbox).values(dict.fromkeys(inbox.c.keys(), 0)))
    connection.execute(insert(sources).values(name=uuid.uuid4().hex, number=OWN))


STEPS: tuple[Callable[[Connection], None], ...] = (_make,)
"""What brings the tables of each version to the next one: of 0, which has none, to 1. A step that was released stays the same."""


def lock_of(place: str) -> str:
    """The number of an advisory lock, in SQL, from one under 65,536: those of inboxes in other schemas are others."""
    return f"CAST(CAST(CAST('{inbox.name}' AS regclass) AS oid) AS bigint) * 65536 + {place}"


def migrate(connection: Connection) -> bool:
    """Bring the tables up to date in the open transaction; whether there were none. Processes that start wait for each other.

    Raises InboxError if a newer version of the library made them.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    version = _version(connection)
    for step in STEPS[version:]:
        step(connection)
        connection.execute(update(inbox).values(version=inbox.c.version + 1))
    return version == 0


def check(connection: Connection) -> None:
    """Raise InboxError unless the database has the tables of an inbox of this version; nothing is changed."""
    current = _version(connection)
    if current == 0:
        raise InboxError("cannot open the inbox: the database has no inbox")
    if current != len(STEPS):
        raise InboxError(
            f"the inbox has version {current} of its tables, of an older bankhook: what receives or handles deliveries "
            "brings them up to date when it starts"
        )


def _version(connection: Connection) -> int:
    """Return the version of the tables, 0 without tables; InboxError for one that is not known."""
    current: int = connection.scalars(select(inbox.c.version)).one() if inspect(connection).has_table(inbox.name) else 0
    if current > len(STEPS):
        raise InboxError(f"the inbox has version {current} of its tables: a newer version of bankhook made it")
    return current
