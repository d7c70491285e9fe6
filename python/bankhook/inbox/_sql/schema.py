# SPDX-License-Identifier: MIT
"""Makes the tables of an inbox, or only looks at their version."""

from __future__ import annotations

import uuid

from sqlalchemy import Connection, insert, inspect, select, text

from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.tables import OWN, inbox, metadata, sources

# Advisory locks of PostgreSQL are numbers of a database. This one is the first bytes of "bankhook".
MAKING_LOCK = int.from_bytes(b"bankhook")
# In a transaction that others wait for: the server ends it if this process is stopped within it.
END_IF_STOPPED = "set_config('idle_in_transaction_session_timeout', '15s', true)"


VERSION = 3


def lock_of(place: str) -> str:
    """The number of an advisory lock, in SQL, from one under 65,536: those of inboxes in other schemas are others."""
    return f"CAST(CAST(CAST('{inbox.name}' AS regclass) AS oid) AS bigint) * 65536 + {place}"


def make(connection: Connection) -> bool:
    """Make the tables in the open transaction, unless there are some; whether there were none. Processes wait for each other.

    Raises InboxError if another version of the library made them.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MAKING_LOCK})
    if is_new := not _are_there(connection):
        metadata.create_all(connection)
        connection.execute(insert(inbox).values(dict.fromkeys(inbox.c.keys(), 0) | {"version": VERSION}))
        connection.execute(insert(sources).values(name=uuid.uuid4().hex, number=OWN))
    return is_new


def check(connection: Connection) -> None:
    """Raise InboxError unless the database has the tables of an inbox of this version."""
    if not _are_there(connection):
        raise InboxError("cannot open the inbox: the database has no inbox")


def _are_there(connection: Connection) -> bool:
    version = connection.scalars(select(inbox.c.version)).one() if inspect(connection).has_table(inbox.name) else None
    if version in (None, VERSION):
        return version is not None
    which = "a newer version of bankhook" if version > VERSION else "an older version of bankhook, and is not read any more"
    raise InboxError(f"the inbox has version {version} of its tables: it was made by {which}")
