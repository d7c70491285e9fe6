# SPDX-License-Identifier: MIT
"""Deliveries as rows, and rows as deliveries."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, and_, func, select, text, true

from bankhook._core import Evidence, Severity
from bankhook._records.findings import Finding
from bankhook._records.stored import DeliveryState, StoredDelivery
from bankhook.inbox._records import Arrival, Query
from bankhook.inbox._sql.schema import END_IF_STOPPED, lock_of
from bankhook.inbox._sql.tables import HANDLED, NOT_HANDLED, deliveries, inbox

columns = deliveries.c
COLUMNS = [columns[name] for name in StoredDelivery.__match_args__]
T = TypeVar("T")
LARGEST = 2**63 - 1  # of an integer in SQLite and PostgreSQL


def row_of(number: int, arrival: Arrival | StoredDelivery) -> dict[str, Any]:
    """The row of a new delivery."""
    same = {name: getattr(arrival, name) for name in ("received", "event", "member", "key", "body")}
    headers = json.dumps(arrival.headers)  # ASCII, so it can be stored whatever the headers contain
    new = {"number": number, "state": arrival.state.value, "attempts": 0, "headers": headers}
    return same | new | findings_of(arrival.findings)


def findings_of(findings: Sequence[Finding]) -> dict[str, Any]:
    """The columns that hold findings."""
    return {
        "findings": json.dumps([finding.to_dict() for finding in findings]),
        "rule": findings[0].rule if findings else None,
    }


def stored(row: Row[Any]) -> StoredDelivery:
    """The delivery of a row of COLUMNS."""
    values = row._asdict()
    values["headers"] = tuple((name, value) for name, value in json.loads(values["headers"]))
    values["findings"] = tuple(_finding(one) for one in json.loads(values["findings"]))
    values["state"] = DeliveryState(values["state"])
    return StoredDelivery(**values)


def _finding(values: dict[str, Any]) -> Finding:
    values["steps"] = tuple(values["steps"])
    values["evidence"] = Evidence(values["evidence"])
    values["severity"] = Severity(values["severity"])
    return Finding(**values)


def last_number(connection: Connection) -> int:
    """The last number that was given, also if its delivery was deleted; 0 before the first."""
    newest = select(func.max(columns.number)).scalar_subquery()
    number, last = connection.execute(select(func.coalesce(newest, 0), inbox.c.last_number)).one()
    return max(int(number), int(last))


def lock_inbox(connection: Connection) -> int:
    """The number of the last commit, and nobody else commits before the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT {END_IF_STOPPED}"))
    number: int = connection.scalars(select(inbox.c.commit_number).with_for_update()).one()
    return number


def last_number_for_all(connection: Connection) -> int:
    """The same, and nobody else gives a number before the transaction ends; the row of the inbox is locked before, if at all."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({lock_of('65535')}), {END_IF_STOPPED}"))
    return last_number(connection)


def in_parts(values: Sequence[T], size: int = 500) -> Iterator[Sequence[T]]:
    """Yield as many at a time as a statement can take."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def fitting(found: Iterable[tuple[int, int]], most: int) -> list[int]:
    """Return the numbers of deliveries, of which there is the size each, as long as that is not more in all; at least one."""
    numbers: list[int] = []
    for number, size in found:
        most -= size
        if numbers and most < 0:
            break
        numbers.append(number)
    return numbers


def in_range(number: int) -> int:
    """The nearest number that a column can have, so that a comparison with it comes to the same."""
    return max(-LARGEST, min(number, LARGEST))


def numbers_in_range(numbers: Collection[int]) -> list[int]:
    """The numbers that a column can have, each once, in order: nothing has another one."""
    return sorted({number for number in numbers if 0 < number < LARGEST})


def parts(query: Query | None) -> list[ColumnElement[bool]]:
    """What a query asks for, each part read through an index in the order of numbers: what was handled, and what was not."""
    if query is None or not (query.states or query.member or query.key or query.rule):
        return [and_(true(), *conditions(query))]
    wanted = [state for state in query.states or DeliveryState if query.rule is None or state is not DeliveryState.HANDLED]
    other = [state.value for state in wanted if state is not DeliveryState.HANDLED]
    of_states: list[ColumnElement[bool]] = [HANDLED] if DeliveryState.HANDLED in wanted else []
    of_states += [and_(NOT_HANDLED, columns.state == state) for state in other]
    return [and_(one, *conditions(query)) for one in of_states]


def conditions(query: Query | None) -> list[ColumnElement[bool]]:
    """What a query asks for, whatever the state."""
    if query is None:
        return []
    names = ("event", "member", "key", "rule")
    asked: list[ColumnElement[bool]] = [
        columns[name] == value for name in names if (value := getattr(query, name)) is not None
    ]
    if query.since is not None:
        asked.append(columns.received >= query.since)
    if query.until is not None:
        asked.append(columns.received < query.until)
    if query.after:
        asked.append(columns.number > in_range(query.after))
    if query.before is not None:
        asked.append(columns.number < in_range(query.before))
    return asked
