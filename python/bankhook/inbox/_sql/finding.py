# SPDX-License-Identifier: MIT
"""Finds what was handled of members, and about connections and transactions, by the hashes of their ids.

Entries of a commit have hashes in no order: each would change a page of its own of a large table that is in theirs. So in SQLite
they gather in the order of numbers, until there are so many that they share the pages which they change.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, select

from bankhook.inbox._sql.rows import LARGEST, THESE, driver_of, execute, in_parts, last_number, read
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import columns, found, inbox, recent
from bankhook.inbox._sql.types import hash_of

LEAST, PART = 40_000, 10
"""So many entries gather at least, or this part of the deliveries."""
AT_ONCE = 10_000  # entries that are put in order with a commit: others wait for its end
IN_ORDER = """SELECT entry.number, entry.commit_number FROM each(?) AS wanted CROSS JOIN {} AS entry
WHERE entry.hash = CAST(wanted.key AS bigint) AND entry.commit_number > CAST(wanted.value AS bigint)"""
IN_ALL = (
    f"SELECT number, commit_number FROM {recent.name} WHERE hash IN (SELECT CAST(key AS bigint) FROM each(?) AS wanted)"
)
PAIRS = "SELECT CAST(key AS bigint) AS number, CAST(value AS bigint) AS hash FROM each(?) AS pair"
ADD = f"""INSERT INTO {{}} (hash, number, commit_number) SELECT hash, number, CAST(? AS bigint)
FROM ({PAIRS} UNION ALL {PAIRS}) AS added WHERE true ORDER BY {{}} ON CONFLICT DO NOTHING"""
FIRST = -LARGEST - 1  # of the hashes
MOVE = f"""INSERT INTO {found.name} (hash, number, commit_number) SELECT hash, number, commit_number FROM {recent.name}
WHERE commit_number <= ? AND hash BETWEEN ? AND ? ORDER BY 1, 2 ON CONFLICT DO NOTHING"""
REMOVE_MOVED = f"DELETE FROM {recent.name} WHERE commit_number <= ?"
IN_MEMORY = f"""CREATE TABLE {recent.name} (hash INTEGER, number INTEGER, commit_number INTEGER, PRIMARY KEY (hash, number))
WITHOUT ROWID"""
Ids: TypeAlias = tuple[int, str | None, str | None]
"""The number of a delivery, its member and its key."""
Entries: TypeAlias = Callable[[Connection, Mapping[int, int]], dict[int, int]]
"""Gives the numbers of the deliveries that have one of these hashes, each with that of its commit: all of those after the commit
that stands beside the hash, perhaps also others."""


class About(NamedTuple):
    """What was handled about a connection or transaction."""

    number: int
    member: str | None
    key: str
    event: str | None
    commit: int


def entries(connection: Connection, wanted: Mapping[int, int]) -> dict[int, int]:
    """The entries that are stored."""
    in_order = execute(connection, IN_ORDER.format(found.name), wanted)
    return dict([*in_order, *execute(connection, IN_ALL, wanted)])


def about(connection: Connection, keys: Iterable[str], entries: Entries = entries) -> dict[str, list[About]]:
    """What was handled about connections and transactions, by their ids."""
    made: dict[str, list[About]] = {key: [] for key in keys}
    commits = entries(connection, {hash_of("key", key): 0 for key in made}) if made else {}
    for part in in_parts([*commits]):
        these = select(columns.number, columns.member, columns.key, columns.event).where(columns.number.in_(part))
        for number, member, key, event in read(connection, these):
            if key in made:
                made[key].append(About(number, member, key, event, commits[number]))
    return made


class Gathered:
    """The entries that are not in order yet: whoever handles deliveries has them in memory, too."""

    def __init__(self, store: Store) -> None:
        self._is_sqlite = store.is_sqlite
        self._memory = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._memory.execute(IN_MEMORY)
        with store.read("cannot read the inbox") as connection:
            stored = driver_of(connection).execute(f"SELECT hash, number, commit_number FROM {recent.name} ORDER BY 1, 2")
            self._memory.execute("BEGIN")
            self._count = self._memory.executemany(f"INSERT INTO {recent.name} VALUES (?, ?, ?)", stored).rowcount
        self.keep()

    def entries(self, connection: Connection, wanted: Mapping[int, int]) -> dict[int, int]:
        """The entries that are stored."""
        if not self._is_sqlite:  # whose lanes ask from several threads
            return entries(connection, wanted)
        in_order = execute(connection, IN_ORDER.format(found.name), wanted)
        return dict([*in_order, *execute(self._memory, IN_ORDER.format(recent.name), wanted)])

    def add(self, connection: Connection, commit: int, handled: Sequence[Ids]) -> None:
        """Add entries of what a commit handles; then `keep` or `forget`."""
        added = commit, *hashes(handled)
        if not self._is_sqlite:
            execute(connection, ADD.format(found.name, 1), *added)
            return
        self._memory.execute("BEGIN")
        for one in (connection, self._memory):
            execute(one, ADD.format(recent.name, 2), *added)
        self._count += 2 * len(handled)
        self._move_some(connection, commit)

    def _move_some(self, connection: Connection, commit: int) -> None:
        """Put some entries in order, once there are many; in the end, all of the commits until then. Some are twice meanwhile."""
        until, first = execute(connection, f"SELECT ordering, ordered FROM {inbox.name}").one()
        if not until:
            if self._count < max(LEAST, last_number(driver_of(connection)) // PART):
                return
            until, first = commit, FIRST
        last = min(first + 2**64 * AT_ONCE // max(1, self._count), LARGEST)
        execute(connection, MOVE, until, first, last)
        if last == LARGEST:
            for one in (connection, self._memory):
                moved = execute(one, REMOVE_MOVED, until).rowcount
            self._count -= moved
            until = 0
        execute(connection, f"UPDATE {inbox.name} SET ordering = ?, ordered = ?", until, last + 1 if until else 0)

    def keep(self) -> None:
        """What was added is committed."""
        self._memory.commit()

    def forget(self) -> None:
        """What was added, if anything, is not committed."""
        if self._memory.in_transaction:
            self._memory.rollback()
            (self._count,) = execute(self._memory, f"SELECT count(*) FROM {recent.name}").fetchone()


def put_in_order(connection: Connection) -> None:
    """Put all entries in the order of their hashes."""
    execute(connection, MOVE, LARGEST, FIRST, LARGEST)
    execute(connection, REMOVE_MOVED, LARGEST)


def remove(connection: Connection, deleted: Sequence[Ids]) -> None:
    """Remove the entries of deliveries."""
    for some in hashes(deleted):
        execute(connection, f"DELETE FROM {found.name} WHERE (number, hash) IN ({PAIRS})", some)
    execute(connection, f"DELETE FROM {recent.name} WHERE {THESE}", dict.fromkeys((number for number, *_ in deleted), 0))


def hashes(of: Sequence[Ids]) -> Iterator[dict[int, int]]:
    """The hashes of members, then of keys, by the numbers of the deliveries."""
    yield {number: hash_of("member", member) for number, member, _ in of if member is not None}
    yield {number: hash_of("key", key) for number, _, key in of if key is not None}
