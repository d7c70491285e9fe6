# SPDX-License-Identifier: MIT
"""Deliveries as rows, and rows as deliveries."""

from __future__ import annotations

import datetime
import json
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import eq, ge, gt, lt
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, and_, select, text, true, union_all
from sqlalchemy.exc import SQLAlchemyError

from bankhook._core import Evidence, Severity
from bankhook._handlers import Park
from bankhook._records.findings import Finding
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._records import Query
from bankhook.inbox._sql.schema import END_IF_STOPPED, lock_of
from bankhook.inbox._sql.tables import HANDLED, NOT_HANDLED, columns, deliveries, inbox
from bankhook.inbox._sql.types import AnyId, UtcTime

NEW = ("number", "received", "state", "event", "member", "key", "attempts", "headers", "findings", "rule", "body")
ANY_ID, UTC_TIME = AnyId(), UtcTime()
COLUMNS = [columns[name] for name in Delivery.__match_args__]
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


def insert_new(connection: Connection, first: int, new: Iterable[Delivery]) -> None:
    """Insert new deliveries, numbered from the first one on, by the driver itself: SQLAlchemy takes longer than the database."""
    dialect = connection.dialect
    rows = [
        (
            number,
            UTC_TIME.process_bind_param(one.received, dialect).isoformat(" ", "microseconds"),
            one.state.value,
            *(ANY_ID.process_bind_param(text, dialect) for text in (one.event, one.member, one.key)),
            0,
            json.dumps(one.headers),  # ASCII, so it can be stored whatever the headers contain
            *findings_of(one.findings).values(),
            one.body,
        )
        for number, one in enumerate(new, first)
    ]
    places = ", ".join(["?" if dialect.name == "sqlite" else "%s"] * len(NEW))
    connection.exec_driver_sql(f"INSERT INTO {deliveries.name} ({', '.join(NEW)}) VALUES ({places})", rows)


def findings_of(findings: Sequence[Finding]) -> dict[str, Any]:
    """The columns that hold findings."""
    return {
        "findings": json.dumps([finding.to_dict() for finding in findings]),
        "rule": findings[0].rule if findings else None,
    }


def stored(
    connection: Connection, *which: ColumnElement[bool], newest_first: bool = False, limit: int | None = None
) -> list[Delivery]:
    """The deliveries that meet these conditions, in the order of their numbers."""
    order = columns.number.desc() if newest_first else columns.number
    statement = select(*COLUMNS).where(*which).order_by(order).limit(limit)
    return [_delivery(row) for row in read(connection, statement)]


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
    return [row(*(_value(connection, select(column).where(key == one)) for column in asked)) for one in keys]


def _value(connection: Connection, statement: Select[Any]) -> Any:
    try:
        return connection.scalar(statement)
    except Exception:
        return None


def _delivery(row: Any) -> Delivery:
    values, unread = row._asdict(), list[str]()
    for name, reads in READ.items():
        try:
            values[name] = reads(values[name])
        except Exception:
            unread.append(name)
            values[name] = stored_bytes(values[name]) if name == "body" else reads(EMPTY[name])
    return Delivery(**values, _unread=", ".join(unread) or None)


def stored_bytes(body: object) -> bytes:
    """What is stored as a body, which may be a text."""
    return body.encode(errors="surrogatepass") if isinstance(body, str) else body if isinstance(body, bytes) else b""


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
    "state": DeliveryState,
    "body": _of(bytes),
    "received": _of(datetime.datetime),
    "attempts": _of(int),
}


def repaired(delivery: Delivery) -> dict[str, Any]:
    """The columns of a delivery whose row is to be readable again, without what was not."""
    headers, body = json.dumps(delivery.headers), delivery.body
    made = {"headers": headers, "body": body, "received": delivery.received, **findings_of(delivery.findings)}
    return made if delivery._unread else {}


def of_unknown_states() -> Select[Any]:
    """The numbers of deliveries whose state is not known, by looks into the index between those that are."""
    known = sorted(DeliveryState)
    found = [
        select(columns.number).where(
            NOT_HANDLED,
            true() if after is None else columns.state > after.value,
            true() if before is None else columns.state < before.value,
        )
        for after, before in pairwise([None, *known, None])
    ]
    return select(union_all(*found).subquery().c.number)


def of_no_state(is_sqlite: bool) -> Select[Any]:
    """The numbers of deliveries without a state. No row is read as long as the table wants one, which SQLite sees by itself."""
    may_lack = (
        f"(SELECT NOT attnotnull FROM pg_attribute WHERE attrelid = to_regclass('{deliveries.name}') AND attname = 'state')"
    )
    return select(columns.number).where(columns.state.is_(None), true() if is_sqlite else text(may_lack))


def _finding(values: dict[str, Any]) -> Finding:
    evidence, severity = Evidence(values["evidence"]), Severity(values["severity"])
    return Finding(**values).replace(steps=tuple(values["steps"]), evidence=evidence, severity=severity)


def last_number(connection: Connection) -> int:
    """The last number that was given, also if its delivery was deleted; 0 before the first."""
    newest = f"SELECT max(number) FROM {deliveries.name}"
    number, last = connection.exec_driver_sql(f"SELECT coalesce(({newest}), 0), last_number FROM {inbox.name}").one()
    return max(int(number), int(last))


def lock_inbox(connection: Connection) -> int:
    """The number of the last commit, and nobody else commits before the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT {END_IF_STOPPED}"))
    return int(connection.scalars(select(inbox.c.commit_number).with_for_update()).one())


def last_number_for_all(connection: Connection) -> int:
    """The same, and nobody else gives a number before the transaction ends; the row of the inbox is locked before, if at all."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({lock_of('65535')}), {END_IF_STOPPED}"))
    return last_number(connection)


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


def parts(query: Query) -> list[ColumnElement[bool]]:
    """What a query asks for, each part read through an index in the order of numbers: what was handled, and what was not."""
    if not (query.states or query.member or query.key or query.rule):
        return [and_(true(), *conditions(query))]
    of_state = {state: and_(NOT_HANDLED, columns.state == state.value) for state in DeliveryState}
    of_state[DeliveryState.HANDLED] = HANDLED
    if query.rule is not None:
        del of_state[DeliveryState.HANDLED]  # which was not rejected
    return [and_(one, *conditions(query)) for state, one in of_state.items() if state in (query.states or of_state)]


def conditions(query: Query) -> list[ColumnElement[bool]]:
    """What a query asks for, whatever the state."""
    asked: list[tuple[Any, Callable[[Any, Any], ColumnElement[bool]], object]] = [
        *((columns[name], eq, getattr(query, name)) for name in ("event", "member", "key", "rule")),
        (columns.received, ge, query.since),
        (columns.received, lt, query.until),
        (columns.number, gt, in_range(query.after) or None),
        (columns.number, lt, None if query.before is None else in_range(query.before)),
    ]
    return [compares(column, value) for column, compares, value in asked if value is not None]
