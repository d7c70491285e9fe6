# SPDX-License-Identifier: MIT
"""A transaction that begins when it is needed: for what handlers write, and for what becomes of their deliveries."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from typing import NoReturn

from sqlalchemy import Connection, NestedTransaction, RootTransaction, select
from sqlalchemy.exc import SQLAlchemyError

from bankhook.inbox._protocol import InboxError
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.tables import effects
from bankhook.inbox._sql.types import shortened
from bankhook.inbox._sql.watch import Watch

__all__ = ["Unit", "UnitBroken"]

IN_ERROR = 3  # the status of a transaction that PostgreSQL gave up, as libpq numbers it


class UnitBroken(Exception):
    """What a handler wrote cannot be undone alone: the whole unit has to be rolled back."""


class Unit:
    """The transactions of a batch of deliveries, with a savepoint around the handlers of each of them that asks for it.

    As long as nobody asked, nothing is locked: handlers may take their time before they write. What others wrote before is
    stored meanwhile.
    """

    def __init__(self, database: Database, connection: Connection) -> None:
        self._database, self._connection = database, connection
        self._open = ExitStack()
        self._transaction: RootTransaction | None = None
        self._effects: dict[str, bool] = {}
        self._savepoint: NestedTransaction | None = None
        self._delivery = 0
        self.failure: Exception | None = None
        self._watch = Watch()

    def connection(self) -> Connection:
        """The connection, in a transaction that has begun."""
        if self._transaction is None:
            self._open.enter_context(self._database.turn())
            self._open.enter_context(_without_commit(self._connection))
            self._transaction = self._connection.begin()
        return self._connection

    @contextmanager
    def handlers(self, store: Callable[[], None]) -> Generator[Callable[[], Connection]]:
        """In the block, the handlers of a delivery are called: they ask for their connection by what this gives.

        If they take long before they ask, another thread calls `store`, else nobody could write meanwhile; what it raises is
        in `failure`. What asks after the block, such as a task that a handler left behind, gets an InboxError.
        """
        self._delivery = delivery = self._delivery + 1

        def begin() -> Connection:
            if self._delivery != delivery:
                raise InboxError("the handlers of this delivery have ended, and their transaction with them")
            return self._for_handler()

        def act() -> None:
            try:
                store()
            except Exception as error:
                self.failure = error

        try:
            if self._transaction is None:
                yield begin
            else:
                with self._watch.over(act):
                    yield begin
        finally:
            self._delivery += 1

    def _for_handler(self) -> Connection:
        """The connection, with a savepoint to which `undo` returns.

        It is one that SQLAlchemy knows of, so that a Session of the handler begins and ends savepoints within it. If the
        store fails here, `failure` says why: the handler is not the cause.
        """
        self._watch.call_off()
        if self.failure is not None:
            raise self.failure
        try:
            connection = self.connection()
            if self._savepoint is None:
                self._savepoint = connection.begin_nested()
        except (InboxError, SQLAlchemyError) as error:
            self.failure = error
            raise
        return connection

    def keep(self) -> None:
        """Keep what the handlers of a delivery wrote: it is committed with the rest.

        An error, after which `undo` is possible, if a handler left a savepoint of its own open, or if PostgreSQL gave up the
        transaction and a handler ignored that; `failure`, if a handler ignored that.
        """
        if self.failure is not None:
            raise self.failure
        if self._savepoint is None:
            return
        if self._connection.get_nested_transaction() is not self._savepoint:
            raise InboxError("a handler left a savepoint open, or ended that of the inbox: commit or close its Session")
        information = getattr(self._connection.connection.driver_connection, "info", None)
        if information is not None and information.transaction_status == IN_ERROR:
            raise InboxError("a statement of a handler failed, and the handler went on")
        self._savepoint.commit()
        self._savepoint = None

    def undo(self) -> None:
        """Roll back what the handlers of a delivery wrote. Raises UnitBroken if that is not possible."""
        if self._savepoint is None:
            return
        try:
            if not self._savepoint.is_active:
                raise UnitBroken
            while (inner := self._connection.get_nested_transaction()) not in (None, self._savepoint):
                assert inner is not None
                inner.rollback()
            self._savepoint.rollback()
            if self._connection.invalidated:
                raise UnitBroken
        except SQLAlchemyError as error:
            raise UnitBroken from error
        self._savepoint = None

    def look_up(self, keys: Sequence[str]) -> None:
        """Find out for which of these keys handlers were called already; all at once, and before the transaction begins."""
        with self._database.engine.begin() as reading:
            for start in range(0, len(keys), 500):
                part = [shortened(key) for key in keys[start : start + 500]]
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
            self._transaction.commit()
            self._transaction = None
            self._open.close()
            self._database.check()
        self._effects |= dict.fromkeys(map(shortened, keys), True)

    def close(self) -> None:
        """Roll back what was not committed, and let others write. The next transaction may begin."""
        with self._open:
            if self._transaction is not None:
                self._transaction.close()
                self._transaction = None

    def end(self) -> None:
        """`close`, and begin no transaction any more."""
        self._watch.close()
        self.close()


@contextmanager
def _without_commit(connection: Connection) -> Generator[None]:
    """Refuse to end the transaction through the connection, which handlers have; to close it, also by `with`, does nothing."""
    ends = {"commit": _refuse, "rollback": _refuse, "close": lambda: None}
    for name, end in ends.items():
        setattr(connection, name, end)
    try:
        yield
    finally:
        for name in ends:
            delattr(connection, name)


def _refuse() -> NoReturn:
    raise InboxError("the transaction is the inbox's: a handler cannot end it")
