# SPDX-License-Identifier: MIT
"""Memory holds the trackers of a bounded number of members; the others are in the database, and come back unchanged."""

from __future__ import annotations

import asyncio
import datetime
import sys
from collections.abc import Iterator, Sequence

import pytest

import bankhook
from bankhook.inbox import DeliveryState, Query, StoredDelivery, examine
from bankhook.inbox._members import StoredMember, Trackers
from inbox.history import filled, payloads
from inbox.watching import Watched, watched

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


class Stored:
    """What a database would hold."""

    def __init__(self) -> None:
        self.snapshots: dict[str, bytes] = {}
        self.since: dict[str | None, list[bytes]] = {}
        self.loaded = list[str]()

    def load(self, members: Sequence[str], most: int = sys.maxsize) -> Iterator[tuple[str, StoredMember | None]]:
        for one in members:
            if most > 0:
                self.loaded.append(one)
                most -= len(self.snapshots.get(one, b""))
                yield one, StoredMember(self.snapshots[one], self.since[one]) if one in self.snapshots else None

    def keep(self, trackers: Trackers, *handled: StoredDelivery) -> None:
        for one in handled:
            self.since.setdefault(one.member, []).append(one.body)
        for member, snapshot in trackers.snapshots():
            self.snapshots[member] = snapshot
            self.since[member] = []
        trackers.keep()
        trackers.shrink()


def delivery(number: int, body: bytes) -> StoredDelivery:
    arrival = examine(body)
    about = arrival.event, arrival.member, arrival.key, ()
    return StoredDelivery(number, body, NOON, (), *about, DeliveryState.HANDLED, 0, None, None)


def life(number: int) -> list[bytes]:
    """Deliveries of one member with as many transactions, each of which is created and then validated."""
    sandbox = bankhook.Sandbox(seed=1, members=1)
    member = sandbox.member(0)
    created = [sandbox.send_initial_transaction(member).raw for _ in range(number)]
    ids = [examine(body).key for body in created]
    return [*created, *(sandbox.validate(one).raw for one in ids if one is not None)]


@pytest.mark.parametrize("limits", [{"members": 10}, {"total": 20_000}])
def test_no_more_is_in_use_than_the_limit_and_the_state_is_that_of_one_tracker(limits: dict[str, int]) -> None:
    stored, whole = Stored(), bankhook.Tracker()
    trackers = Trackers(stored.load, bankhook.Tracker(), **limits)
    most = 0
    for number, body in enumerate(payloads(600, members=100)):
        event, one = bankhook.parse(body), delivery(number, body)
        assert one.member is not None
        trackers.prepare([one.member])
        assert trackers.of(one.member).peek(event) == whole.peek(event)
        assert trackers.apply(one, event) == whole.apply(event)
        stored.keep(trackers, one)
        most = max(most, len(trackers))
    assert 1 < most <= limits.get("members", 30)
    assert len(stored.snapshots) == len(whole) > 50
    merged = bankhook.Tracker()
    for _, member in stored.load(list(stored.snapshots)):
        assert member is not None
        merged.merge(member.tracker())
    assert merged == whole


def test_members_in_use_are_not_loaded_again_and_the_least_recently_used_goes_first() -> None:
    stored = Stored()
    trackers = Trackers(stored.load, bankhook.Tracker(), members=2)
    for member in "abacab":
        trackers.prepare([member])
        trackers.of(member)
        stored.keep(trackers)
    assert stored.loaded == ["a", "b", "c", "b"]


def test_what_was_not_stored_is_forgotten() -> None:
    stored = Stored()
    trackers = Trackers(stored.load, bankhook.Tracker())
    one = delivery(1, payloads(1)[0]).replace(member="m")
    trackers.prepare(["m", "n"])
    trackers.apply(one, bankhook.parse(one.body))
    trackers.forget()
    assert [*trackers.snapshots()] == []
    trackers.prepare(["m", "n"])
    assert stored.loaded == ["m", "n", "m"]
    assert len(trackers.of("m")) == 0


