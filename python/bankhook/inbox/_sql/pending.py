# SPDX-License-Identifier: MIT
"""Which pending deliveries come next: those of a member in order, and nothing of a member that waits for a retry."""

from __future__ import annotations

import datetime
from collections.abc import Container, Sequence

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from bankhook._records.stored import DeliveryState, StoredDelivery
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.rows import COLUMNS, stored
from bankhook.inbox._sql.tables import NOT_HANDLED, deliveries

__all__ = ["BATCH", "Owner", "Pending", "owner_of"]

BATCH = 500  # deliveries
BATCH_BYTES = 8 << 20
MEMBERS = 50  # that catch up in one batch
columns = deliveries.c
Head = tuple[int, str | None, int]  # number, member, bytes
Owner = str | int
"""Who waits, is handled and catches up: a member, or the number of a delivery that belongs to nobody."""
NEVER = datetime.datetime.min.replace(tzinfo=datetime.UTC)
PENDING = DeliveryState.PENDING.value
# Each statement reads through an index of its own, however many deliveries are pending. SQLite would choose another one if it
# saw the state or the number compared: so members hide the one, and retries the other (only pending ones have a `retry_at`).
NEW = and_(NOT_HANDLED, columns.state == PENDING)
OF_A_MEMBER = and_(NOT_HANDLED, columns.state.concat("") == PENDING)


class Pending:
    """Reads forward through what is new, and goes back for members whose retry is due: the two take turns.

    Parameters
    ----------
    until_now : bool
        Whether deliveries that come later are left alone.
    """

    def __init__(self, database: Database, *, until_now: bool = False) -> None:
        self._database = database
        self._scope, self._scope_of_retries = list[ColumnElement[bool]](), list[ColumnElement[bool]]()
        if until_now:
            with database.read("cannot read the inbox") as connection:
                last = connection.scalar(select(func.max(columns.number))) or 0
            self._scope, self._scope_of_retries = [columns.number <= last], [columns.number + 0 <= last]
        self.reset()

    def reset(self) -> None:
        """Begin again with what is stored."""
        self._after = 0
        self._is_forward = True
        self._looked = NEVER
        self._blocked: dict[str, datetime.datetime] = {}
        self._returning: dict[Owner, None] = {}  # members that catch up, and deliveries that belong to nobody
        with self._database.read("cannot read the inbox") as connection:
            waiting = select(columns.member, columns.retry_at).where(*self._scope_of_retries, columns.retry_at >= NEVER)
            for member, retry_at in connection.execute(waiting.order_by(columns.retry_at)):
                if member is not None:
                    self._blocked.setdefault(member, retry_at)

    def next(self, now: datetime.datetime, busy: Container[Owner] = ()) -> Sequence[StoredDelivery]:
        """The deliveries to handle next; each of them goes to `is_blocked` first, and the last one to `passed`.

        None of those who are busy, whose turn comes afterwards.
        """
        with self._database.read("cannot read the inbox") as connection:
            self._look_for_due(connection, now, MEMBERS + sum(one in busy for one in self._returning))
            chosen: list[int] = []
            for _ in range(2):
                self._is_forward = not self._is_forward
                if chosen := self._new(connection, busy) if self._is_forward else self._returned(connection, busy):
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

    def is_adopted_late(self, delivery: StoredDelivery, busy: Container[Owner]) -> bool:
        """Whether a delivery, which is a member's only now, has to wait for an earlier one of the member."""
        self._returning.pop(delivery.number, None)
        member = delivery.member or ""
        if member in busy:
            self._returning[member] = None
        return member in self._blocked or member in self._returning

    def block(self, delivery: StoredDelivery, until: datetime.datetime) -> None:
        """Let the delivery and later ones of its member wait."""
        if delivery.member is not None:
            self._blocked[delivery.member] = until
        self._returning.pop(owner_of(delivery.number, delivery.member), None)

    def let_come_back(self, owner: Owner) -> None:
        """Read again what is pending of a member, or this delivery, although it was passed."""
        self._returning[owner] = None

    def passed(self, number: int) -> None:
        """The deliveries up to this one were handled or have to wait."""
        if self._is_forward:
            self._after = max(self._after, number)

    def earliest_retry(self) -> datetime.datetime | None:
        """When the next retry is due that was not yet when `next` looked; None if no delivery waits for one."""
        with self._database.read("cannot read the inbox") as connection:
            earliest = select(func.min(columns.retry_at)).where(*self._scope_of_retries, columns.retry_at > self._looked)
            retry_at: datetime.datetime | None = connection.scalar(earliest)
            return retry_at

    def _look_for_due(self, connection: Connection, now: datetime.datetime, most: int) -> None:
        """Find who may catch up: not the members of which an earlier delivery waits longer than the one that is due."""
        if len(self._returning) >= most:
            return
        self._looked = now
        due = select(columns.member, columns.number, columns.retry_at).where(
            *self._scope_of_retries, columns.retry_at <= now
        )
        due = due.order_by(columns.retry_at, columns.number).limit(BATCH)
        rows = connection.execute(due).all()
        while rows:
            for member, number, _ in rows:
                if len(self._returning) >= most:
                    return
                if member is not None:
                    if self._blocked.get(member, now) > now:
                        continue
                    self._blocked.pop(member, None)
                self._returning[owner_of(number, member)] = None
            _, number, retry_at = rows[-1]
            follows = or_(columns.retry_at > retry_at, columns.number + 0 > number)
            rows = connection.execute(due.where(columns.retry_at >= retry_at, follows)).all()

    def _returned(self, connection: Connection, busy: Container[Owner]) -> list[int]:
        """The numbers of deliveries of those that catch up, as many of each; who has no more of them is done."""
        while returning := [one for one in self._returning if one not in busy][:MEMBERS]:
            heads = list[Head]()
            for one in returning:
                which = OF_A_MEMBER & (columns.member == one) if isinstance(one, str) else NEW & (columns.number == one)
                found = self._heads(connection, which, BATCH // len(returning))
                heads += found
                if not found:
                    del self._returning[one]
            if heads:
                return _fitting(sorted(heads, key=lambda head: head[0]))
        return []

    def _new(self, connection: Connection, busy: Container[Owner]) -> list[int]:
        """The numbers of deliveries that are new, without those of members that wait, catch up, or are busy and catch up then."""
        while heads := self._heads(connection, and_(NEW, columns.number > self._after, columns.retry_at.is_(None)), BATCH):
            self._returning |= {
                one: None for _, one, _ in heads if one is not None and one in busy and one not in self._blocked
            }
            free = [head for head in heads if head[1] not in self._blocked and head[1] not in self._returning]
            if free:
                return _fitting(free)
            self.passed(heads[-1][0])
        return []

    def _heads(self, connection: Connection, which: ColumnElement[bool], limit: int) -> list[Head]:
        head = select(columns.number, columns.member, func.length(columns.body)).where(*self._scope, which)
        return [tuple(row) for row in connection.execute(head.order_by(columns.number).limit(limit))]


def owner_of(number: int, member: str | None) -> Owner:
    """Who waits, is handled and catches up."""
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
