# SPDX-License-Identifier: MIT
"""Which pending deliveries come next: those of a member in order, and nothing of a member that waits for a retry."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from bankhook._records.stored import DeliveryState, StoredDelivery
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.rows import COLUMNS, stored
from bankhook.inbox._sql.tables import NOT_HANDLED, deliveries

__all__ = ["Pending"]

BATCH = 500  # deliveries
BATCH_BYTES = 8 << 20
MEMBERS = 50  # that catch up in one batch
columns = deliveries.c
PENDING = and_(NOT_HANDLED, columns.state == DeliveryState.PENDING.value)


class Pending:
    """Reads forward through what is new, and goes back for members whose retry is due: they catch up first.

    Parameters
    ----------
    until_now : bool
        Whether deliveries that come later are left alone.
    """

    def __init__(self, database: Database, *, until_now: bool = False) -> None:
        self._database = database
        self._scope = PENDING
        self._after = 0
        self._blocked: dict[str, datetime.datetime] = {}
        self._returning: dict[str | int, None] = {}  # members that catch up, and deliveries that belong to nobody
        self._taken: tuple[list[str | int], bool, int] = [], True, 0
        with database.read("cannot read the inbox") as connection:
            if until_now:
                self._scope = and_(PENDING, columns.number <= (connection.scalar(select(func.max(columns.number))) or 0))
            waiting = select(columns.member, func.min(columns.retry_at)).where(self._scope, columns.retry_at.is_not(None))
            for member, retry_at in connection.execute(waiting.group_by(columns.member)):
                if member is not None:
                    self._blocked[member] = retry_at

    def next(self, now: datetime.datetime) -> Sequence[StoredDelivery]:
        """The deliveries to handle next; each of them goes to `is_blocked` first and to `passed` afterwards."""
        with self._database.read("cannot read the inbox") as connection:
            self._look_for_due(connection, now)
            while True:
                heads, chosen = self._choose(connection)
                if chosen or not heads:
                    break
                self.passed(heads[-1][0])  # all of them wait for retries of their members
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
        """Let later deliveries of the member wait."""
        if delivery.member is not None:
            self._blocked[delivery.member] = until
            self._returning.pop(delivery.member, None)

    def passed(self, number: int) -> None:
        """The deliveries up to this one were handled or have to wait."""
        returning, is_complete, last = self._taken
        if not returning:
            self._after = max(self._after, number)
        elif is_complete and number == last:
            for one in returning:
                self._returning.pop(one, None)

    def earliest_retry(self) -> datetime.datetime | None:
        """When the next retry is due; None if no delivery waits for one."""
        with self._database.read("cannot read the inbox") as connection:
            earliest = select(func.min(columns.retry_at)).where(self._scope, columns.retry_at.is_not(None))
            retry_at: datetime.datetime | None = connection.scalar(earliest)
            return retry_at

    def _look_for_due(self, connection: Connection, now: datetime.datetime) -> None:
        due = select(columns.number, columns.member).where(self._scope, columns.retry_at <= now)
        for number, member in connection.execute(due.order_by(columns.retry_at).limit(BATCH)):
            self._returning[number if member is None else member] = None
            if member is not None:
                self._blocked.pop(member, None)

    def _choose(self, connection: Connection) -> tuple[list[tuple[int, str | None, int]], list[int]]:
        """The heads of a batch, and the numbers of those that may be handled, as many as memory allows."""
        returning = list(self._returning)[:MEMBERS]
        heads = self._heads(connection, self._of(returning))
        chosen: list[int] = []
        size, is_complete = 0, len(heads) < BATCH
        for place, (number, member, length) in enumerate(heads):
            if member is not None and member in self._blocked:
                continue
            if chosen and size + length > BATCH_BYTES:
                heads, is_complete = heads[:place], False
                break
            size += length
            chosen.append(number)
        self._taken = returning, is_complete, chosen[-1] if chosen else 0
        return heads, chosen

    def _of(self, returning: list[str | int]) -> ColumnElement[bool]:
        if not returning:
            return and_(columns.number > self._after, columns.retry_at.is_(None))
        members = [one for one in returning if isinstance(one, str)]
        return or_(columns.member.in_(members), columns.number.in_([one for one in returning if isinstance(one, int)]))

    def _heads(self, connection: Connection, which: ColumnElement[bool]) -> list[tuple[int, str | None, int]]:
        head = select(columns.number, columns.member, func.length(columns.body)).where(self._scope, which)
        return [tuple(row) for row in connection.execute(head.order_by(columns.number).limit(BATCH))]