def test_the_options_of_the_handlers_tracker_are_those_of_every_member() -> None:
    """And what was handled with other options is not applied again with these."""
    created = life(1)[0]
    other = created.replace(b'"amount":', b'"amount":1')
    late = bankhook.Tracker(
        transaction_lifecycle=bankhook.transaction_lifecycle.with_row("created", "submitted", "created", expected=False),
        take_create=True,
    )
    tracker = bankhook.Tracker()
    for body in (created, other):
        tracker.apply(bankhook.parse(body))
    stored = Stored()
    strict = Trackers(stored.load, bankhook.Tracker())
    for one in (delivery(1, created), delivery(2, other)):
        strict.prepare([one.member or ""])
        strict.apply(one, bankhook.parse(one.body))
        stored.keep(strict, one)
    trackers = Trackers(stored.load, late)
    members = [*stored.snapshots, "new"]
    trackers.prepare(members)
    for member in members:
        assert trackers.of(member).transaction_lifecycle is late.transaction_lifecycle
        assert trackers.of(member).take_create
    assert not trackers.of(members[0]).diff(tracker)


def failing() -> bankhook.Handlers:
    handlers = bankhook.Handlers()

    @handlers.fallback
    def fail(event: bankhook.AnyEvent) -> None:
        raise RuntimeError

    return handlers


def bytes_of_snapshots(seen: Watched) -> int:
    written = 0
    for statement, parameters in seen.statements:
        if statement.startswith("INSERT INTO bankhook_members"):
            rows = parameters if isinstance(parameters, list) else [parameters]
            values = [value for row in rows for value in (row.values() if isinstance(row, dict) else row)]
            written += sum(len(value.obj) for value in values if hasattr(value, "obj"))  # as drivers wrap bytes
    return written


@pytest.mark.soak
@pytest.mark.parametrize("is_reversed", [False, True])
def test_what_is_written_of_a_member_grows_with_its_deliveries_only(url: str, is_reversed: bool) -> None:
    """Also if each is older than what was handled before."""

    async def run() -> None:
        bodies = life(600)
        parts = [range(start, start + 25) for start in range(1, len(bodies), 25)]
        async with filled(url, bodies, attempts=1) as inbox:
            assert await inbox.drain(failing()) == len(bodies)
            whole = bankhook.Tracker()
            with watched() as seen:
                for part in reversed(parts) if is_reversed else parts:
                    assert await inbox.retry(part) == len(part)
                    assert await inbox.drain(bankhook.Handlers()) == len(part)
                    for number in part:
                        whole.apply(bankhook.parse(bodies[number - 1]))
            member = examine(bodies[0]).member
            assert member is not None
            assert await inbox.state_of(member) == whole.snapshot()
        assert 0 < bytes_of_snapshots(seen) < 2 * sum(map(len, bodies))

    asyncio.run(run())


def test_a_delivery_that_is_handled_late_is_in_the_state_at_its_place(url: str) -> None:
    """One that was parked is applied after those that came since, and so it is after a restart."""

    async def run() -> None:
        bodies = life(3)
        late = bodies[0].replace(b'"amount":', b'"amount":1')  # the same transaction, with another amount
        whole = bankhook.Tracker()
        for body in (*bodies, late):
            whole.apply(bankhook.parse(body))
        handlers, is_broken = bankhook.Handlers(), True

        @handlers.fallback
        def fail(event: bankhook.AnyEvent) -> None:
            if is_broken and event.raw == late:
                raise RuntimeError

        member = examine(late).member
        assert member is not None
        async with filled(url, [late, *bodies], attempts=1) as inbox:
            assert await inbox.drain(handlers) == 7
            is_broken = False
            assert await inbox.retry(Query(states=(DeliveryState.PARKED,))) == 1
            assert await inbox.drain(handlers) == 1
            assert await inbox.state_of(member) == whole.snapshot()
            more = life(4)[3]
            whole.apply(bankhook.parse(more))
            await inbox.append([examine(more)])
            assert await inbox.drain(handlers) == 1
            assert await inbox.state_of(member) == whole.snapshot()

    asyncio.run(run())


def test_what_there_is_no_room_for_is_prepared_later() -> None:
    stored = Stored()
    stored.snapshots = dict.fromkeys("abcdef", bankhook.Tracker().snapshot())
    stored.since = {member: [] for member in stored.snapshots}
    trackers = Trackers(stored.load, bankhook.Tracker(), total=4 * len(stored.snapshots["a"]))
    trackers.prepare("abcdef")
    assert stored.loaded == ["a", "b"]
    trackers.prepare("bcdef")
    assert not trackers.is_full
    trackers.prepare("ef")
    assert trackers.is_full
    trackers.shrink()
    assert [member for member in stored.snapshots if member in trackers] == ["c", "d", "e", "f"]
