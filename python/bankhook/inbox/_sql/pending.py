# SPDX-License-Identifier: MIT
"""Which pending deliveries come next: those of a member in order, and nothing of a member that waits for a retry."""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from heapq import heappop, heappush
from itertools import chain, count, islice

from sqlalchemy import ColumnElement, Connection, and_, func, select

from bankhook._handlers._failures import LONGEST, Retry
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._retries import class_and_traceback
from bankhook.inbox._sql.rows import LARGEST, WITH_DELIVERIES, fitting, read, stored
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import NOT_HANDLED, columns, states

BATCH = 2000  # deliveries: a larger commit writes fewer pages of indexes for each
BATCH_BYTES = 8 << 20
RETURNING = 200  # who is looked at at least, of those that catch up: another process may have claimed most of them
PENDING = states.c.state == DeliveryState.PENDING.value
PAUSE = datetime.timedelta(seconds=0.1)  # until what another process has claimed is looked at again
ZERO = datetime.timedelta()  # the same if it has handled all of that
Owner = str | int
"""Who waits, is handled and catches up: a member, or the number of a delivery that belongs to nobody."""
Head = tuple[int, int, Owner]  # number, bytes, whose
Claims = Callable[[Collection[Owner]], Iterable[Owner]]
FAR = datetime.timedelta(hours=2)  # no retry by itself is to wait for so long: the clock was set back
NEVER = datetime.datetime.min.replace(tzinfo=datetime.UTC)


