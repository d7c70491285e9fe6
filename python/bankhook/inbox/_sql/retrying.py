# SPDX-License-Identifier: MIT
"""What a person decides on deliveries: to try them again, page by page, so that nobody waits long, or to dismiss them."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Sequence
from typing import Any, get_args

from sqlalchemy import ColumnElement, Connection, and_, select, update

from bankhook._core import AnyEvent, BankConnectionsUpdateV2, _event_names
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._examination import examine
from bankhook.inbox._records import Query
from bankhook.inbox._sql.rows import (
    PAGE,
    WITH_DELIVERIES,
    change,
    conditions,
    findings_of,
    in_parts,
    lock_inbox,
    numbers_in_range,
    parts,
    repaired,
)
from bankhook.inbox._sql.tables import NOT_HANDLED, inbox, states

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
    chosen = [*WAITING_FOR_A_PERSON, DeliveryState.DISMISSED][: 2 + with_dismissed]
    if isinstance(asked, Query):
        chosen = [state for state in chosen if state in (asked.states or WAITING_FOR_A_PERSON)]
    waiting = and_(NOT_HANDLED, states.c.state.in_([state.value for state in chosen]))
    if isinstance(asked, Query):
        yield and_(waiting, *conditions(asked))
        return
    for part in in_parts(numbers_in_range(asked), PAGE):
        yield and_(waiting, states.c.number.in_(part))


def dismiss(connection: Connection, asked: Collection[int] | Query) -> int:
    """Let nobody look at deliveries that wait for a person; how many did."""
    dismissed, numbers = update(states).values(state=DeliveryState.DISMISSED.value), select(states.c.number)
    these = [numbers.select_from(WITH_DELIVERIES).where(one) for one in pages(asked, with_dismissed=False)]
    return sum(connection.execute(dismissed.where(states.c.number.in_(some))).rowcount for some in these)


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
        same = states.c.state == delivery.state.value
        if "state" in values and not out_of_order and (later := _later(connection, delivery, values)):
            of_it = select(states.c.number).where(states.c.number == delivery.number, same)
            left |= dict.fromkeys(connection.scalars(of_it), later)
            continue
        changed = change(connection, delivery.number, {"retried": retried, **values}, same)
        count += changed if "state" in values else 0
    return count, left


def _later(connection: Connection, delivery: Delivery, values: dict[str, Any]) -> Sequence[int]:
    """The first of the deliveries that were handled although they came later, and that tell of the same."""
    event, member, key = (values.get(name, getattr(delivery, name)) for name in ABOUT)
    if key is None or member is None:
        return ()
    same = Query(member=member, event=event) if event == LISTS_ALL else Query(member=member, key=key)
    handled = parts(same.replace(after=delivery.number, states=(DeliveryState.HANDLED,)))
    first = [part.order_by(part.selected_columns.number).limit(LATER) for part in handled]
    return sorted({number for part in first for number in connection.scalars(part)})[:LATER]
