# SPDX-License-Identifier: MIT
"""The state of members in a SQL database: a snapshot, if there is one, and the deliveries that were handled since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, select

from bankhook.inbox._members import StoredMember
from bankhook.inbox._sql.finding import Entries, entries
from bankhook.inbox._sql.rows import execute, fitting, in_parts, read, stored_bytes
from bankhook.inbox._sql.tables import columns, members
from bankhook.inbox._sql.types import decoded, encoded, hash_of

AT_ONCE = 500  # members that a statement names
KNOWN = f"""SELECT member, length(snapshot), commit_number FROM {members.name}
WHERE member IN (SELECT key FROM each(?) AS wanted)"""
NOTHING = 0, 0
"""The bytes of a snapshot that there is not, and the last commit in it."""


def load(
    connection: Connection, wanted: Sequence[str], most: int, entries: Entries = entries
) -> Iterator[tuple[str, StoredMember | None]]:
    """What is stored of the first of these members, whose snapshots have so many bytes at most; None if nothing is.

    What was handled since a snapshot, or without one, is not larger than it, or small.
    """
    first = wanted[:AT_ONCE]
    rows = execute(connection, KNOWN, {encoded(one): 0 for one in first})
    known = {decoded(member): (size or 0, commit) for member, size, commit in rows}
    these = fitting(((one, known.get(one, NOTHING)[0]) for one in first), most)
    since = {one: known.get(one, NOTHING)[1] for one in these}
    found = dict[str, StoredMember]()
    if known:
        snapshots = select(members.c.member, members.c.snapshot).where(members.c.member.in_(known.keys() & since))
        found = {row.member: StoredMember(stored_bytes(row.snapshot)) for row in connection.execute(snapshots)}
    hashes = dict[int, int]()
    for one, commit in since.items():
        hashed = hash_of("member", one)
        hashes[hashed] = min(commit, hashes.get(hashed, commit))
    commits, later = entries(connection, hashes), list[tuple[int, int, str, bytes]]()
    for part in in_parts([*commits]):
        for row in read(connection, select(columns.number, columns.member, columns.body).where(columns.number.in_(part))):
            if (commit := commits[row.number]) > since.get(row.member, commit):
                later.append((commit, row.number, row.member, stored_bytes(row.body)))
    for _, _, member, body in sorted(later):
        found.setdefault(member, StoredMember()).since.append(body)
    for member in these:
        yield member, found.get(member)
