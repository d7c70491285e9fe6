# SPDX-License-Identifier: MIT
"""What was read and is not handled yet: of each member in order, in a lane; members beside each other."""

from __future__ import annotations

import datetime
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from bankhook._records.stored import Delivery
from bankhook.inbox._sql.pending import Owner, owner_of


class Waiting(Protocol):
    """What knows which deliveries have to wait for a retry, and gives again what was put back: `Pending`."""

    def is_blocked(self, delivery: Delivery, now: datetime.datetime, /) -> bool: ...
    def let_come_back(self, delivery: Delivery, /) -> None: ...


class Lanes:
    """Deliveries that are ready, and the lanes that are busy: each of a member, or of a delivery that belongs to nobody.

    A lane is busy from its first delivery until there are no more of it, and whoever has it until `end`. A value: it needs
    neither threads nor a database, and whoever uses it from several threads has a lock.
    """

    def __init__(self, waiting: Waiting) -> None:
        self._waiting = waiting
        self.ready: deque[Delivery] = deque()
        self.busy: dict[Owner, deque[Delivery]] = {}  # what comes next in each lane

    @property
    def owners(self) -> set[Owner]:
        """Of whom something is handled, or ready."""
        return self.busy.keys() | {owner_of(one.number, one.member) for one in self.ready}

    def take(
        self, owner: Owner | None, now: datetime.datetime, has_room: Callable[[Iterator[str | None]], bool]
    ) -> tuple[Owner, Delivery] | None:
        """The next delivery of a lane; without one, or without a lane, of a new lane: of the first that is ready.

        `has_room` is asked before a lane begins, with the members of what is ready. None if there is nothing to be handled now:
        then the lane that was given has ended.
        """
        while True:
            if owner is not None and not self.busy[owner]:
                self.end(owner)
                owner = None
            if owner is None and (owner := self._begin(has_room)) is None:
                return None
            delivery = self.busy[owner].popleft()
            if not self._waiting.is_blocked(delivery, now):
                return owner, delivery

    def _begin(self, has_room: Callable[[Iterator[str | None]], bool]) -> Owner | None:
        while self.ready and has_room(one.member for one in self.ready):
            delivery = self.ready.popleft()
            owner = owner_of(delivery.number, delivery.member)
            if owner not in self.busy:
                self.busy[owner] = deque([delivery])
                return owner
            self.busy[owner].append(delivery)
        return None

    def end(self, owner: Owner) -> None:
        """Whoever had the lane handles nothing of it any more."""
        self.busy.pop(owner, None)

    def put_back(self, queues: Iterable[deque[Delivery]]) -> None:
        """Forget deliveries that were read; they are given again."""
        for queue in queues:
            while queue:
                self._waiting.let_come_back(queue.pop())

    def forget(self) -> None:
        """Forget all that was read; who has a lane, has it until `end`."""
        self.ready.clear()
        for lane in self.busy.values():
            lane.clear()
