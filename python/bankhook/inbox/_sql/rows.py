# SPDX-License-Identifier: MIT
"""Deliveries as rows, and rows as deliveries."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import eq, ge, gt, lt
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, Table, case, or_, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from bankhook._core import Evidence, Severity
from bankhook._handlers import Park
from bankhook._records.findings import Finding
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._records import IdQuery, Query
from bankhook.inbox._sql.schema import END_IF_STOPPED, lock_of
from bankhook.inbox._sql.tables import HANDLED, NOT_HANDLED, columns, deliveries, found, inbox, recent, states
from bankhook.inbox._sql.types import hash_of

HAS_STATE = states.c.number.is_not(None)
UNLESS_STORED = {"state": DeliveryState.HANDLED.value, "attempts": 0}
COLUMNS = [
    case((HAS_STATE, states.c[name]), else_=UNLESS_STORED[name]).label(name)
    if name in UNLESS_STORED
    else states.c[name]
    if name in states.c and name not in columns
    else columns[name]
    for name in Delivery.__match_args__
]
THESE = "number IN (SELECT CAST(key AS bigint) FROM each(?) AS these)"
RECEIVED = f"SELECT received, number FROM {deliveries.name} WHERE {THESE}"
ADD_TIMES = f"INSERT INTO {{}} (received, number) {RECEIVED}"
REMOVE_TIMES = f"DELETE FROM {{}} WHERE (received, number) IN ({RECEIVED})"
WITH_STATES = deliveries.outerjoin(states, states.c.number == columns.number)
WITH_DELIVERIES = states.join(deliveries, states.c.number == columns.number)
T = TypeVar("T")
PAGE = 100  # deliveries that are read or changed at once: they are in memory with their bodies, or their members
LARGEST = 2**63 - 1  # of an integer in SQLite and PostgreSQL
UNKNOWN_TIME = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)  # instead of one that cannot be read
EMPTY = {
    "headers": "[]",
    "findings": "[]",
    "state": DeliveryState.PARKED.value,
    "body": b"",
    "attempts": 0,
    "snapshot": b"",
    "received": UNKNOWN_TIME,
}
"""What takes the place of a value that cannot be read."""


class UnreadableRow(Park):
    """A stored delivery of which not all can be read, as another version of the library or a person may leave it."""


def driver_of(connection: Connection) -> Any:
    """The driver's own connection: what it is asked most often is prepared once."""
    return connection.connection.driver_connection


def execute(connection: Any, statement: str, *values: Any) -> Any:
    """Run a statement by the driver, which prepares it once; `each(?)` has the keys and values of a mapping.

    The connection is one of SQLAlchemy or of a driver.
    """
    given = tuple(json.dumps(value) if isinstance(value, Mapping) else value for value in values)
    is_driver = not isinstance(connection, Connection)
    run, driver = (connection.execute, connection) if is_driver else (connection.exec_driver_sql, driver_of(connection))
    if isinstance(driver, sqlite3.Connection):
        return run(statement.replace("each(?)", "json_each(?)"), given)
    return run(statement.replace("each(?)", "json_each_text(CAST(? AS json))").replace("?", "%s"), given)


def upserted(connection: Connection, table: Table, *replaced: str) -> Any:
    """An insertion that replaces these columns of a row that is there, or leaves it alone."""
    insertion = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    if not replaced:
        return insertion.on_conflict_do_nothing()
    keys = list(table.primary_key)
    return insertion.on_conflict_do_update(index_elements=keys, set_={name: insertion.excluded[name] for name in replaced})


def findings_of(findings: Sequence[Finding]) -> dict[str, Any]:
    """The columns that hold findings."""
    return {
        "findings": json.dumps([finding.to_dict() for finding in findings]) if findings else "[]",
        "rule": findings[0].rule if findings else None,
    }


def stored(
    connection: Connection,
    *which: ColumnElement[bool],
    of: Any = WITH_STATES,
    newest_first: bool = False,
    limit: int | None = None,
) -> list[Delivery]:
    """The deliveries that meet these conditions, in the order of their numbers."""
    order = columns.number.desc() if newest_first else columns.number
    statement = select(*COLUMNS).select_from(of).where(*which).order_by(order).limit(limit)
    return [_delivery(row) for row in read(connection, statement)]


