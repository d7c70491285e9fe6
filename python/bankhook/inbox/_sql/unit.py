# SPDX-License-Identifier: MIT
"""A transaction that begins when it is needed: for what handlers write, and for what becomes of their deliveries."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from typing import Any, NoReturn

from sqlalchemy import Connection, NestedTransaction, RootTransaction, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bankhook._records.stored import Delivery
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.asynchronous import asynchronous, end, of_handlers
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.lock import check_lock, claim
from bankhook.inbox._sql.pending import Owner
from bankhook.inbox._sql.rows import in_parts
from bankhook.inbox._sql.tables import effects
from bankhook.inbox._sql.threads import Turns
from bankhook.inbox._sql.types import shortened

MOST_EFFECTS = 10_000  # of which it is remembered whether they happened
IN_ERROR = 3  # the status of a transaction that PostgreSQL gave up, as libpq numbers it


class Unit:
    """The one connection that writes, and its transactions, which are used by whoever has the turn.

    As long as nobody asked, nothing is locked: handlers may take their time before they write. A unit that is over is of no
    use to anybody: what was not committed is rolled back.
    """

    def __init__(self, database: Database, connection: Connection) -> None:
        self.database, self._connection = database, connection
        self.driver: Any = connection.connection.driver_connection
        self.server_start: object = None  # a connection that was lost when it started again is nobody's fault
        if not database.is_sqlite:
            with connection.begin():
                self.server_start = connection.scalar(select(func.pg_postmaster_start_time()))
        # Handlers have this connection: they cannot end the transaction through it; to close it, also by `with`, does nothing.
        # Whoever keeps it, and executes something when there is no transaction, would begin one that nobody ends.
        vars(connection).update(
            commit=_refuse, rollback=_refuse, get_transaction=_refuse, begin=self._refuse_begin, close=lambda: None
        )
        self._open = ExitStack()
        self._transaction: RootTransaction | None = None
        self._effects: dict[str, bool] = {}
        self._claims = set[int]()  # the locks that it has
        self.turns = Turns()
        self.has_ended = False
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
                opened.enter_context(self.database.turn())
                self.database.check()
                self._transaction = Connection.begin(self._connection)
                self._open = opened.pop_all()
            self.began = time.monotonic()
        return self._connection

    def claim(self, owners: Collection[Owner], needed: Collection[Owner] | None = None) -> set[Owner]:
        """Claim those of whom nobody else handles deliveries, and return the others; give up those not `needed`, if given."""
        if self.database.is_sqlite or not (owners or self._claims):
            return set()
        with Connection.begin(self._connection) if self._transaction is None else nullcontext():
            return claim(self._connection, self._claims, owners, needed)

    def look_up(self, keys: Sequence[str]) -> None:
        """Find out for which of these keys handlers were called already; all at once, and before the transaction begins."""
        if len(self._effects) > MOST_EFFECTS:
            self._effects.clear()
        with self.database.engine.begin() as reading:
            for part in in_parts([shortened(key) for key in keys]):
                found = select(effects.c.key).where(effects.c.key.in_(part))
                self._effects |= dict.fromkeys(part, False) | dict.fromkeys(reading.scalars(found), True)

    def has_effect(self, key: str) -> bool:
        """Whether a handler was called for this key already."""
        key = shortened(key)
        if key not in self._effects:
            self.look_up([key])
        return self._effects[key]

    def commit(self, keys: Iterable[str]) -> None:
        """Commit, if anything was begun, and let others write; these keys are stored. The next transaction may begin."""
        if self._transaction is not None:
            self.database.check()
            check_lock(self._connection)
            self._transaction.commit()
            self._transaction = None
            with self._open:
                self.database.committed()
        self._effects |= dict.fromkeys(map(shortened, keys), True)

    def close(self) -> None:
        """Roll back what was not committed, and let others write. The next transaction may begin."""
        with self._open:
            if self._transaction is not None:
                transaction, self._transaction = self._transaction, None
                transaction.close()

    def end(self) -> None:
        """Roll back, since this is over: also under handlers that still have the connection, for which it is closed."""
        self.has_ended = True
        self.turns.end()
        with self.beginning:
            if self.user is None:
                self.close()
            else:
                with self._open:
                    self.database.revoke(self.driver)


class Clock:
    """How long a handler has run: what it waits for its turn to write does not count."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._seconds = 0.0

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        since = self._since
        return self._seconds + (0.0 if since is None else time.monotonic() - since)

    def start(self) -> None:
        """Begin with 0."""
        self._seconds, self._since = 0.0, time.monotonic()

    @contextmanager
    def stopped(self) -> Generator[None]:
        """Let what the block takes not count."""
        self._seconds, self._since = self.seconds, None
        try:
            yield
        finally:
            self._since = time.monotonic()


class Writes:
    """What the handlers of a delivery write. Their connection has a savepoint, to which `undo` returns.

    What asks after they ended, such as a task that a handler left behind, gets an InboxError.
    """

    def __init__(self, unit: Unit, delivery: Delivery, submit: Callable[[Callable[[], Any]], Future[Any]]) -> None:
        self.unit, self.delivery, self.who = unit, delivery, "a handler"
        self.failure: Exception | None = None  # why the transaction did not begin: the handler is not the cause
        self.since = 0.0
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
        return time.monotonic() - self.since

    @property
    def has_begun(self) -> bool:
        """Whether the connection is used by these handlers."""
        return self._savepoint is not None

    def begin(self) -> Connection:
        """Wait for the turn, begin, and return the connection."""
        with self._asking:
            if self.failure is not None:
                raise self.failure
            if self._savepoint is None and not self.has_ended:
                with self.called.stopped():  # others are the cause
                    self.unit.turns.take()
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
        with self._using, self.unit.beginning:
            try:
                if not self.has_ended and not self.unit.turns.is_over:
                    # SQLAlchemy knows of it, so that a Session of a handler begins and ends others within it.
                    self._connection = of_handlers(self.unit.connection(), self._refuse_late)
                    self._savepoint = self._connection.begin_nested()
                    self.since, self.unit.user = time.monotonic(), self
            except (InboxError, SQLAlchemyError) as error:
                self.failure = error
                raise
            finally:
                if self._savepoint is None:
                    self.unit.turns.release()

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
            information = getattr(self.unit.driver, "info", None)
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
                return is_whole
        return False

    def _end(self) -> None:
        with self._using:
            self._settler = threading.get_ident()
            self.has_ended = True

    def _refuse_late(self) -> None:
        if self.has_ended and threading.get_ident() != self._settler:
            _refuse_late()


calling: ContextVar[Writes | None] = ContextVar("calling", default=None)
"""Whose handlers run this."""


def check_caller(database: Database) -> None:
    """InboxError within a transaction of a handler of the same inbox: in SQLite it would wait for itself."""
    writes = calling.get()
    if writes is not None and writes.has_begun and not writes.has_ended and writes.unit.database.url == database.url:
        raise InboxError("a handler that has begun its transaction cannot write to its own inbox: do that before `begin`")


def _refuse_late() -> NoReturn:
    raise InboxError("the handlers of this delivery have ended, and their transaction with them")


def _refuse() -> NoReturn:
    raise InboxError("the transaction is the inbox's: a handler cannot end it")
