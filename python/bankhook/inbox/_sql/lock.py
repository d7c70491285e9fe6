# SPDX-License-Identifier: MIT
"""Who handles what: in SQLite one process all of it, in PostgreSQL each what it claims, until its connection ends."""

from __future__ import annotations

import fcntl
import os
import zlib
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Connection, literal_column, select, text, update

from bankhook.inbox._protocol import InboxError, InUse
from bankhook.inbox._sql.database import Database, failures
from bankhook.inbox._sql.schema import END_IF_STOPPED, lock_of
from bankhook.inbox._sql.tables import inbox

LANES = 2048  # locks: all of them fit into the table of locks that a server has by default
LANES_GIVEN = "unnest(CAST(:lanes AS bigint[])) AS lane"
TAKEN = "another process already handles the deliveries of this inbox"
_held: set[int] = set()
"""The descriptors of files and sockets with which a lock ends."""


@contextmanager
def runner_connection(database: Database) -> Generator[Connection]:
    """A connection for a runner of an inbox. InUse if there is another one, in SQLite."""
    with failures("cannot handle deliveries"), database.connect() as connection:
        if database.is_sqlite:
            with _file_lock(f"{database.url.database}-runner"):
                yield connection
            return
        driver: Any = connection.connection.driver_connection
        try:
            with _not_inherited(driver.fileno()):
                yield connection
        finally:
            driver.close()  # whatever a handler still does with it: the claims end


class Claims:
    """Whose deliveries this process handles, of all processes on PostgreSQL.

    A claim is a lock of the connection that writes: whoever loses it can commit nothing either. Some share a lock, so that a
    server has few of them, whatever the number of members.
    """

    def __init__(self) -> None:
        self._held: set[int] = set()

    def take(self, connection: Connection, owners: Iterable[str | int]) -> set[str | int]:
        """Claim what nobody else has claimed, and return the others."""
        if connection.dialect.name == "sqlite":
            return set()
        lane_of = {owner: _lane(owner) for owner in owners}
        if wanted := sorted({*lane_of.values()} - self._held):
            locks = text(f"SELECT lane FROM {LANES_GIVEN} WHERE pg_try_advisory_lock({lock_of('lane')})")
            self._held |= {*connection.scalars(locks, {"lanes": wanted})}
        return {owner for owner, lane in lane_of.items() if lane not in self._held}

    def keep(self, connection: Connection, owners: Iterable[str | int]) -> None:
        """Give up what was claimed, but for these."""
        if ended := self._held - set(map(_lane, owners)):
            unlock = text(f"SELECT pg_advisory_unlock({lock_of('lane')}) FROM {LANES_GIVEN}")
            connection.execute(unlock, {"lanes": sorted(ended)})
            self._held -= ended

    def __len__(self) -> int:
        """How many locks there are."""
        return len(self._held)


def _lane(owner: str | int) -> int:
    return zlib.crc32(str(owner).encode(errors="surrogatepass")) % LANES


def progress(database: Database) -> tuple[int, int]:
    """The number of the last commit of a runner, and how often a member was forgotten."""
    with database.read("cannot read the inbox") as connection:
        commit, forgotten = connection.execute(select(inbox.c.commit_number, inbox.c.forgotten)).one()
        return commit, forgotten


def count_commit(connection: Connection) -> int:
    """Let the open transaction become the next commit, and return its number; others wait for its end."""
    ends: list[ColumnElement[Any]] = [literal_column(END_IF_STOPPED)] if connection.dialect.name == "postgresql" else []
    counted = update(inbox).values(commit_number=inbox.c.commit_number + 1).returning(inbox.c.commit_number, *ends)
    number: int = connection.execute(counted).scalar_one()
    return number


@contextmanager
def _file_lock(path: str) -> Generator[None]:
    try:
        file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise InboxError(f"cannot handle deliveries: {error.strerror}") from error
    try:
        with _not_inherited(file):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InUse(TAKEN) from None
            yield
    finally:
        os.close(file)


@contextmanager
def _not_inherited(descriptor: int) -> Generator[None]:
    """Keep a lock to this process: a forked one, with the same file or socket, would keep it after the end of this one."""
    _held.add(descriptor)
    try:
        yield
    finally:
        _held.discard(descriptor)


def _leave_to_parent() -> None:
    """Let the descriptors lead nowhere, but stay: whatever still closes or uses them here must not meet another file."""
    if _held:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in _held:
            os.dup2(nowhere, descriptor, inheritable=False)
        os.close(nowhere)
        _held.clear()


os.register_at_fork(after_in_child=_leave_to_parent)
