# SPDX-License-Identifier: MIT
"""Lanes beside a slow model, in any order of calls: each member in order, nobody twice, nothing lost."""

from __future__ import annotations

import datetime
from collections import defaultdict

from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.strategies import booleans, integers, lists, sampled_from

from bankhook.inbox import Delivery
from bankhook.inbox._sql.lanes import Lanes
from bankhook.inbox._sql.pending import Owner, owner_of

NOW = datetime.datetime.now(datetime.UTC)


class Beside(RuleBasedStateMachine):
    """Keeps a list of numbers for each owner: what was read and is not handled; the rest is put back."""

    def __init__(self) -> None:
        super().__init__()
        self.lanes = Lanes(self)
        self.all: list[Delivery] = []
        self.read: defaultdict[Owner, list[int]] = defaultdict(list)
        self.back: defaultdict[Owner, list[int]] = defaultdict(list)
        self.held = set[Owner]()
        self.blocked = set[int]()

    def is_blocked(self, delivery: Delivery, now: datetime.datetime) -> bool:
        assert now == NOW
        if delivery.number in self.blocked:
            self.let_come_back(delivery)
            return True
        return False

    def let_come_back(self, delivery: Delivery) -> None:
        owner = owner_of(delivery.number, delivery.member)
        self.read[owner].remove(delivery.number)
        self.back[owner].append(delivery.number)

    @rule(members=lists(sampled_from(["a", "b", None]), min_size=2, max_size=8))
    def read_new(self, members: list[str | None]) -> None:
        for member in members:
            one = Delivery(b"", NOW, (), None, member, None, (), number=len(self.all))
            self.all.append(one)
            owner = owner_of(one.number, member)
            if self.back[owner]:
                self.back[owner].append(one.number)
            else:
                self.read[owner].append(one.number)
                self.lanes.ready.append(one)

    @rule()
    def read_again(self) -> None:
        again = [owner for owner in self.back if not self.read[owner] and owner not in self.held]
        numbers = sorted(number for owner in again for number in self.back.pop(owner))
        for number in numbers:
            self.read[owner_of(number, self.all[number].member)].append(number)
        self.lanes.ready.extend(self.all[number] for number in numbers)

    @rule(number=integers(0, 60))
    def block_or_not(self, number: int) -> None:
        self.blocked ^= {number}

    @rule(room=integers(0, 3))
    def begin(self, room: int) -> None:
        self.take(None, has_room=room > 0)

    @precondition(lambda self: self.held)
    @rule(which=integers(0, 9), room=integers(0, 3))
    def go_on(self, which: int, room: int) -> None:
        self.take(sorted(self.held, key=str)[which % len(self.held)], has_room=room > 0)

    def take(self, owner: Owner | None, *, has_room: bool) -> None:
        before = {of: [*numbers] for of, numbers in self.read.items()}
        taken = self.lanes.take(owner, NOW, lambda _: has_room)
        others = self.held - {owner}
        if taken is None:
            self.held -= {owner}
            rest = [of for of, numbers in self.read.items() if numbers and of not in others]
            assert not has_room or rest == []
            return
        new, delivery = taken
        assert new not in others
        assert has_room or new == owner
        free = [number for number in before[new] if number not in self.blocked]
        assert delivery == self.all[free[0]]
        if new != owner:
            self.held -= {owner}
        self.held.add(new)
        self.read[new].remove(delivery.number)

    @rule(is_busy=booleans(), seldom=integers(0, 5))
    def put_back(self, is_busy: bool, seldom: int) -> None:
        if seldom == 0:
            queues = [*self.lanes.busy.values()] if is_busy else [self.lanes.ready]
            self.lanes.put_back(queues)
            assert not any(queues)

    @rule(seldom=integers(0, 5))
    def forget(self, seldom: int) -> None:
        if seldom:
            return
        self.lanes.forget()
        for owner, numbers in self.read.items():
            self.back[owner] += numbers
            numbers.clear()

    @invariant()
    def each_is_read_or_put_back(self) -> None:
        in_lanes = [one.number for lane in (self.lanes.ready, *self.lanes.busy.values()) for one in lane]
        assert sorted(in_lanes) == sorted(number for numbers in self.read.values() for number in numbers)
        assert self.lanes.busy.keys() == self.held
        assert self.lanes.owners == self.held | {owner_of(one.number, one.member) for one in self.lanes.ready}


Beside.TestCase.settings = settings(max_examples=100, stateful_step_count=50, deadline=None)
TestLanes = Beside.TestCase
