# SPDX-License-Identifier: MIT
"""A database that an inbox is stored in: transactions, locks, and what its errors are called."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any

from sqlalchemy import URL, Connection, create_engine, event, func, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.asynchronous import SqliteConnection, connect
from bankhook.inbox._sql.schema import check, migrate
from bankhook.inbox._sql.tables import inbox
from bankhook.inbox._sql.threads import Turns

# Until a host that does not answer is given up, by the server and here, unless the URL has its own: 25 seconds.
KEEPALIVES = {
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
BUSY_SECONDS = 30  # how long another process may write to SQLite before a transaction gives up


class Database:
    """SQLite or PostgreSQL, connected when it is needed; every transaction is as durable as the database can make it."""

    def __init__(self, url: URL, *, create: bool) -> None:
        self.url = url
        self._create = create
        self.is_sqlite = url.get_backend_name() == "sqlite"
        make = partial(create_engine, url, hide_parameters=True)  # what is stored may be personal, so no message shows it
        if self.is_sqlite:
            arguments = {"timeout": BUSY_SECONDS, "check_same_thread": False, "factory": SqliteConnection}
            self.engine = self._reading = make(connect_args=arguments)
            event.listen(self.engine, "connect", self._configure_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            event.listen(self.engine, "do_connect", lambda *_: self.check())
        else:
            # Whatever is the default of the server.
            try:
                self.engine = make(isolation_level="READ COMMITTED", pool_pre_ping=True)
            except ModuleNotFoundError as error:
                message = "an inbox in PostgreSQL needs psycopg: pip install 'bankhook[postgresql]'"
                raise ModuleNotFoundError(message, name=error.name) from error
            event.listen(self.engine, "do_connect", _connect_postgresql)
            event.listen(self.engine, "connect", _configure_postgresql)
            # Else each statement would see what was committed by then; in SQLite each transaction sees one state.
            self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._writing = self.engine.execution_options(bankhook_begin="IMMEDIATE")
        self._files: list[tuple[int, int] | None] | None = None  # that are open
        self._kept = ExitStack()
        self._turn = Turns()

    def open(self) -> None:
        """Connect, and make the tables or bring them up to date; without `create`, only check that they are there."""
        with failures("cannot open the inbox"):
            if self._create:
                if self.is_sqlite:  # only its user may read it; what SQLite makes beside it has the same permissions
                    os.close(os.open(self.url.database or "", os.O_CREAT | os.O_CLOEXEC, 0o600))
                with self.turn(), self._writing.begin() as connection:
                    if migrate(connection) and self.is_sqlite:
                        self._make_all_private()
                    if self.is_sqlite:  # only what is written shows that a disk is read-only
                        connection.execute(update(inbox).values(version=inbox.c.version))
            elif self.is_sqlite and not os.path.isfile(self.url.database or ""):
                raise InboxError("cannot open the inbox: there is no such file")
            else:
                with self.read("cannot open the inbox") as connection:
                    check(connection)
            if self.is_sqlite:
                # The last connection that is closed would delete the -wal file.
                kept = self._kept.enter_context(self.engine.connect())
                kept.exec_driver_sql("SELECT 1 FROM sqlite_schema")  # reading opens that file
                kept.rollback()
                self._files = self._found()

    def close(self) -> None:
        """Close all connections."""
        self._kept.close()
        self._files = None
        self.engine.dispose()

    def check(self) -> None:
        """InboxError if the file of SQLite was deleted, moved or replaced, or one of those beside it: what is written is lost.

        Without its `-wal` a database lacks what was committed last; without its `-shm` processes do not see each other's locks.
        """
        if self._files is not None and self._found() != self._files:
            raise InboxError(
                "the file of the inbox, or its -wal or -shm file, was deleted or replaced while it was open: "
                "put it back, or restart"
            )

    def _make_all_private(self) -> None:
        """Let only its user read a file that was there, and those beside it, before there are deliveries in it."""
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                os.chmod(f"{self.url.database}{suffix}", 0o600)

    def _found(self) -> list[tuple[int, int] | None]:
        return [_identity(f"{self.url.database}{suffix}") for suffix in ("", "-wal", "-shm")]

    @contextmanager
    def write(self, doing: str, seconds: float | None = None) -> Generator[Connection]:
        """A transaction that writes: committed at the end of the block, or rolled back; it waits for so long for others."""
        with failures(doing), self.turn(seconds), self._writing.connect() as connection, self._waiting(connection, seconds):
            with connection.begin():
                yield connection
            self.check()

    @contextmanager
    def read(self, doing: str) -> Generator[Connection]:
        """A transaction that reads one state of the database."""
        self.check()
        with failures(doing), self._reading.begin() as connection:
            yield connection

    @contextmanager
    def _waiting(self, connection: Connection, seconds: float | None) -> Generator[None]:
        """Let SQLite wait for another process for so long, if that is given."""
        driver: Any = connection.connection.driver_connection
        if seconds is None or not self.is_sqlite:
            yield
            return
        driver.execute(f"PRAGMA busy_timeout = {int(1000 * seconds)}")
        try:
            yield
        finally:
            driver.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_SECONDS)}")

    @contextmanager
    def turn(self, seconds: float | None = None) -> Generator[None]:
        """Wait until no thread of this process writes to SQLite, which is fairer and quicker than SQLite's own waiting."""
        if not self.is_sqlite:
            yield
            return
        if not self._turn.take(BUSY_SECONDS if seconds is None else seconds):
            raise InboxError("cannot write to the inbox: database is locked")
        try:
            yield
        finally:
            self._turn.release()

    def _configure_sqlite(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says so, not where Python's module guesses
        if self._create:  # the file remembers it; that of another application stays unchanged
            connection.execute("PRAGMA journal_mode=WAL")
        for pragma in ("synchronous=FULL", "temp_store=MEMORY", "cache_spill=OFF"):  # pages are written once a commit
            connection.execute(f"PRAGMA {pragma}")

    @contextmanager
    def connect(self) -> Generator[Connection]:
        """A connection whose transactions write, and that nobody uses afterwards; in SQLite they are to begin within `turn`."""
        with self._writing.connect() as connection:
            yield connection
            with suppress(Exception):
                connection.invalidate()

    def revoke(self, driver: Any) -> None:
        """Roll back what another thread writes through this connection of the driver, which can execute nothing any more."""
        if self.is_sqlite:
            driver.revoke()
        else:
            with self.engine.begin() as connection:
                connection.execute(select(func.pg_terminate_backend(driver.info.backend_pid)))


@contextmanager
def failures(doing: str) -> Generator[None]:
    """Raise InboxError for what the database or the system raises, without any value that it was given."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise InboxError(f"{doing}: {_reason(error)}") from error


def _reason(error: SQLAlchemyError | OSError) -> str:
    """What went wrong, in words that contain no value: SQLite's messages have none, PostgreSQL's may have."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return str(cause)
    if isinstance(cause, OSError):
        return cause.strerror or type(cause).__name__
    state = getattr(cause, "sqlstate", None)
    if state is None and type(cause).__name__ == "OperationalError":  # no connection: a matter of hosts and ports
        return " ".join(str(cause).split())
    return type(cause).__name__ + (f" (SQLSTATE {state})" if state else "")


def _connect_postgresql(_dialect: object, _record: object, where: list[Any], named: dict[str, Any]) -> Any:
    ours = {name.replace("tcp_keep", "keep"): value for name, value in KEEPALIVES.items()}
    return connect(*where, **ours | {"connect_timeout": 10} | named)


def _configure_postgresql(connection: Any, _record: object) -> None:
    """Wait for the disk at each commit: values that wait for less would lose what was acknowledged; more may be asked for.

    If the host of this process is lost, the server ends the session within 30 seconds, and the claims with it.
    """
    with connection.cursor() as cursor:
        kept = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in KEEPALIVES.items())
        cursor.execute(f"SELECT current_setting('synchronous_commit'), {kept}")
        if cursor.fetchone()[0] in ("off", "local"):
            cursor.execute("SET synchronous_commit = on")
    connection.commit()


def _identity(path: str) -> tuple[int, int] | None:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('bankhook_begin', 'DEFERRED')}")
