# SPDX-License-Identifier: MIT
"""What a person decides on deliveries: to try them again, page by page, so that nobody waits long, or to dismiss them."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Sequence
from typing import Any, get_args

from sqlalchemy import ColumnElement, Connection, and_, func, select, update

from bankhook._core import AnyEvent, BankConnectionsUpdateV2, _event_names
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._examination import examine
from bankhook.inbox._records import Query
from bankhook.inbox._sql.rows import PAGE, conditions, findings_of, in_parts, lock_inbox, numbers_in_range, repaired
from bankhook.inbox._sql.tables import HANDLED, NOT_HANDLED, columns, deliveries, inbox

ABOUT = ("event", "member", "key")
READ = (*ABOUT, "findings")
LISTS_ALL = _event_names[get_args(AnyEvent).index(BankConnectionsUpdateV2)]  # 2.1: all connections of the member
LATER = 3  # deliveries that are named as newer than one
WAITING_FOR_A_PERSON = (DeliveryState.QUARANTINED, DeliveryState.PARKED)
Change = tuple[Delivery, dict[str, Any]]
"""A delivery as it was read, and the columns that become different."""


def pages(asked: Collection[int] | Query, *, with_dismissed: bool) -> Iterator[ColumnElement[bool]]:
    """What was asked for, of the deliveries that wait for a person: numbers in parts that a statement can take.

    Of those that were dismissed, which wait for nobody, only what was asked for by name, if at all.
    """
    states = [*WAITING_FOR_A_PERSON, DeliveryState.DISMISSED][: 2 + with_dismissed]
    if isinstance(asked, Query):
        states = [state for state in states if state in (asked.states or WAITING_FOR_A_PERSON)]
    waiting = and_(NOT_HANDLED, columns.state.in_([state.value for state in states]))
    if isinstance(asked, Query):
        yield and_(waiting, *conditions(asked))
        return
    for part in in_parts(numbers_in_range(asked), PAGE):
        yield and_(waiting, columns.number.in_(part))


def dismiss(connection: Connection, asked: Collection[int] | Query) -> int:
    """Let nobody look at deliveries that wait for a person; how many did."""
    dismissed = update(deliveries).values(state=DeliveryState.DISMISSED.value)
    return sum(connection.execute(dismissed.where(one)).rowcount for one in pages(asked, with_dismissed=False))


def changes(found: Sequence[Delivery], now: datetime.datetime) -> list[Change]:
    """Examine what was quarantined. What would change no column is left out."""
    made: list[Change] = []
    for delivery in found:
        values: dict[str, Any] = {"state": DeliveryState.PENDING.value, "attempts": 0, "retry_at": now, "error": None}
        if delivery.findings:
            again = examine(delivery.body, received=delivery.received, headers=delivery.headers)
            if again.findings and all(getattr(again, name) == getattr(delivery, name) for name in READ):
                continue
            read = {name: getattr(again, name) for name in ABOUT} | findings_of(again.findings)
            values = read if again.findings else values | read
        made.append((delivery, repaired(delivery) | values))
    return made


def make(connection: Connection, made: Sequence[Change], out_of_order: bool) -> tuple[int, dict[int, Sequence[int]]]:
    """Store the changes of deliveries that nobody changed meanwhile; how many are pending now, and what was left, and why."""
    count, left = 0, dict[int, Sequence[int]]()
    lock_inbox(connection)
    connection.execute(update(inbox).values(retried=inbox.c.retried + 1))
    retried = select(inbox.c.retried).scalar_subquery()
    for delivery, values in made:
        same = and_(columns.number == delivery.number, columns.state == delivery.state.value)
        if "state" in values and not out_of_order and (later := _later(connection, delivery, values)):
            left |= dict.fromkeys(connection.scalars(select(columns.number).where(same)), later)
            continue
        changed = connection.execute(update(deliveries).where(same).values(retried=retried, **values)).rowcount
        count += changed if "state" in values else 0
    return count, left


def _later(connection: Connection, delivery: Delivery, values: dict[str, Any]) -> Sequence[int]:
    """The first of the deliveries that were handled although they came later, and that tell of the same."""
    event, member, key = (values.get(name, getattr(delivery, name)) for name in ABOUT)
    if key is None:
        return ()
    # Compared like this, a member is no reason for SQLite to read through all of it to find a transaction.
    of_key = and_(columns.key == key, func.coalesce(columns.member, "") == member)
    same = and_(columns.member == member, columns.event == event) if event == LISTS_ALL else of_key
    later = select(columns.number).where(HANDLED, same, columns.number > delivery.number)
    return connection.scalars(later.order_by(columns.number).limit(LATER)).all()