def change(connection: Connection, number: int, values: dict[str, Any], *which: ColumnElement[bool]) -> int:
    """Give a delivery other columns if it has a state that meets these conditions; whether it has."""
    of_state = {name: value for name, value in values.items() if name in states.c} or {"number": number}
    of_delivery = {name: value for name, value in values.items() if name in columns}
    has = connection.execute(update(states).where(states.c.number == number, *which).values(of_state)).rowcount
    if has and of_delivery:
        connection.execute(update(deliveries).where(columns.number == number).values(of_delivery))
    return has


def read(connection: Connection, statement: Any, key: ColumnElement[Any] = columns.number) -> Sequence[Any]:
    """The rows of a statement. One that the driver cannot read hides no other: what cannot be read of it is None."""
    try:
        return connection.execute(statement).all()
    except Exception as error:
        try:
            keys = [one for one in connection.scalars(statement.with_only_columns(key)) if one is not None]
        except SQLAlchemyError:
            raise error from None  # nothing can be read
    asked = list(statement.selected_columns)
    row: Any = namedtuple("row", [column.name for column in asked])  # type: ignore[misc]
    return [
        row(*(_value(connection, statement.with_only_columns(column).where(key == one)) for column in asked))
        for one in keys
    ]


def _value(connection: Connection, statement: Select[Any]) -> Any:
    try:
        return connection.scalar(statement)
    except Exception:
        return None


def _delivery(row: Any) -> Delivery:
    values, unread = [*row], list[str]()
    for place, name, reads in PLACES:
        try:
            values[place] = reads(values[place])
        except Exception:
            unread.append(name)
            values[place] = stored_bytes(values[place]) if name == "body" else reads(EMPTY[name])
    make: Any = Delivery
    made: Delivery = make(*values, ", ".join(unread) or None)  # by position, which takes less time
    return made


def stored_bytes(body: object) -> bytes:
    """What is stored as a body, which may be a text."""
    return body.encode(errors="surrogatepass") if isinstance(body, str) else body if isinstance(body, bytes) else b""


@lru_cache(1024)
def _headers(stored_as: str) -> tuple[tuple[str, str], ...]:
    pairs: list[Any] = json.loads(stored_as) if stored_as != "[]" else []
    _of(list)(pairs)
    for pair in pairs:
        _of(list)(pair)
        if [*map(type, pair)] != [str, str]:
            raise TypeError
    return tuple((name, value) for name, value in pairs)


def _findings(stored_as: str) -> tuple[Finding, ...]:
    return tuple(_finding(one) for one in json.loads(stored_as)) if stored_as != "[]" else ()


def _of(kind: type[T]) -> Callable[[Any], T]:
    def reads(value: Any) -> T:
        if not isinstance(value, kind):
            raise TypeError
        return value

    return reads


READ: dict[str, Callable[[Any], Any]] = {
    "headers": _headers,
    "findings": _findings,
    "state": {state.value: state for state in DeliveryState}.__getitem__,
    "body": _of(bytes),
    "received": _of(datetime.datetime),
    "attempts": _of(int),
}


PLACES = [(place, name, READ[name]) for place, name in enumerate(Delivery.__match_args__) if name in READ]


def repaired(delivery: Delivery) -> dict[str, Any]:
    """The columns of a delivery whose row is to be readable again, without what was not."""
    headers, body = json.dumps(delivery.headers), delivery.body
    made = {"headers": headers, "body": body, "received": delivery.received, **findings_of(delivery.findings)}
    return made if delivery._unread else {}


def _finding(values: dict[str, Any]) -> Finding:
    evidence, severity = Evidence(values["evidence"]), Severity(values["severity"])
    return Finding(**values).replace(steps=tuple(values["steps"]), evidence=evidence, severity=severity)


