# SPDX-License-Identifier: MIT
"""Who handles what: in SQLite one process all of it, in PostgreSQL each what it claims, until its connection ends."""

from __future__ import annotations

import fcntl
import os
import time
import zlib
from collections.abc import Collection, Generator, Iterable
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from sqlalchemy import ColumnElement, Connection, literal_column, select, text, update

from bankhook.inbox._protocol import InUse
from bankhook.inbox._sql.pending import Owner
from bankhook.inbox._sql.schema import END_IF_STOPPED, lock_of
from bankhook.inbox._sql.store import Store, failures
from bankhook.inbox._sql.tables import inbox

LANES = 2048  # locks: all of them fit into the table of locks that a server has by default
CLAIMED = lock_of("lane")
COMMITS = f"{CLAIMED} + {LANES}"  # the lock that who commits for a lane shares until the end of the transaction
LANES_GIVEN = "unnest(CAST(:lanes AS bigint[])) AS lane"
KEPT = text(f"SELECT pg_advisory_xact_lock_shared({COMMITS}) FROM {LANES_GIVEN}")
held: set[int] = set()
"""The descriptors of files and sockets with which a lock ends: `_leave_to_parent` keeps them to this process."""


@contextmanager
def runner_connection(store: Store) -> Generator[Connection]:
    """A connection for an engine of an inbox. InUse if there is another one, in SQLite."""
    with failures("cannot handle deliveries"), store.connect() as connection, ExitStack() as ends:
        if store.is_sqlite:
            descriptor = os.open(_lock_file(connection), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            ends.callback(os.close, descriptor)
            connection.info[__name__] = descriptor
        else:
            driver: Any = connection.connection.driver_connection
            descriptor = driver.fileno()
            ends.callback(driver.close)  # whatever a handler still does with it: the claims end
        held.add(descriptor)
        ends.callback(held.discard, descriptor)
        if store.is_sqlite:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found = os.fstat(descriptor)
                is_here = any(os.path.samestat(os.fstat(one), found) for one in held - {descriptor})
                who = "another inbox of this process" if is_here else "another process"
                raise InUse(f"{who} already handles the deliveries of this inbox") from None
            check_lock(connection)
        yield connection


def check_lock(connection: Connection) -> None:
    """InUse if the file of the lock was deleted or replaced: what handles deliveries in another process may have the new one."""
    if (descriptor := connection.info.get(__name__)) is None:
        return
    with suppress(OSError):
        if os.path.samestat(os.fstat(descriptor), os.stat(_lock_file(connection))):
            return
    raise InUse(
        "the -runner file of the inbox was deleted or replaced: what is not committed is handled again, here or elsewhere"
    )


def _lock_file(connection: Connection) -> str:
    return f"{connection.engine.url.database}-runner"


class Claim:
    """Whose deliveries are handled here, of all processes on PostgreSQL: locks of a session, which end with it.

    Some share a lock, so that a server has few of them, whatever the number of members. They end in `release`, after a commit,
    and with the session, at the latest when `runner_connection` ends. In SQLite all are free: the lock of the file is the claim.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_shared = connection.dialect.name == "postgresql"
        self._held = set[int]()
        self._checked = time.monotonic()

    def take(self, owners: Collection[Owner]) -> set[Owner]:
        """Claim deliveries of owners; return those whom another process has claimed.

        Also those with whose claim, lost by now, another one commits just then: nothing of them is read before that has ended.
        """
        lane_of = {owner: _lane(owner) for owner in owners} if self._is_shared else {}
        if wanted := sorted({*lane_of.values()} - self._held):
            both = f"CASE WHEN pg_try_advisory_lock({CLAIMED}) THEN pg_try_advisory_xact_lock({COMMITS}) END"
            with Connection.begin(self._connection):
                made = self._connection.execute(text(f"SELECT lane, {both} FROM {LANES_GIVEN}"), {"lanes": wanted}).all()
                self._unlock({lane for lane, is_free in made if is_free is False})
            self._held |= {lane for lane, is_free in made if is_free}
        return {owner for owner, lane in lane_of.items() if lane not in self._held}

    def release(self, needed: Iterable[Owner]) -> None:
        """Give up the claims that nobody of these needs."""
        if ended := self._held - set(map(_lane, needed)):
            with Connection.begin(self._connection):
                self._unlock(ended)
            self._held -= ended

    def check(self, seconds: float = 0.0) -> None:
        """Raise an error unless the session is there, and its claims with it; not again within so many seconds."""
        if self._is_shared and time.monotonic() - self._checked >= seconds:
            with Connection.begin(self._connection):
                self._connection.execute(select(1))
            self._checked = time.monotonic()

    def _unlock(self, lanes: set[int]) -> None:
        if lanes:
            self._connection.execute(text(f"SELECT pg_advisory_unlock({CLAIMED}) FROM {LANES_GIVEN}"), {"lanes": [*lanes]})


def keep_claim(connection: Connection, owner: Owner) -> None:
    """Let nobody claim the deliveries of an owner until this transaction has ended, even if the session with the claim is lost.

    If that session is there afterwards, what is committed in this transaction was claimed all the time.
    """
    connection.execute(KEPT, {"lanes": [_lane(owner)]})


def _lane(owner: Owner) -> int:
    return zlib.crc32(str(owner).encode(errors="surrogatepass")) % LANES


def progress(store: Store) -> tuple[int, int]:
    """The number of the last commit of an engine, and how often a member was forgotten."""
    with store.read("cannot read the inbox") as connection:
        commit, forgotten = connection.execute(select(inbox.c.commit_number, inbox.c.forgotten)).one()
        return commit, forgotten


def count_commit(connection: Connection) -> int:
    """Let the open transaction become the next commit, and return its number; others wait for its end."""
    ends: list[ColumnElement[Any]] = [literal_column(END_IF_STOPPED)] if connection.dialect.name == "postgresql" else []
    counted = update(inbox).values(commit_number=inbox.c.commit_number + 1).returning(inbox.c.commit_number, *ends)
    return int(connection.execute(counted).scalar_one())


def _leave_to_parent() -> None:
    """Let the descriptors lead nowhere in a forked process, which would keep the locks after the end of this one.

    They stay: whatever still closes or uses them here must not meet another file.
    """
    if held:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in held:
            os.dup2(nowhere, descriptor, inheritable=False)
        os.close(nowhere)
        held.clear()


os.register_at_fork(after_in_child=_leave_to_parent)
