# SPDX-License-Identifier: MIT
"""What comes next while another process handles deliveries, too: nothing that it has claimed, and nothing is forgotten."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Generator
from contextlib import ExitStack

import psycopg
import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError

from bankhook.inbox import examine
from bankhook.inbox._sql.lock import keep_claim
from bankhook.inbox._sql.pending import PAUSE, Pending
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import deliveries, states
from bankhook.inbox._sql.unit import Unit
from bankhook.inbox._sql.urls import database_url
from inbox.history import filled, payloads
from inbox.postgresql import PostgreSQL

NOW = datetime.datetime.now(datetime.UTC)
SOON, LATER = NOW + datetime.timedelta(seconds=30), NOW + datetime.timedelta(minutes=1)
A, B = "member a", "member b"
NAMES = "keepalives_idle", "keepalives_interval", "keepalives_count", "user_timeout"


class Process:
    """What a process has of an inbox: a connection that claims, and what it remembers."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.store = Store(database_url(url), create=True)
        self.store.open()
        stack.callback(self.store.close)
        self.unit = Unit(self.store, stack.enter_context(self.store.connect()))
        self.pending = Pending(self.store, self.unit.claim.take)

    def next(self, now: datetime.datetime = NOW, most: int = 100) -> list[int]:
        return [one.number for one in self.pending.next(now, most=most) if not self.pending.is_blocked(one, now)]

    def change(self, *numbers: int, **values: object) -> None:
        """Store what became of deliveries."""
        with self.store.write("") as connection:
            connection.execute(update(states).where(states.c.number.in_(numbers)).values(**values))

    def adopt(self, number: int, member: str) -> None:
        with self.store.write("") as connection:
            connection.execute(update(deliveries).where(deliveries.c.number == number).values(member=member))

    def release(self) -> None:
        """Claim nobody any more."""
        self.unit.claim.release(())


@pytest.fixture
def inbox_url(postgresql: PostgreSQL) -> str:
    """An inbox with deliveries 1, 3, 5 of one member and 2, 4, 6 of another."""

    async def fill() -> None:
        async with filled(url, []) as inbox:
            bodies = payloads(6, members=1)
            await inbox.append([examine(one).replace(member=(B, A)[place % 2 == 0]) for place, one in enumerate(bodies)])

    url = postgresql.url()
    asyncio.run(fill())
    return url


@pytest.fixture
def processes(inbox_url: str) -> Generator[tuple[Process, Process]]:
    """Two processes of this inbox."""
    with ExitStack() as stack:
        yield Process(inbox_url, stack), Process(inbox_url, stack)


def test_what_another_process_has_claimed_comes_as_that_left_it(processes: tuple[Process, Process]) -> None:
    one, other = processes
    assert one.next(most=1) == [1]
    assert other.next() == [2, 4, 6]
    other.change(2, 4, 6, state="handled")
    other.release()
    assert other.next() == []
    assert other.pending.earliest_retry() is not None  # it is looked at again
    one.change(1, state="parked")
    one.release()
    assert other.next() == [3, 5]
    assert one.next() == []


def test_a_process_that_shares_takes_much_of_one_member(processes: tuple[Process, Process]) -> None:
    one, other = processes
    assert one.next(most=1) == [1]
    assert other.next(most=2) == [2, 4]  # since 1 was refused
    one.change(1, state="handled")
    one.release()
    assert one.next(most=2) == [3, 5]


def test_what_others_have_handled_is_not_waited_for(processes: tuple[Process, Process]) -> None:
    one, other = processes
    numbers = one.next()
    assert [other.next(most=1), other.next(most=1)] == [[], []]
    assert other.pending.earliest_retry() == NOW + PAUSE
    one.change(*numbers, state="handled")
    one.release()
    assert other.next(most=1) == []
    while other.pending.earliest_retry() == NOW:
        assert other.next(most=1) == []
    assert other.pending.earliest_retry() is None  # as if it had remembered nothing


