# SPDX-License-Identifier: MIT
"""A transaction that begins when it is needed: for what handlers write, and for what becomes of their deliveries."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from typing import Any, NoReturn

from sqlalchemy import Connection, NestedTransaction, RootTransaction, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bankhook._records.stored import Delivery
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.asynchronous import asynchronous, end, of_handlers
from bankhook.inbox._sql.clock import Clock
from bankhook.inbox._sql.lock import Claim, check_lock, held
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.threads import Turns

IN_ERROR = 3  # the status of a transaction that PostgreSQL gave up, as libpq numbers it


class Transaction:
    """A connection that writes, and its transaction, which begins when it is needed.

    As long as nobody asked, nothing is locked: handlers may take their time before they write.
    """

    def __init__(self, store: Store, connection: Connection) -> None:
        self.store, self._connection = store, connection
        driver: Any = connection.connection.driver_connection
        self.driver, self.descriptor = driver, -1 if store.is_sqlite else driver.fileno()
        # Handlers have this connection: they cannot end the transaction through it; to close it, also by `with`, does nothing.
        # Whoever keeps it, and executes something when there is no transaction, would begin one that nobody ends.
        vars(connection).update(
            commit=_refuse, rollback=_refuse, get_transaction=_refuse, begin=self._refuse_begin, close=lambda: None
        )
        self._open = ExitStack()
        self._transaction: RootTransaction | None = None
        self.user: Writes | None = None  # whose handlers have the connection
        self.began = 0.0
        self.beginning = threading.Lock()

    def _refuse_begin(self) -> NoReturn:
        if self.user is None or self.user.has_ended:
            _refuse_late()
        raise InboxError("the transaction has begun: execute in it, or in one of begin_nested()")

    def connection(self) -> Connection:
        """The connection, in a transaction that has begun."""
        if self._transaction is None:
            with ExitStack() as opened:
                opened.enter_context(self.store.turn())
                self.store.check()
                self._transaction = Connection.begin(self._connection)
                self._open = opened.pop_all()
            self.began = time.monotonic()
        return self._connection

    def commit(self) -> None:
        """Commit, if anything was begun, and let others write. The next transaction may begin."""
        if self._transaction is not None:
            self.store.check()
            check_lock(self._connection)
            self._transaction.commit()
            self._transaction = None
            with self._open:
                self.store.committed()

    def close(self) -> None:
        """Roll back what was not committed, and let others write. The next transaction may begin."""
        with self._open:
            if self._transaction is not None:
                transaction, self._transaction = self._transaction, None
                transaction.close()

    def revoke(self) -> None:
        """Roll back under handlers that still have the connection, for which it is closed."""
        with self._open:
            self.store.revoke(self.driver)

    def leave(self, *, is_whole: bool) -> None:
        """Give the connection back, if it is as it was."""
        with suppress(Exception):  # whatever a handler did to it
            self.close()
            if not is_whole:
                self._connection.invalidate()
        with suppress(Exception):
            Connection.close(self._connection)


class Unit:
    """What counts together: a connection, the claims that it has, and the transactions of handlers.

    In SQLite these are in the transaction of this connection, and whoever has the turn uses it; in PostgreSQL each has a
    connection of its own. A unit that is over is of no use to anybody: what was not committed is rolled back.
    """

    def __init__(self, store: Store, connection: Connection) -> None:
        self.store = store
        self.transaction, self.claim = Transaction(store, connection), Claim(connection)
        self.turns = Turns()
        self.server: object = None if store.is_sqlite else self._started(connection)
        self.has_ended = False

    @staticmethod
    def _started(connection: Connection) -> object:
        """When the server was started, which tells it from another one."""
        with Connection.begin(connection):
            return connection.scalar(select(func.pg_postmaster_start_time()))

    def enter(self) -> Transaction:
        """Wait for the turn in SQLite; in PostgreSQL, connect. What it returns has to be left."""
        if self.store.is_sqlite:
            self.turns.take()
            return self.transaction
        transaction = Transaction(self.store, self.store.lanes.connect())
        held.add(transaction.descriptor)
        return transaction

    def leave(self, transaction: Transaction, *, is_whole: bool = False) -> None:
        """Let others have the turn, or the connection."""
        if transaction is self.transaction:
            self.turns.release()
        else:
            held.discard(transaction.descriptor)
            transaction.leave(is_whole=is_whole)

    def end(self) -> None:
        """Roll back, since this is over: in SQLite also under handlers that still have the connection."""
        self.has_ended = True
        self.turns.end()
        with self.transaction.beginning:
            if self.transaction.user is None:
                self.transaction.close()
            else:
                self.transaction.revoke()


class Writes:
    """What the handlers of a delivery write. Their connection has a savepoint, to which `undo` returns.

    What asks after they ended, such as a task that a handler left behind, gets an InboxError.
    """

    def __init__(self, unit: Unit, delivery: Delivery, submit: Callable[[Callable[[], Any]], Future[Any]]) -> None:
        self.unit, self.delivery, self.who = unit, delivery, "a handler"
        self.failure: Exception | None = None  # why the transaction did not begin: the handler is not the cause
        self.since = 0.0
        self.transaction: Transaction | None = None
        self.called = Clock()
        self.is_over = False  # it counts as failed, although a handler has not ended
        self._submit = submit
        self._beginning: Future[Any] | None = None
        self._asking, self._using = threading.Lock(), threading.Lock()
        self._savepoint: NestedTransaction | None = None
        self._connection: Connection
        self._settler = 0  # the thread that ends what the handlers have begun
        self.has_ended = False

    @property
    def seconds(self) -> float:
        """For how long the handlers have had the connection."""
        return time.monotonic() - self.since if self.has_begun else 0.0

    @property
    def has_begun(self) -> bool:
        """Whether the connection is used by these handlers."""
        return self.transaction is not None

    @property
    def is_alone(self) -> bool:
        """Whether these handlers have a connection of their own."""
        return self.transaction not in (None, self.unit.transaction)

    def begin(self) -> Connection:
        """Wait for the turn, begin, and return the connection."""
        with self._asking:
            if self.failure is not None:
                raise self.failure
            if self._savepoint is None and not self.has_ended:
                with self.called.stopped():  # others are the cause
                    self._begin()
            if self.has_ended:
                _refuse_late()
            if self.unit.turns.is_over:
                raise InboxError("the transaction was rolled back; the delivery is handled again")
            return self._connection

    async def begin_async(self) -> AsyncConnection:
        """The same without stopping the event loop: a thread waits, which those who have the turn do not need."""
        if self._savepoint is None:
            if self.has_ended:  # but a thread may still wait, which `begin` would wait for here
                _refuse_late()
            if self._beginning is None:
                self._beginning = self._submit(self.begin)
            beginning = asyncio.wrap_future(self._beginning)
            beginning.add_done_callback(lambda one: one.cancelled() or one.exception())  # whoever waits may be cancelled
            with self.called.stopped():
                await asyncio.shield(beginning)
        return asynchronous(self.begin())

    def _begin(self) -> None:
        try:
            transaction = self.unit.enter()
            try:
                with self._using, transaction.beginning:
                    if not self.has_ended and not self.unit.turns.is_over:
                        # SQLAlchemy knows of it, so that a Session of a handler begins and ends others within it.
                        self._connection = of_handlers(transaction.connection(), self._refuse_late)
                        self._savepoint = self._connection.begin_nested()
                        self.since, self.transaction, transaction.user = time.monotonic(), transaction, self
            finally:
                if self._savepoint is None:
                    self.unit.leave(transaction)
        except (InboxError, SQLAlchemyError) as error:
            self.failure = error
            raise

    def keep(self) -> None:
        """Keep what was written: it is committed with the rest. An error, after which `undo` is possible, or `failure`.

        It is an error if a handler left a savepoint of its own open, or if PostgreSQL gave up and the handler ignored that.
        """
        self._end()
        if self.failure is not None:
            raise self.failure
        if (savepoint := self._savepoint) is not None and not self.unit.turns.is_over:
            if savepoint.connection.get_nested_transaction() is not savepoint:
                raise InboxError("a handler left a savepoint open, or ended that of the inbox: commit or close its Session")
            assert self.transaction is not None
            information = getattr(self.transaction.driver, "info", None)
            if information is not None and information.transaction_status == IN_ERROR:
                raise InboxError("a statement of a handler failed, and the handler went on")
            savepoint.commit()
            end(self._connection, _refuse_late)

    def let_go(self) -> bool:
        """Let nothing be begun any more, unless that is being done just now: then False."""
        if not self._using.acquire(blocking=False):
            return False
        self.has_ended = self.is_over = True
        self._using.release()
        return True

    def undo(self) -> bool:
        """Roll back what was written. If that is not possible, which is False, the whole unit has to be rolled back."""
        self._end()
        if (savepoint := self._savepoint) is None or self.unit.turns.is_over:
            return True
        with suppress(Exception):  # whatever a handler did to the connection
            if savepoint.is_active:
                while (inner := savepoint.connection.get_nested_transaction()) is not None and inner is not savepoint:
                    inner.rollback()
                savepoint.rollback()
                is_whole = not savepoint.connection.invalidated
                end(self._connection, _refuse_late)
                return is_whole or not self.unit.store.is_sqlite
        return not self.unit.store.is_sqlite

    def leave(self, *, is_whole: bool = False) -> None:
        """Let others have the turn, or the connection."""
        self._settler = 0  # whoever has kept the connection is late
        if self.transaction is not None:
            self.unit.leave(self.transaction, is_whole=is_whole)

    def _end(self) -> None:
        with self._using:
            self._settler = threading.get_ident()
            self.has_ended = True

    def _refuse_late(self) -> None:
        if self.has_ended and threading.get_ident() != self._settler:
            _refuse_late()


def _refuse_late(*_: object, **_named: object) -> NoReturn:
    raise InboxError("the handlers of this delivery have ended, and their transaction with them")


def _refuse() -> NoReturn:
    raise InboxError("the transaction is the inbox's: a handler cannot end it")
