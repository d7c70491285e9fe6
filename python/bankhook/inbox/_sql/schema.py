# SPDX-License-Identifier: MIT
"""Makes the tables of an inbox, brings those of an older version up to date, or only looks at their version."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from bankhook.inbox._protocol import InboxError

__all__ = ["APPEND_LOCK", "RUN_LOCK", "VERSION_TABLE", "check", "migrate"]

VERSION_TABLE = "bankhook_schema"
MIGRATIONS = Path(__file__).parents[1] / "migrations"

# Advisory locks of PostgreSQL are numbers of a database: these are the first bytes of "bankhook", counted on.
MIGRATION_LOCK, APPEND_LOCK, RUN_LOCK = (int.from_bytes(b"bankhook") // 10 * 10 + place for place in range(3))


def migrate(connection: Connection) -> None:
    """Bring the schema up to date in the open transaction; processes that start at once wait for each other.

    Raises InboxError if a newer version of the library made it.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    config = _config(connection)
    current, newest = _versions(config, connection)
    if current != newest:
        command.upgrade(config, "head")


def check(connection: Connection) -> None:
    """Raise InboxError unless the database has the tables of an inbox of this version; nothing is changed."""
    current, newest = _versions(_config(connection), connection)
    if current is None:
        raise InboxError("cannot open the inbox: the database has no inbox")
    if current != newest:
        raise InboxError(
            f"the inbox has version {current} of its tables, of an older bankhook: what receives or handles deliveries "
            "brings them up to date when it starts"
        )


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _versions(config: Config, connection: Connection) -> tuple[str | None, str | None]:
    """Return the version of the tables, None without tables, and the newest; InboxError for one that is not known."""
    scripts = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()
    if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
        raise InboxError(f"the inbox has version {current} of its tables: a newer version of bankhook made it")
    return current, scripts.get_current_head()
