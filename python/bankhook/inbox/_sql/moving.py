# SPDX-License-Identifier: MIT
"""Moves what waits in one inbox to another: in order, and each delivery once, whoever is killed in between."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select, text, update

from bankhook._records.stored import DeliveryState
from bankhook.inbox._protocol import Inbox, InboxError
from bankhook.inbox._records import Query
from bankhook.inbox._sql import queries, removal
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.inbox import SqlInbox
from bankhook.inbox._sql.lock import runner_connection
from bankhook.inbox._sql.rows import last_number, last_number_for_all
from bankhook.inbox._sql.tables import OWN, cases, deliveries, effects, inbox, members, sources, unsure

WAITING = Query(states=tuple(state for state in DeliveryState if state is not DeliveryState.HANDLED))
PAGE = 2000  # deliveries that are moved at once, unless they are large
NOT_KNOWN = "it is not known yet whether a commit that had no answer was made"


def move(source: Database, target: Database) -> int:
    """Move the next deliveries that are not handled; how many of them there were.

    The target remembers how far it is, in the same transaction: what was not deleted here after it is not moved again.
    """
    with source.read("cannot read the spool") as connection:
        name = connection.scalars(select(sources.c.name).where(sources.c.number == OWN)).one()
        found, _ = queries.page(connection, WAITING, after=None, newest_first=False, limit=PAGE)
        doubts = connection.execute(select(unsure).order_by(unsure.c.first)).all() if found else ()
    if not found:
        return 0
    end = found[-1].number
    with target.write("cannot move deliveries") as connection:
        last_number_for_all(connection)  # another process that moves the same waits here
        last = connection.scalar(select(sources.c.number).where(sources.c.name == name))
        if last is None:
            connection.execute(insert(sources).values(name=name, number=0))
        there = [one for one in doubts if one.first <= end and _was_made(connection, one.commit)]
        new = [one for one in found if one.number > (last or 0)]
        if new := [one for one in new if not any(made.first <= one.number <= made.last for made in there)]:
            queries.append(connection, new)
        if end > (last or 0):
            connection.execute(update(sources).where(sources.c.name == name).values(number=end))
    with source.write("cannot delete from the spool") as connection:
        removal.delete_waiting(connection, end)
        connection.execute(delete(unsure).where(unsure.c.last <= end))
    return len(found)


def _was_made(connection: Connection, commit: int) -> bool:
    """Whether a transaction of PostgreSQL was committed. InboxError if it has not ended."""
    status = text("SELECT CASE WHEN :commit < txid_current() THEN txid_status(:commit) END")
    found = connection.scalar(status, {"commit": commit})
    if found == "in progress":
        raise InboxError(NOT_KNOWN)
    return bool(found == "committed")


def copy(source: Database, target: Database) -> int:
    """Copy all that was stored in an inbox into one that is empty, with all numbers; how many deliveries that are.

    Nothing is copied again, nor of an inbox that has handled nothing, such as a spool.
    """
    with source.read("cannot read the inbox") as reading, target.write("cannot copy the inbox") as writing:
        last = last_number_for_all(writing)
        own = reading.execute(select(inbox)).mappings().one()
        name = reading.scalars(select(sources.c.name).where(sources.c.number == OWN)).one()
        if own["commit_number"] == 0 or writing.scalar(select(sources).where(sources.c.name == name)) is not None:
            return 0
        if last:
            raise InboxError("cannot copy the inbox: there are deliveries in the other one")
        writing.execute(update(inbox).values({name: own[name] for name in own if name != "version"}))
        writing.execute(insert(sources).values(name=name, number=(last := last_number(reading))))
        for table in (deliveries, members, effects, cases):
            for rows in reading.execute(select(table)).mappings().partitions(queries.PAGE):
                writing.execute(insert(table), [{**row} for row in rows])
        if writing.dialect.name == "postgresql":
            numbers = select(func.max(cases.c.number)).scalar_subquery()
            writing.execute(select(func.setval(func.pg_get_serial_sequence(cases.name, "number"), numbers)))
        return last


def move_all(source: Inbox, target: Inbox) -> int:
    """Copy an inbox that nobody handles meanwhile, then move what waits there; how many deliveries that were."""
    assert isinstance(source, SqlInbox)
    assert isinstance(target, SqlInbox)
    with runner_connection(source.database):
        copied, moved = copy(source.database, target.database), 0
        while more := move(source.database, target.database):
            moved += more
        return copied or moved
