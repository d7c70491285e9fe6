# SPDX-License-Identifier: MIT
"""Which pending deliveries come next: those of a member in order, and nothing of a member that waits for a retry."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select

from bankhook._records.stored import DeliveryState, StoredDelivery
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.rows import COLUMNS, stored
from bankhook.inbox._sql.tables import NOT_HANDLED, deliveries

__all__ = ["Pending"]

BATCH = 500  # deliveries
BATCH_BYTES = 8 << 20
MEMBERS = 50  # that catch up in one batch
columns = deliveries.c
Head = tuple[int, str | None, int]  # number, member, bytes
PENDING = and_(NOT_HANDLED, columns.state == DeliveryState.PENDING.value)


class Pending:
    """Reads forward through what is new, and goes back for members whose retry is due: the two take turns.

    Parameters
    ----------
    until_now : bool
        Whether deliveries that come later are left alone.
    """

    def __init__(self, database: Database, *, until_now: bool = False) -> None:
        self._database = database
        self._scope = PENDING
        if until_now:
            with database.read("cannot read the inbox") as connection:
                last = connection.scalar(select(func.max(columns.number))) or 0
            self._scope = and_(PENDING, columns.number <= last)
        self.reset()

    def reset(self) -> None:
        """Begin again with what is stored."""
        self._after = 0
        self._is_forward = True
        self._looked = datetime.datetime.min.replace(tzinfo=datetime.UTC)
        self._blocked: dict[str, datetime.datetime] = {}
        self._returning: dict[str | int, None] = {}  # members that catch up, and deliveries that belong to nobody
        with self._database.read("cannot read the inbox") as connection:
            waiting = select(columns.member, func.min(columns.retry_at)).where(self._scope, columns.retry_at.is_not(None))
            for member, retry_at in connection.execute(waiting.group_by(columns.member)):
                if member is not None:
                    self._blocked[member] = retry_at

    def next(self, now: datetime.datetime) -> Sequence[StoredDelivery]:
        """The deliveries to handle next; each of them goes to `is_blocked` first and to `passed` afterwards."""
        with self._database.read("cannot read the inbox") as connection:
            self._look_for_due(connection, now)
            chosen: list[int] = []
            for _ in range(2):
                self._is_forward = not self._is_forward
                if chosen := self._new(connection) if self._is_forward else self._returned(connection):
                    break
            found = connection.execute(select(*COLUMNS).where(columns.number.in_(chosen)).order_by(columns.number))
            return [stored(row) for row in found] if chosen else []

    def is_blocked(self, delivery: StoredDelivery, now: datetime.datetime) -> bool:
        """Whether the delivery has to wait, for itself or for an earlier one of its member."""
        if delivery.member is not None and delivery.member in self._blocked:
            return True
        if delivery.retry_at is not None and delivery.retry_at > now:
            self.block(delivery, delivery.retry_at)
            return True
        return False

    def block(self, delivery: StoredDelivery, until: datetime.datetime) -> None:
        """Let the delivery and later ones of its member wait."""
        if delivery.member is not None:
            self._blocked[delivery.member] = until
        self._returning.pop(_owner(delivery.number, delivery.member), None)

    def passed(self, number: int) -> None:
        """The deliveries up to this one were handled or have to wait."""
        if self._is_forward:
            self._after = max(self._after, number)

    def earliest_retry(self) -> datetime.datetime | None:
        """When the next retry is due that was not yet when `next` looked; None if no delivery waits for one."""
        with self._database.read("cannot read the inbox") as connection:
            earliest = select(func.min(columns.retry_at)).where(self._scope, columns.retry_at > self._looked)
            retry_at: datetime.datetime | None = connection.scalar(earliest)
            return retry_at

    def _look_for_due(self, connection: Connection, now: datetime.datetime) -> None:
        """Find who may catch up: not the members of which an earlier delivery waits longer than the one that is due."""
        if len(self._returning) >= MEMBERS:
            return
        self._looked = now
        owner = columns.member, case((columns.member.is_(None), columns.number))
        due = select(*owner).where(self._scope, columns.retry_at <= now).group_by(*owner)
        for member, number in connection.execute(due.order_by(func.min(columns.retry_at))):
            if member is not None:
                if self._blocked.get(member, now) > now:
                    continue
                self._blocked.pop(member, None)
            self._returning[_owner(number, member)] = None

    def _returned(self, connection: Connection) -> list[int]:
        """The numbers of deliveries of those that catch up; who has no more of them is done."""
        while returning := list(self._returning)[:MEMBERS]:
            members = [one for one in returning if isinstance(one, str)]
            numbers = [one for one in returning if isinstance(one, int)]
            heads = self._heads(connection, or_(columns.member.in_(members), columns.number.in_(numbers)))
            if heads:
                return _fitting(heads)
            for one in returning:
                del self._returning[one]
        return []

    def _new(self, connection: Connection) -> list[int]:
        """The numbers of deliveries that are new, without those of members that wait or catch up."""
        while heads := self._heads(connection, and_(columns.number > self._after, columns.retry_at.is_(None))):
            free = [head for head in heads if head[1] not in self._blocked and head[1] not in self._returning]
            if free:
                return _fitting(free)
            self.passed(heads[-1][0])
        return []

    def _heads(self, connection: Connection, which: ColumnElement[bool]) -> list[Head]:
        head = select(columns.number, columns.member, func.length(columns.body)).where(self._scope, which)
        return [tuple(row) for row in connection.execute(head.order_by(columns.number).limit(BATCH))]


def _owner(number: int, member: str | None) -> str | int:
    """Who waits and catches up: a member, or a delivery that belongs to nobody."""
    return number if member is None else member


def _fitting(heads: Sequence[Head]) -> list[int]:
    """The numbers of as many deliveries as memory allows, at least one."""
    numbers: list[int] = []
    size = 0
    for number, _, length in heads:
        size += length
        if numbers and size > BATCH_BYTES:
            break
        numbers.append(number)
    return numbers