class Pending:
    """Reads forward through what is new, and goes back for members that had to wait: the two take turns.

    What it passes by is remembered as numbers. Only what a person retries is pending again without having been remembered;
    each time that somebody does so has a number. Whatever other processes do, all that was pending when it was read is
    remembered until it was seen not to be, or is handled here; and what is handled here is read when it is claimed.

    Parameters
    ----------
    claim : callable
        Claims members, and returns those whom another process has claimed.
    until_now : bool
        Whether deliveries that come later are left alone.
    """

    def __init__(self, store: Store, claim: Claims, *, until_now: bool = False) -> None:
        self._store, self._claim = store, claim
        self._last = LARGEST
        if until_now:
            with store.read("cannot read the inbox") as connection:
                self._last = connection.scalar(select(func.max(columns.number))) or 0
        self._count = count()
        self.reset()

    def reset(self) -> None:
        """Begin again with what is stored."""
        self._after = self._retried = 0
        self._ahead: dict[Owner, int] = {}  # up to which number all was read of whom more was read than of all others
        self._is_forward, self._is_shared = True, False
        self._asked, self._pause = NEVER, PAUSE
        self._until: list[tuple[datetime.datetime, int, Owner]] = []  # a heap; each has another second value
        self._passed: dict[Owner, list[int]] = {}
        self._returning: dict[Owner, None] = {}  # of those that were passed, who catches up; the others are blocked

    def next(
        self, now: datetime.datetime, busy: Container[Owner] = (), most: int = BATCH, lanes: int = 1
    ) -> Sequence[Delivery]:
        """The deliveries to handle next, at most so many, of at least as many members as there are lanes.

        Each of them goes to `is_blocked` first. None of those who are busy, whose turn comes afterwards. What a person has
        retried since the last look comes before later deliveries of its member, also before those that were read: they are
        blocked until then.
        """
        self._wake(now)
        while chosen := self._choose(busy, most, max(1, most // lanes)):
            with self._store.read("cannot read the inbox") as connection:  # as whoever had claimed them left them
                if found := stored(connection, states.c.number.in_(chosen), PENDING, of=WITH_DELIVERIES):
                    return found
        return []

    def _choose(self, busy: Container[Owner], most: int, each: int) -> list[int]:
        with self._store.read("cannot read the inbox") as connection:
            self._notice_retries(connection)
            for _ in range(2 if most else 0):
                self._is_forward = not self._is_forward
                choose = self._new if self._is_forward else self._returned
                if chosen := choose(connection, busy, most, each):
                    return chosen
            return []

    def is_blocked(self, delivery: Delivery, now: datetime.datetime) -> bool:
        """Whether the delivery has to wait, for itself or for an earlier one of its member."""
        owner, until = owner_of(delivery.number, delivery.member), delivery.retry_at
        if self._passed.get(owner, [delivery.number])[0] < delivery.number:
            self._pass(owner, delivery.number)  # even if it is not blocked any more: the earlier one comes first
            return True
        far = LONGEST if class_and_traceback(delivery.error)[0] == Retry.__name__ else FAR
        if until is None or not now < until <= now + far:
            return False
        self.block(delivery, until)
        return True

    def block(self, delivery: Delivery, until: datetime.datetime) -> None:
        """Let the delivery and later ones of its member wait."""
        owner = owner_of(delivery.number, delivery.member)
        heappush(self._until, (until, next(self._count), owner))
        self._pass(owner, delivery.number)
        self._returning.pop(owner, None)

    def let_come_back(self, delivery: Delivery) -> None:
        """Give the delivery again, although it was given."""
        owner = owner_of(delivery.number, delivery.member)
        if self._was_read(delivery.number, owner):  # else it is read, after those of its member that come before it
            self._pass(owner, delivery.number)

    def earliest_retry(self) -> datetime.datetime | None:
        """When to look again: soon if others catch up, else at the next retry; None if no delivery waits for anything."""
        return self._asked + self._pause if self._returning else self._until[0][0] if self._until else None

    def _was_read(self, number: int, owner: Owner) -> bool:
        """Whether all of the same owner was read up to this number."""
        return number <= max(self._after, self._ahead.get(owner, 0))

    def _pass(self, owner: Owner, number: int) -> None:
        """Come back to a delivery, as soon as its member is not blocked."""
        if owner not in self._passed:
            self._returning[owner] = None
        numbers = self._passed.setdefault(owner, [])
        place = bisect_left(numbers, number)
        if numbers[place : place + 1] != [number]:
            numbers.insert(place, number)

    def _wake(self, now: datetime.datetime) -> None:
        """Let those catch up whose time has come; all of them if the clock was set back."""
        while self._until and (self._until[0][0] <= now or now < self._asked):
            _, _, owner = heappop(self._until)
            if owner in self._passed:
                self._returning[owner] = None
        self._asked = now

    def _notice_retries(self, connection: Connection) -> None:
        """Come back to what a person has retried since the last look."""
        found = select(states.c.number, columns.member, states.c.state, states.c.retried).select_from(WITH_DELIVERIES)
        found = found.where(states.c.retried > self._retried).order_by(states.c.retried)
        for number, member, state, self._retried in read(connection, found, states.c.number):
            owner = owner_of(number, member)
            if self._was_read(number, owner) and state == DeliveryState.PENDING.value:
                if number < self._passed.get(owner, [number])[0]:  # what the member waits for comes later
                    self._returning[owner] = None
                self._pass(owner, number)

    def _returned(self, connection: Connection, busy: Container[Owner], most: int, each: int) -> list[int]:
        """The numbers of deliveries of those that catch up; who has no more of them is done."""
        catching_up = [*islice((one for one in self._returning if one not in busy), max(most, RETURNING))]
        passed = chain.from_iterable(self._passed[one][:each] for one in catching_up)
        looked_at = {*islice(passed, max(RETURNING, min(4 * most, BATCH)))}
        chosen, refused, rest = self._claimed(self._heads(connection, states.c.number.in_(looked_at)), most, each)
        gone = looked_at - refused - rest
        for one in catching_up:
            numbers = self._passed[one]
            is_first = numbers[0] in looked_at
            numbers[:each] = [number for number in numbers[:each] if number not in gone]
            if not numbers:
                del self._passed[one], self._returning[one]
            elif is_first:
                self._returning[one] = self._returning.pop(one)  # others come first
        self._pause = ZERO if gone and not refused else PAUSE
        return chosen

    def _new(self, connection: Connection, busy: Container[Owner], most: int, each: int) -> list[int]:
        """The numbers of deliveries that are new, without those of members that wait, catch up, or are busy and catch up then."""
        while heads := self._heads(
            connection, and_(states.c.number > self._after, states.c.number <= self._last), 8 * most
        ):
            waits = {owner for _, _, owner in heads if owner in self._passed or owner in busy}
            chosen, refused, rest = self._claimed([head for head in heads if head[2] not in waits], most, each)
            self._after = min(rest, default=heads[-1][0] + 1) - 1
            self._ahead |= {owner: number for number, _, owner in heads if number not in rest and owner not in waits}
            self._ahead = {owner: number for owner, number in self._ahead.items() if number > self._after}
            for number, _, owner in heads:
                if number in refused or (number <= self._after and owner in waits):
                    self._pass(owner, number)
            if chosen:
                return chosen
        return []

    def _heads(self, connection: Connection, which: ColumnElement[bool], most: int = BATCH) -> list[Head]:
        head = select(states.c.number, func.length(columns.body), columns.member).select_from(WITH_DELIVERIES)
        head = head.where(NOT_HANDLED, PENDING, which).order_by(states.c.number).limit(min(most, BATCH))
        found = read(connection, head, states.c.number)
        return [(number, size or 0, owner_of(number, member)) for number, size, member in found]

    def _claimed(self, heads: Sequence[Head], most: int, each: int) -> tuple[list[int], set[int], set[int]]:
        """The first that can be claimed; what was refused; and the rest.

        If the inbox is shared, so many of a member come before those of the next one: processes that take much of a few members
        leave the others to each other, and seldom load a state again.
        """
        place, rank = dict[Owner, int](), Counter[Owner]()

        def order(head: Head) -> tuple[int, int]:
            rank[head[2]] += 1
            return (rank[head[2]] - 1) // each, place.setdefault(head[2], len(place))

        if self._is_shared:
            heads = sorted(heads, key=order)
        free, others = list[Head](), set[Owner]()
        looked_at = 0
        while len(free) < most and (part := heads[looked_at : looked_at + most]):
            others.update(self._claim({owner for _, _, owner in part} - others))
            free += [head for head in part if head[2] not in others]
            looked_at += len(part)
        self._is_shared |= bool(others)
        chosen = fitting((head[:2] for head in free[:most]), BATCH_BYTES)
        refused = {number for number, _, owner in heads if owner in others}
        return chosen, refused, {number for number, _, _ in heads} - refused - {*chosen}


def owner_of(number: int, member: str | None) -> Owner:
    """Who waits, is handled and catches up."""
    return number if member is None else member
