# SPDX-License-Identifier: MIT
"""Moves what waits in one inbox to another: in order, and each delivery once, whoever is killed in between."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, literal, select, tuple_, update

from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._protocol import Inbox, InboxError
from bankhook.inbox._records import Query
from bankhook.inbox._retries import text_of
from bankhook.inbox._sql import queries, removal, rows
from bankhook.inbox._sql.appending import append
from bankhook.inbox._sql.finding import put_in_order
from bankhook.inbox._sql.inbox import SqlInbox
from bankhook.inbox._sql.lock import runner_connection
from bankhook.inbox._sql.rows import change, driver_of, last_number, last_number_for_all, lock_inbox
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import (
    BESIDE,
    NOT_HANDLED,
    OWN,
    cases,
    columns,
    deliveries,
    effects,
    found,
    handled,
    inbox,
    members,
    opened,
    recent,
    sources,
    states,
    unsure,
)

WAITING = Query(states=tuple(state for state in DeliveryState if state is not DeliveryState.HANDLED))
OWN_NAME = select(sources.c.name).where(sources.c.number == OWN)
BESIDE_NAME = select(sources.c.name).where(sources.c.number == BESIDE)
WAITS = select(states.c.number).where(NOT_HANDLED).limit(1)
PAGE = 2000  # deliveries that are moved at once, unless they are large


class AnotherInbox(InboxError):
    """A spool has deliveries of another inbox."""

    def __init__(self) -> None:
        super().__init__("the spool has deliveries of another inbox: open it beside that one, or use another file")


def belong_to(spool: Connection, name: str) -> None:
    """Let a spool belong to an inbox. AnotherInbox if it was filled beside another one: they would get into the wrong table."""
    known = spool.scalar(BESIDE_NAME)
    if known not in (None, name) and spool.scalar(WAITS) is not None:
        raise AnotherInbox
    if known != name:
        spool.execute(delete(sources).where(sources.c.number == BESIDE))
        spool.execute(insert(sources).values(name=name, number=BESIDE))


def move(source: Store, target: Store, beside: str | None = None) -> tuple[int, int]:
    """Move the next deliveries that are not handled; how many of them there were, and up to which number all are moved.

    The target remembers how far it is, in the same transaction: what was not deleted here after it is not moved again. A source
    whose disk is full deletes nothing, and what follows is moved nevertheless. AnotherInbox if it is a spool that belongs to
    another inbox than `beside` by now.
    """
    with source.read("cannot read the spool") as connection:
        name = connection.scalars(OWN_NAME).one()
        if connection.scalar(WAITS) is None:
            return 0, 0
    with target.write("cannot move deliveries") as connection:
        last_number_for_all(driver_of(connection))  # another process that moves the same waits, and this for a commit
        end = connection.scalar(select(sources.c.number).where(sources.c.name == name))
        if end is None:
            connection.execute(insert(sources).values(name=name, number=(end := 0)))
        with source.read("cannot read the spool") as reading:
            if beside not in (None, reading.scalar(BESIDE_NAME)):
                raise AnotherInbox
            found, _ = queries.page(reading, WAITING, after=end, newest_first=False, limit=PAGE)
            doubts = reading.execute(select(unsure).where(unsure.c.last > end)).all()
        if found:
            there = {number for one in doubts for number in _stored_there(connection, one, found)}
            if new := [one for one in found if one.number not in there]:
                for number, one in zip(append(driver_of(connection), new), new, strict=True):
                    if one._unread is not None:  # here its row can be read
                        error = text_of(rows.UnreadableRow(f"cannot read: {one._unread}"))
                        change(connection, number, {"state": DeliveryState.PARKED.value, "error": error})
            end = found[-1].number
            connection.execute(update(sources).where(sources.c.name == name).values(number=end))
    with suppress(InboxError), source.write("cannot delete from the spool") as connection:
        removal.delete_waiting(connection, end)
        connection.execute(delete(unsure).where(unsure.c.last <= end))
    return len(found), end


def _stored_there(connection: Connection, doubt: Row[Any], found: Sequence[Delivery]) -> list[int]:
    """Which of the deliveries found are those of a commit without an answer that was made: they have the numbers it gave."""
    offset = doubt.there - doubt.first
    doubted = [one for one in found if doubt.first <= one.number <= doubt.last]
    there = select(columns.number, columns.received, columns.body)
    there = there.where(columns.number.in_([one.number + offset for one in doubted]))
    same = {(number, received, body) for number, received, body in connection.execute(there)}
    was_made = any((one.number + offset, one.received, one.body) in same for one in doubted)
    return [one.number for one in doubted] if was_made else []


def copy(source: Store, target: Store) -> int:
    """Copy all that was stored in an inbox into one that is empty, with all numbers; how many deliveries that are.

    Nothing is copied again, nor of an inbox that has handled nothing, such as a spool.
    """
    with source.read("cannot read the inbox") as reading, target.write("cannot copy the inbox") as writing:
        lock_inbox(writing)  # before the lock of numbers, as whoever takes both
        last = last_number_for_all(driver_of(writing))
        own = reading.execute(select(inbox)).mappings().one()
        name = reading.scalars(OWN_NAME).one()
        if own["commit_number"] == 0 or writing.scalar(select(sources).where(sources.c.name == name)) is not None:
            return 0
        if last:
            raise InboxError("cannot copy the inbox: there are deliveries in the other one")
        writing.execute(update(inbox).values({name: own[name] for name in own if name != "version"}))
        writing.execute(insert(sources).values(name=name, number=(last := last_number(driver_of(reading)))))
        for table in (deliveries, states, found, recent, handled, opened, members, effects, cases):
            key = [*table.primary_key]
            page = select(table).order_by(*key).limit(rows.PAGE)
            some = rows.read(reading, page, key[0])
            while some:
                values = [row._asdict() for row in some]
                writing.execute(insert(table), [{name: _storable(name, row[name]) for name in row} for row in values])
                last_key = [literal(values[-1][one.name], one.type) for one in key]
                some = rows.read(reading, page.where(tuple_(*key) > tuple_(*last_key)), key[0])
        put_in_order(writing)
        if writing.dialect.name == "postgresql":
            numbers = select(func.max(cases.c.number)).scalar_subquery()
            writing.execute(select(func.setval(func.pg_get_serial_sequence(cases.name, "number"), numbers)))
        return last


def _storable(name: str, value: Any) -> Any:
    """What every database can store of a value, which could perhaps not be read."""
    return rows.stored_bytes(value) if name == "body" else rows.EMPTY.get(name) if value is None else value


def move_all(source: Inbox, target: Inbox) -> int:
    """Copy an inbox that nobody handles meanwhile, then move what waits there; how many deliveries that were."""
    assert isinstance(source, SqlInbox)
    assert isinstance(target, SqlInbox)
    with runner_connection(source.store):
        copied, moved = copy(source.store, target.store), 0
        while more := move(source.store, target.store)[0]:
            moved += more
        return copied or moved