def last_number(driver: Any) -> int:
    """The last number that was given, also if its delivery was deleted; 0 before the first."""
    newest = f"SELECT max(number) FROM {deliveries.name}"
    number, last = driver.execute(f"SELECT coalesce(({newest}), 0), last_number FROM {inbox.name}").fetchone()
    return max(int(number), int(last))


def lock_inbox(connection: Connection) -> int:
    """The number of the last commit, and nobody else commits before the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT {END_IF_STOPPED}"))
    return int(connection.scalars(select(inbox.c.commit_number).with_for_update()).one())


def last_number_for_all(driver: Any) -> int:
    """The same, and nobody else gives a number before the transaction ends; the row of the inbox is locked before, if at all."""
    if not isinstance(driver, sqlite3.Connection):
        driver.execute(f"SELECT pg_advisory_xact_lock({lock_of('65535')}), {END_IF_STOPPED}")
    return last_number(driver)


def in_parts(values: Sequence[T], size: int = 500) -> Iterator[Sequence[T]]:
    """Yield as many at a time as a statement can take."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def fitting(found: Iterable[tuple[T, int]], most: int) -> list[T]:
    """Return the first of these, of which there is the size each, as long as that is not more in all; at least one."""
    first: list[T] = []
    for one, size in found:
        most -= size
        if first and most < 0:
            break
        first.append(one)
    return first


def in_range(number: int) -> int:
    """The nearest number that a column can have, so that a comparison with it comes to the same."""
    return max(-LARGEST, min(number, LARGEST))


def numbers_in_range(numbers: Collection[int]) -> list[int]:
    """The numbers that a column can have, each once, in order: nothing has another one."""
    return sorted({number for number in numbers if 0 < number < LARGEST})


def parts(query: Query, *what: ColumnElement[Any]) -> list[Any]:
    """What a query asks for, each part read through an index in the order of numbers: what was handled, and what was not."""

    def of(table: Any, *which: ColumnElement[bool]) -> Any:
        joined = table.join(deliveries, table.c.number == columns.number)
        asked = conditions(query, table.c.number)
        return select(table.c.number.label("number"), *what).select_from(joined).where(*which, *asked)

    all_deliveries = select(columns.number.label("number"), *what).where(*conditions(query))
    if is_about_all(query):
        return [all_deliveries]
    wanted = [state for state in DeliveryState if not query.states or state in query.states]
    found_in = [of(states, NOT_HANDLED, states.c.state == one.value) for one in wanted if one is not DeliveryState.HANDLED]
    if DeliveryState.HANDLED not in wanted or query.rule is not None:  # what was rejected was not handled
        return found_in
    if isinstance(query, IdQuery) and query.id is not None:
        hashes = [hash_of("member", query.id), hash_of("key", query.id)]
    elif query.key is not None:
        hashes = [hash_of("key", query.key)]
    elif query.member is not None:
        hashes = [hash_of("member", query.member)]
    else:
        return [*found_in, all_deliveries.where(HANDLED)]
    return [*found_in, *(of(table, table.c.hash == hashed) for table in (found, recent) for hashed in hashes)]


def is_about_all(query: Query) -> bool:
    """Whether the deliveries are asked for whatever their state and ids."""
    has_id = isinstance(query, IdQuery) and query.id is not None
    return not (query.states or query.member or query.key or query.rule or has_id)


def conditions(query: Query, number: ColumnElement[int] = columns.number) -> list[ColumnElement[bool]]:
    """What a query asks for, whatever the state."""
    asked: list[tuple[Any, Callable[[Any, Any], ColumnElement[bool]], object]] = [
        *((columns[name], eq, getattr(query, name)) for name in ("event", "member", "key", "rule")),
        (columns.received, ge, query.since),
        (columns.received, lt, query.until),
        (number, gt, in_range(query.after) or None),
        (number, lt, None if query.before is None else in_range(query.before)),
    ]
    met = [compares(column, value) for column, compares, value in asked if value is not None]
    if isinstance(query, IdQuery) and query.id is not None:
        met.append(or_(columns.member == query.id, columns.key == query.id))
    return met