def test_a_retry_that_another_process_made_lets_the_member_go_on(processes: tuple[Process, Process]) -> None:
    one, other = processes
    assert one.next(most=1) == [1]
    one.change(1, retry_at=SOON)
    one.release()
    assert other.next() == [2, 4, 6]  # 1 is not due, so 3 and 5 wait
    other.release()
    one.change(1, state="handled", retry_at=None)
    assert other.next(NOW) == []
    assert other.next(LATER) == [3, 5]


def test_claims_end_with_the_connection(processes: tuple[Process, Process]) -> None:
    one, other = processes
    assert one.next() == [1, 2, 3, 4, 5, 6]
    assert other.next() == []
    pid = one.unit.transaction.driver.info.backend_pid
    with psycopg.connect(one.store.url.set(drivername="postgresql").render_as_string(False), autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])
    assert other.next() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(OperationalError):
        one.unit.claim.release(())


def test_what_was_handled_with_a_claim_that_is_lost_is_claimed_by_nobody_until_it_is_committed_or_not(
    processes: tuple[Process, Process],
) -> None:
    one, other = processes
    with one.store.engine.begin() as committing:
        keep_claim(committing, A)
        assert other.next() == [2, 4, 6]  # none of the member A, of whom nobody else has a claim
        assert other.unit.claim.take([A]) == {A}
    assert other.next(LATER) == [1, 3, 5]


def test_the_server_gives_up_a_host_that_is_lost_within_30_seconds(processes: tuple[Process, Process]) -> None:
    connection = processes[0].unit.transaction.connection()
    shown = {name: int(str(connection.scalar(text(f"SHOW tcp_{name}"))).rstrip("ms")) for name in NAMES}
    assert shown["keepalives_idle"] + shown["keepalives_interval"] * shown["keepalives_count"] < 30
    assert 0 < shown["user_timeout"] < 30_000


def test_who_was_refused_holds_up_nobody_else_who_catches_up(inbox_url: str) -> None:
    with ExitStack() as stack:
        process = Process(inbox_url, stack)
        claimed = {A, B}
        process.pending = Pending(process.store, lambda owners: claimed.intersection(owners))
        assert process.next(most=1) == []
        claimed.remove(B)
        assert process.next(most=1) == [2]
        claimed.add(B)
        claimed.remove(A)
        assert process.next(most=1) == [1]


@pytest.fixture
def shared(inbox_url: str) -> Generator[Process]:
    """A process that had to pass by those of another one."""
    with ExitStack() as stack:
        process = Process(inbox_url, stack)
        process.pending = Pending(process.store, lambda owners: {A, B}.intersection(owners))
        assert process.next() == []
        yield process


async def append(inbox_url: str, *members: str | None) -> None:
    """Store one delivery more of each."""
    async with filled(inbox_url, []) as inbox:
        bodies = payloads(len(members), members=1)
        await inbox.append([examine(body).replace(member=one) for body, one in zip(bodies, members, strict=True)])


def test_a_retry_comes_before_what_was_read_of_its_member_beyond_others(shared: Process, inbox_url: str) -> None:
    asyncio.run(append(inbox_url, *"cdcdc"))  # 7 to 11
    shared.change(9, state="parked")
    found = shared.pending.next(NOW, most=2)
    assert [one.number for one in found] == [7, 11]
    shared.change(9, state="pending", retried=1)
    assert shared.next(most=0) == []
    assert [shared.pending.is_blocked(one, NOW) for one in found] == [False, True]
    shared.change(7, state="handled")
    assert shared.next(most=2) == [9, 11]


def test_what_turns_out_to_be_of_a_member_waits_for_what_is_not_read_yet(shared: Process, inbox_url: str) -> None:
    asyncio.run(append(inbox_url, "c", "c", None))  # 7 to 9
    first, last = shared.pending.next(NOW, most=2, lanes=2)
    assert (first.number, last.number) == (7, 9)
    shared.pending.let_come_back(last.replace(member="c"))
    shared.change(7, state="handled")
    shared.adopt(9, "c")
    assert shared.next(most=2) == [8, 9]
