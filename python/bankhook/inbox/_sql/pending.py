# SPDX-License-Identifier: MIT
"""Which pending deliveries come next: those of a member in order, and nothing of a member that waits for a retry."""

from __future__ import annotations

import datetime
from bisect import bisect_left, bisect_right
from collections.abc import Container, Sequence

from sqlalchemy import ColumnElement, Connection, and_, func, select

from bankhook._records.stored import DeliveryState, StoredDelivery
from bankhook.inbox._sql.database import Database
from bankhook.inbox._sql.rows import COLUMNS, LARGEST, fitting, stored
from bankhook.inbox._sql.tables import NOT_HANDLED, deliveries

BATCH = 2000  # deliveries: a larger commit writes fewer pages of indexes for each
BATCH_BYTES = 8 << 20
MEMBERS = 50  # that catch up in one batch
columns = deliveries.c
Head = tuple[int, int, str | None]  # number, bytes, member
Owner = str | int
"""Who waits, is handled and catches up: a member, or the number of a delivery that belongs to nobody."""
FAR = datetime.timedelta(hours=2)  # no retry is to wait for so long: the clock was set back
NEVER = datetime.datetime.min.replace(tzinfo=datetime.UTC)


class Pending:
    """Reads forward through what is new, and goes back for members that had to wait: the two take turns.

    What it passes by is remembered as numbers. Only what a person retries is pending again without having been remembered;
    that is found by its time.

    Parameters
    ----------
    until_now : bool
        Whether deliveries that come later are left alone.
    """

    def __init__(self, database: Database, *, until_now: bool = False) -> None:
        self._database = database
        self._last = LARGEST
        if until_now:
            with database.read("cannot read the inbox") as connection:
                self._last = connection.scalar(select(func.max(columns.number))) or 0
        self.reset()

    def reset(self) -> None:
        """Begin again with what is stored."""
        self._after = 0
        self._is_forward = True
        self._looked = NEVER
        self._blocked: dict[Owner, datetime.datetime] = {}
        self._passed: dict[Owner, list[int]] = {}
        self._returning: dict[Owner, None] = {}  # of those that were passed, who catches up

    def next(self, now: datetime.datetime, busy: Container[Owner] = ()) -> Sequence[StoredDelivery]:
        """The deliveries to handle next; each of them goes to `is_blocked` first.

        None of those who are busy, whose turn comes afterwards.
        """
        with self._database.read("cannot read the inbox") as connection:
            self._look_for_due(connection, now, busy)
            chosen: list[int] = []
            for _ in range(2):
                self._is_forward = not self._is_forward
                if chosen := self._new(connection, busy) if self._is_forward else self._returned(connection, busy):
                    break
            found = connection.execute(select(*COLUMNS).where(columns.number.in_(chosen)).order_by(columns.number))
            return [stored(row) for row in found] if chosen else []

    def is_blocked(self, delivery: StoredDelivery, now: datetime.datetime) -> bool:
        """Whether the delivery has to wait, for itself or for an earlier one of its member."""
        member, until = delivery.member, delivery.retry_at
        if member is not None and self._passed.get(member, [delivery.number])[0] < delivery.number:
            self._pass(member, delivery.number)  # even if it is not blocked any more: the earlier one comes first
            return True
        if until is None or not now < until <= now + FAR:
            return False
        self.block(delivery, until)
        return True

    def is_adopted_late(self, delivery: StoredDelivery, busy: Container[Owner]) -> bool:
        """Whether a delivery, which is a member's only now, has to wait for an earlier one of the member."""
        member = delivery.member or ""
        if member in busy or member in self._passed:
            self._pass(member, delivery.number)
            return True
        return False

    def block(self, delivery: StoredDelivery, until: datetime.datetime) -> None:
        """Let the delivery and later ones of its member wait."""
        if delivery.member is not None:
            self._blocked[delivery.member] = until
            self._pass(delivery.member, delivery.number)

    def let_come_back(self, delivery: StoredDelivery) -> None:
        """Give the delivery again, although it was given."""
        self._pass(owner_of(delivery.number, delivery.member), delivery.number)

    def earliest_retry(self) -> datetime.datetime | None:
        """When the next retry is due that was not yet when `next` looked; None if no delivery waits for one."""
        with self._database.read("cannot read the inbox") as connection:
            earliest = select(func.min(columns.retry_at)).where(columns.retry_at > self._looked, self._was_read())
            retry_at: datetime.datetime | None = connection.scalar(earliest)
            return retry_at

    def _was_read(self) -> ColumnElement[bool]:
        return columns.number + 0 <= self._after  # SQLite would read through another index if it saw the number compared

    def _pass(self, owner: Owner, number: int) -> None:
        """Come back to a delivery, as soon as its member is not blocked."""
        numbers = self._passed.setdefault(owner, [])
        place = bisect_left(numbers, number)
        if numbers[place : place + 1] != [number]:
            numbers.insert(place, number)
        if owner in self._blocked:
            self._returning.pop(owner, None)
        else:
            self._returning[owner] = None

    def _look_for_due(self, connection: Connection, now: datetime.datetime, busy: Container[Owner]) -> None:
        """Find who may catch up: nobody who is busy, no member of which an earlier delivery waits longer than what is due."""
        most = MEMBERS + sum(one in busy for one in self._returning)
        if len(self._returning) >= most:
            return
        self._looked = now
        waiting = select(columns.member, columns.number).where(self._was_read()).order_by(columns.retry_at)
        for is_due in columns.retry_at > now + FAR, columns.retry_at <= now:
            with connection.execute(waiting.where(is_due), execution_options={"yield_per": BATCH}) as rows:
                for member, number in rows:
                    if len(self._returning) >= most:
                        return
                    owner = owner_of(number, member)
                    if owner not in busy and not now < self._blocked.get(owner, now) <= now + FAR:
                        self._blocked.pop(owner, None)
                        self._pass(owner, number)

    def _returned(self, connection: Connection, busy: Container[Owner]) -> list[int]:
        """The numbers of deliveries of those that catch up, as many of each; who has no more of them is done."""
        while returning := [one for one in self._returning if one not in busy][:MEMBERS]:
            most = BATCH // len(returning)
            wanted = [number for one in returning for number in self._passed[one][:most]]
            heads = self._heads(connection, columns.number.in_(wanted))
            chosen = fitting((head[:2] for head in heads), BATCH_BYTES)
            last = chosen[-1] if len(chosen) < len(heads) else LARGEST
            for one in returning:
                numbers = self._passed[one]
                del numbers[: min(most, bisect_right(numbers, last))]
                if not numbers:
                    del self._passed[one], self._returning[one]
            if chosen:
                return chosen
        return []

    def _new(self, connection: Connection, busy: Container[Owner]) -> list[int]:
        """The numbers of deliveries that are new, without those of members that wait, catch up, or are busy and catch up then."""
        while heads := self._heads(connection, and_(columns.number > self._after, columns.number <= self._last)):
            passed = [head for head in heads if (one := owner_of(head[0], head[2])) in self._passed or one in busy]
            free = sorted({*heads} - {*passed})
            chosen = fitting((head[:2] for head in free), BATCH_BYTES)
            self._after = chosen[-1] if len(chosen) < len(free) else heads[-1][0]
            for number, _, member in passed:
                if number <= self._after:
                    self._pass(owner_of(number, member), number)
            if chosen:
                return chosen
        return []

    def _heads(self, connection: Connection, which: ColumnElement[bool]) -> list[Head]:
        head = select(columns.number, func.length(columns.body), columns.member).where(NOT_HANDLED, which)
        pending = head.where(columns.state == DeliveryState.PENDING.value).order_by(columns.number).limit(BATCH)
        return [tuple(row) for row in connection.execute(pending)]


def owner_of(number: int, member: str | None) -> Owner:
    """Who waits, is handled and catches up."""
    return number if member is None else member
