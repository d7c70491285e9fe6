# SPDX-License-Identifier: MIT
"""Only one process handles the deliveries of an inbox: a lock that ends with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, select, text, update

from bankhook.inbox._protocol import InUse
from bankhook.inbox._sql.database import Database, failures
from bankhook.inbox._sql.schema import RUN_LOCK
from bankhook.inbox._sql.tables import inbox

# The server needs a moment to notice that the connection of a killed process is gone.
TRIES, PAUSE = 100, 0.02
TAKEN = "another process already handles the deliveries of this inbox"
_held: set[int] = set()
"""The descriptors of files and sockets with which a lock ends."""


@contextmanager
def only_runner(database: Database) -> Generator[Connection]:
    """A connection for the one runner of an inbox. InUse if there is another one.

    In PostgreSQL the lock belongs to the connection: whoever loses it can commit nothing either.
    """
    with failures("cannot handle deliveries"), database.connect() as connection:
        if database.is_sqlite:
            with _file_lock(f"{database.url.database}-runner"):
                yield connection
            return
        for _ in range(TRIES):
            if connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": RUN_LOCK}):
                break
            connection.rollback()
            time.sleep(PAUSE)
        else:
            raise InUse(TAKEN)
        connection.commit()
        driver: Any = connection.connection.driver_connection
        try:
            with _not_inherited(driver.fileno()):
                yield connection
        finally:
            _unlock(driver)


def last_commit(database: Database) -> int:
    """The number of the last commit of a runner."""
    with database.read("cannot read the inbox") as connection:
        stored: int = connection.scalars(select(inbox.c.commit_number)).one()
        return stored


def count_commit(connection: Connection, number: int) -> None:
    """Let the open transaction become the commit with this number. InUse if another runner made one with it.

    That happens if the file of the lock was deleted: each runner would store its own state of a member.
    """
    counted = update(inbox).where(inbox.c.commit_number == number - 1).values(commit_number=number)
    if connection.execute(counted).rowcount != 1:
        raise InUse(TAKEN)


def _unlock(driver: Any) -> None:
    try:
        driver.rollback()
        driver.execute("SELECT pg_advisory_unlock(%s)", [RUN_LOCK])
        driver.commit()
    except Exception:  # it is lost, or a handler uses or ended it; the lock ends with the driver's connection
        driver.close()


@contextmanager
def _file_lock(path: str) -> Generator[None]:
    file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
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
