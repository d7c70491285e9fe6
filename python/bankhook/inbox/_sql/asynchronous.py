# SPDX-License-Identifier: MIT
"""The connection of a handler for async handlers: a driver without an event loop, which awaits what PostgreSQL answers."""

from __future__ import annotations

import asyncio
import copy
import sqlite3
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any, Self, cast

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.util.concurrency import await_only, in_greenlet

from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.files import Files


class _Connection(AsyncConnection):
    """One that has begun when `async with` begins."""

    async def __aenter__(self) -> Self:
        return self


def asynchronous(connection: Connection) -> AsyncConnection:
    """Return the connection as one whose methods are awaited.

    Its driver is not async, which an AsyncEngine refuses: in SQLite no statement waits for others once the transaction has begun.
    """
    return _Connection(cast(AsyncEngine, SimpleNamespace(sync_engine=connection.engine)), connection)


def before_statement(connection: Connection, *_: object) -> None:
    """Called by SQLAlchemy: handlers may execute until they end; in SQLite the event loop goes on, which SQLAlchemy demands."""
    may_execute = connection.get_execution_options().get("bankhook_may_execute")
    if may_execute is not None:
        may_execute()
        if connection.dialect.name == "sqlite" and _is_awaited():
            await_only(asyncio.sleep(0))


def of_handlers(connection: Connection, may_execute: Callable[[], object]) -> Connection:
    """Return the same connection for the handlers of a delivery alone: before each of their statements this is called."""
    return copy.copy(connection).execution_options(bankhook_may_execute=may_execute)


def end(own: Connection, refuse: Callable[..., object]) -> None:
    """Let whoever has kept it for longer than its transaction be refused like this, and not by SQLAlchemy."""
    vars(own).update(dict.fromkeys(("execute", "exec_driver_sql", "begin", "begin_nested"), refuse))


def _is_awaited() -> bool:
    """Whether a method of SQLAlchemy that was awaited runs this: in the thread of the event loop, but not on its stack."""
    return "greenlet" in sys.modules and in_greenlet()


class _Rows:
    """A cursor whose rows SQLAlchemy takes for those of an async driver: there is nothing to wait for at their end.

    It asks for the method by this name of its own, the only one that is used here.
    """

    async def _async_soft_close(self) -> None:
        pass


class _SqliteCursor(_Rows, sqlite3.Cursor):
    def execute(self, *statement: Any) -> Self:
        with self.connection.use():  # type: ignore[attr-defined]
            return super().execute(*statement)

    def executemany(self, *statement: Any) -> Self:
        with self.connection.use():  # type: ignore[attr-defined]
            return super().executemany(*statement)


class SqliteConnection(sqlite3.Connection):
    """What connects to SQLite; another thread may end its transaction for good."""

    files: Files | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._using = threading.Lock()
        self._is_revoked = False

    def cursor(self, factory: Any = _SqliteCursor) -> Any:
        return super().cursor(factory)

    @contextmanager
    def use(self) -> Generator[None]:
        """Keep `revoke` out while a statement is executed."""
        with self._using:
            if self._is_revoked:
                raise sqlite3.OperationalError("the transaction was rolled back, since it took too long")
            yield

    def revoke(self) -> None:
        """Roll back, and execute nothing any more."""
        while not self._using.acquire(timeout=0.01):
            self.interrupt()
        self._is_revoked = True
        try:
            self.rollback()
        finally:
            self._using.release()

    def close(self) -> None:
        """Close it; after `revoke`, when the last thread that uses it has forgotten it.

        To close the last one of a process copies the -wal file into the database. If others have another one by now, that would
        overwrite what they store: then it is never closed. It refers to itself, through SQLite, where Python does not look.
        """
        if self._is_revoked:
            return
        try:
            if self.files is not None:
                self.files.check()
        except InboxError:
            kept: Any = self
            self.create_function("bankhook_kept", 0, lambda: kept and None)
            return
        self.files = None  # whatever comes: this one can do no harm any more
        super().close()

    def __del__(self) -> None:
        """Close it without a word: Python 3.13 would warn, of a connection that was revoked or whose inbox warned already."""
        with suppress(sqlite3.Error):
            self._is_revoked = False
            self.close()


def connect(*arguments: Any, **named: Any) -> Any:
    """Connect to PostgreSQL; what async handlers ask for is awaited, so the event loop goes on while a statement waits."""
    import psycopg
    from psycopg import waiting

    class Lock:
        """Lets a thread wait until another statement has ended, but not the event loop, which that needs in order to end."""

        def __init__(self) -> None:
            self._lock = threading.Lock()

        def __enter__(self) -> None:
            if not self._lock.acquire(blocking=not _is_awaited()):
                raise psycopg.ProgrammingError("another statement runs on this connection: await one after another")

        def __exit__(self, *exception: object) -> None:
            self._lock.release()

    class Cursor(_Rows, psycopg.Cursor[Any]):
        pass

    class Waiting(psycopg.Connection[Any]):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.lock: Any = Lock()

        def __del__(self, *_: object) -> None:
            """Close it: a thread that waited for longer than its inbox was open gives it to a pool that nobody has."""
            with suppress(Exception):
                self.close()

        def wait(self, gen: Any, *waits: Any, **named: Any) -> Any:
            if _is_awaited():
                try:
                    return await_only(waiting.wait_async(gen, self.pgconn.socket))
                except asyncio.CancelledError:  # else the server would go on, with all locks
                    with suppress(Exception):
                        self.cancel_safe(timeout=1)
                    raise
            return super().wait(gen, *waits, **named)

    return Waiting.connect(*arguments, cursor_factory=Cursor, **named)
