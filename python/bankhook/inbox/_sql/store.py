# SPDX-License-Identifier: MIT
"""The store of an inbox, a database: its transactions, whose turn it is, and what its errors are called."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any

from sqlalchemy import URL, Connection, create_engine, event, func, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bankhook._records.stored import Delivery
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.appending import append
from bankhook.inbox._sql.asynchronous import SqliteConnection, before_statement, connect
from bankhook.inbox._sql.files import WAL_BYTES, Files
from bankhook.inbox._sql.schema import check, make
from bankhook.inbox._sql.tables import inbox
from bankhook.inbox._sql.threads import Turns

# Until a host that does not answer is given up, by the server and here, unless the URL has its own: 25 seconds.
KEEPALIVES = {
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
# What the texts of a session look like, whatever a server, a database, a role or the environment has set.
FORMS = {"DateStyle": "ISO", "TimeZone": "UTC", "standard_conforming_strings": "on"}
OWN_CONNECTIONS = 5  # of an inbox on PostgreSQL, beside those of handlers: that write, read, check, and claim
BUSY_SECONDS = 30  # how long another process may write to SQLite before a transaction gives up


class Store:
    """SQLite or PostgreSQL, connected when it is needed; every transaction is as durable as the database can make it."""

    def __init__(self, url: URL, *, create: bool) -> None:
        self.url = url
        self._create = create
        self.is_sqlite = url.get_backend_name() == "sqlite"
        make = partial(create_engine, url, hide_parameters=True)  # what is stored may be personal, so no message shows it
        self.files: Files | None = None  # of SQLite, from opening to closing
        if self.is_sqlite:
            arguments = {"timeout": BUSY_SECONDS, "check_same_thread": False, "factory": SqliteConnection}
            self.engine = self._reading = make(connect_args=arguments)
            event.listen(self.engine, "connect", self._configure_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            event.listen(self.engine, "before_cursor_execute", before_statement)
            event.listen(self.engine, "do_connect", lambda *_: self.check())
        else:
            # Whatever is the default of the server.
            make = partial(make, isolation_level="READ COMMITTED", pool_pre_ping=True)
            try:
                self.engine, self.lanes = make(), make(pool_size=0)  # as many as handlers need at a time, for these alone
            except ModuleNotFoundError as error:
                message = "an inbox in PostgreSQL needs psycopg: pip install 'bankhook[postgresql]'"
                raise ModuleNotFoundError(message, name=error.name) from error
            for engine in (self.engine, self.lanes):
                event.listen(engine, "do_connect", _connect_postgresql)
                event.listen(engine, "connect", _configure_postgresql)
            event.listen(self.lanes, "before_cursor_execute", before_statement)
            # Else each statement would see what was committed by then; in SQLite each transaction sees one state.
            self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._driver_error: type[Exception] = self.engine.dialect.loaded_dbapi.Error
        self._writing = self.engine.execution_options(bankhook_begin="IMMEDIATE")
        self._kept: Connection | None = None
        self._turn = Turns()

    def open(self) -> None:
        """Connect, and make the tables unless they are there; without `create`, only check that they are."""
        with failures("cannot open the inbox"):
            if self.is_sqlite:
                self.files = self._found()
            else:
                self._check_sessions()
            if self._create:
                with self.turn(), self._writing.begin() as connection:
                    if make(connection) and self.files is not None:
                        self.files.make_private()
                    if self.is_sqlite:  # only what is written shows that a disk is read-only
                        connection.execute(update(inbox).values(version=inbox.c.version))
            else:
                with self.read("cannot open the inbox") as connection:
                    check(connection)
            if self.files is not None:
                # The last connection that is closed would delete the -wal file.
                self._kept = self.engine.connect()
                self._kept.detach()
                self._kept.exec_driver_sql("SELECT 1 FROM sqlite_schema")  # reading opens that file
                self._kept.rollback()
                self.files.watch()

    def _found(self) -> Files:
        files = Files(self.url.database or "")
        if self._create:
            files.make()
        elif not os.path.isfile(files.path):
            raise InboxError("cannot open the inbox: there is no such file")
        files.refuse()
        return files

    def _check_sessions(self) -> None:
        """InboxError if others get a session between two of its transactions, and its settings and claims with it."""
        with self.engine.connect() as one, self.engine.connect() as other:
            seen = set[tuple[bool, int]]()
            for connection in (one, other) * 2:
                with connection.begin():
                    seen.add((connection is one, connection.scalars(select(func.pg_backend_pid())).one()))
        if len(seen) > 2 or len({pid for _, pid in seen}) < 2:
            raise InboxError("an inbox needs sessions of its own: let the pooler (PgBouncer) have `pool_mode = session`")

    def check_room(self, handlers: int) -> None:
        """InboxError if the server does not take a connection for each of so many handlers."""
        if self.is_sqlite:
            return
        limits = (func.current_setting(name) for name in ("max_connections", "superuser_reserved_connections"))
        with self.read("cannot handle deliveries") as connection:
            most, reserved = map(int, connection.execute(select(*limits)).one())
        if handlers > (room := most - reserved - OWN_CONNECTIONS):
            raise InboxError(
                f"concurrency: the server takes {most} connections, enough for {room} handlers, found {handlers}"
            )

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        kept, self._kept = self._kept, None
        files, self.files = self.files, None
        if kept is not None and files is not None:
            kept.close()
            files.leave()

    def check(self) -> None:
        """NeedsRestart if the file of SQLite, or one of those beside it, was deleted or replaced: what is written is lost."""
        if self.files is not None:
            self.files.check()

    def committed(self) -> None:
        """Look at the files before an answer is given, and let SQLite copy into the database what has gathered beside it.

        SQLite would do that by itself, with each commit, whatever has become of the files.
        """
        self.check()
        if self.files is not None and self.files.has_long_wal and self._kept is not None:
            driver: Any = self._kept.connection.dbapi_connection
            with suppress(sqlite3.Error):  # nothing depends on it: the next one tries again
                driver.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @contextmanager
    def write(self, doing: str, seconds: float | None = None) -> Generator[Connection]:
        """A transaction that writes: committed at the end of the block, or rolled back; it waits for so long for others."""
        with failures(doing, self._driver_error), self.turn(seconds):
            try:
                with self._writing.connect() as connection, self._waiting(connection, seconds), connection.begin():
                    yield connection
                    self.check()
            except (SQLAlchemyError, self._driver_error):
                self.check()  # which may be the reason
                raise
            self.committed()

    @contextmanager
    def drive(self, doing: str) -> Generator[Any]:
        """The same for the driver alone, whose statements take less time: its connection."""
        with failures(doing, self._driver_error), self.turn(), closing(self._writing.raw_connection()) as pooled:
            driver: Any = pooled.driver_connection
            try:
                if self.is_sqlite:
                    driver.execute("BEGIN IMMEDIATE")
                yield driver
                self.check()
                driver.commit()  # else the pool rolls back
            except self._driver_error:
                self.check()  # which may be the reason
                raise
            self.committed()

    def append(self, new: Sequence[Delivery]) -> Sequence[int]:
        """Append deliveries in a transaction of its own; their numbers."""
        with self.drive("cannot store deliveries") as driver:
            return append(driver, new)

    @contextmanager
    def read(self, doing: str) -> Generator[Connection]:
        """A transaction that reads one state of the database."""
        self.check()
        with failures(doing, self._driver_error), self._reading.begin() as connection:
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

    def _configure_sqlite(self, connection: SqliteConnection, _record: object) -> None:
        connection.files = self.files
        connection.isolation_level = None  # transactions begin where SQLAlchemy says so, not where Python's module guesses
        if self._create:  # the file remembers it; that of another application stays unchanged
            connection.execute("PRAGMA journal_mode=WAL")
        for pragma in (
            *("synchronous=FULL", "temp_store=MEMORY", "cache_spill=OFF"),  # pages are written once a commit
            *("wal_autocheckpoint=0", f"journal_size_limit={WAL_BYTES}"),  # `committed` does that
        ):
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
def failures(doing: str, more: type[Exception] = SQLAlchemyError) -> Generator[None]:
    """Raise InboxError for what the database, its driver or the system raises, without any value that it was given."""
    try:
        yield
    except (SQLAlchemyError, OSError, UnicodeError, more) as error:
        raise InboxError(f"{doing}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """What went wrong, in words that contain no value: SQLite's messages have none, PostgreSQL's may have."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        is_unwritable = getattr(cause, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        return f"{cause}{'; SQLite writes beside the file: where that cannot be, open a copy' if is_unwritable else ''}"
    if isinstance(cause, OSError):
        return cause.strerror or type(cause).__name__
    state = getattr(cause, "sqlstate", None)
    # No connection: a matter of hosts, ports and other settings.
    if state is None and type(cause).__name__ in ("OperationalError", "ProgrammingError"):
        return " ".join(str(cause).split())
    return type(cause).__name__ + (f" (SQLSTATE {state})" if state else "")


def _connect_postgresql(_dialect: object, _record: object, where: list[Any], named: dict[str, Any]) -> Any:
    ours = {name.replace("tcp_keep", "keep"): value for name, value in KEEPALIVES.items()}
    return connect(*where, **ours | {"connect_timeout": 10} | named | {"client_encoding": "UTF8"})


def _configure_postgresql(connection: Any, _record: object) -> None:
    """Set what is relied on. InboxError if the database cannot store every text.

    Each commit waits for the disk: values that wait for less would lose what was acknowledged; more may be asked for. If the
    host of this process is lost, the server ends the session within 30 seconds, and the claims with it.
    """
    with connection.cursor() as cursor:
        settings = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in (KEEPALIVES | FORMS).items())
        cursor.execute(f"SELECT current_setting('synchronous_commit'), current_setting('server_encoding'), {settings}")
        durability, encoding, *_ = cursor.fetchone()
        if encoding != "UTF8":
            raise InboxError(f"the encoding of the database is {encoding}: an inbox needs one with the encoding UTF8")
        if durability in ("off", "local"):
            cursor.execute("SET synchronous_commit = on")
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('bankhook_begin', 'DEFERRED')}")
