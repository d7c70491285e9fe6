# SPDX-License-Identifier: MIT
"""Memory holds the states of a bounded number of members; the others are in the database, and come back unchanged."""

from __future__ import annotations

import asyncio
import datetime
import sys
from collections.abc import Iterator, Sequence

import pytest
from sqlalchemy import create_engine, delete, insert

import bankhook
from bankhook.inbox import Delivery, DeliveryState, Query, examine
from bankhook.inbox._members import MembersInUse, StoredMember
from bankhook.inbox._sql.tables import members
from bankhook.inbox._sql.urls import database_url
from inbox.history import filled, found, payloads
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
                yield one, StoredMember(self.snapshots.get(one), self.since[one]) if one in self.since else None

    def keep(self, members_in_use: MembersInUse, *handled: Delivery) -> None:
        for one in handled:
            self.since.setdefault(one.member, []).append(one.body)
        for member, snapshot in members_in_use.snapshots([*members_in_use._used]):
            self.snapshots[member] = snapshot
            self.since[member] = []
        members_in_use.keep([*members_in_use._used])
        members_in_use.shrink()


def delivery(number: int, body: bytes) -> Delivery:
    return examine(body, received=NOON).replace(number=number, state=DeliveryState.HANDLED)


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
    members_in_use = MembersInUse(stored.load, bankhook.Tracker(), **limits)
    most = 0
    for number, body in enumerate(payloads(600, members=100)):
        event, one = bankhook.parse(body), delivery(number, body)
        assert one.member is not None
        members_in_use.prepare([one.member])
        assert members_in_use.of(one.member).peek(event) == whole.peek(event)
        assert members_in_use.apply(one, event) == whole.apply(event)
        stored.keep(members_in_use, one)
        most = max(most, len(members_in_use._used))
    assert 1 < most <= limits.get("members", 30)
    assert len(stored.since) == len(whole) > 50
    assert 0 < len(stored.snapshots) < len(whole)  # only of those with more than a few
    merged = bankhook.Tracker()
    for _, member in stored.load([one for one in stored.since if one is not None]):
        assert member is not None
        merged.merge(bankhook.Tracker.restore(member.state().snapshot()))
    assert merged == whole


def test_members_in_use_are_not_loaded_again_and_the_least_recently_used_goes_first() -> None:
    stored = Stored()
    members_in_use = MembersInUse(stored.load, bankhook.Tracker(), members=2)
    for member in "abacab":
        members_in_use.prepare([member])
        members_in_use.of(member)
        stored.keep(members_in_use)
    assert stored.loaded == ["a", "b", "c", "b"]


def test_what_changed_or_is_needed_stays_however_much_is_in_use() -> None:
    members_in_use = MembersInUse(Stored().load, bankhook.Tracker(), members=1)
    members_in_use.prepare("abcd")
    one = delivery(1, payloads(1)[0]).replace(member="b")
    members_in_use.apply(one, bankhook.parse(one.body))
    members_in_use.shrink({"c"})
    assert [member for member in "abcd" if member in members_in_use] == ["b", "c"]
    members_in_use.shrink({"c"}, to_none=True)
    assert [member for member in "abcd" if member in members_in_use] == ["b", "c"]
    members_in_use.keep([*members_in_use._used])
    members_in_use.shrink(to_none=True)
    assert members_in_use._bytes == len(members_in_use._used) == 0


def test_what_was_not_stored_is_forgotten() -> None:
    stored = Stored()
    members_in_use = MembersInUse(stored.load, bankhook.Tracker())
    one = delivery(1, payloads(1)[0]).replace(member="m")
    members_in_use.prepare(["m", "n"])
    members_in_use.apply(one, bankhook.parse(one.body))
    members_in_use.forget([*members_in_use._used])
    assert [*members_in_use.snapshots([*members_in_use._used])] == []
    members_in_use.prepare(["m", "n"])
    assert stored.loaded == ["m", "n", "m"]
    assert members_in_use.of("m").snapshot() == bankhook.Tracker().snapshot()


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
    strict = MembersInUse(stored.load, bankhook.Tracker())
    for one in (delivery(1, created), delivery(2, other)):
        strict.prepare([one.member or ""])
        strict.apply(one, bankhook.parse(one.body))
        stored.keep(strict, one)
    members_in_use = MembersInUse(stored.load, late)
    members = [*(one for one in stored.since if one is not None), "new"]
    members_in_use.prepare(members)
    for member in members:
        assert not members_in_use.of(member).take_options(late)
    assert not bankhook.Tracker.restore(members_in_use.of(members[0]).snapshot()).diff(tracker)


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
                    assert await inbox.retry(part, out_of_order=True) == len(part)
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
            assert await inbox.retry(Query(states=(DeliveryState.PARKED,)), out_of_order=True) == 1
            assert await inbox.drain(handlers) == 1
            assert await inbox.state_of(member) == whole.snapshot()
            more = life(4)[3]
            whole.apply(bankhook.parse(more))
            await inbox.append([examine(more)])
            assert await inbox.drain(handlers) == 1
            assert await inbox.state_of(member) == whole.snapshot()

    asyncio.run(run())


def test_a_snapshot_that_cannot_be_read_stops_its_member_only(url: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever of it comes is tried again, and parked; it can be retried once the snapshot is mended. Nothing of it is purged."""
    bodies = payloads(40, members=4)
    damaged = examine(bodies[0]).member
    numbers = [number for number, body in enumerate(bodies, 1) if examine(body).member == damaged]
    first, *rest = (number for number in numbers if number > 20)
    of_member = members.c.member == damaged

    async def run() -> None:
        calls, handlers = list[int](), bankhook.Handlers()

        @handlers.fallback
        def note(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)

        async with filled(url, bodies[:20], attempts=2) as inbox:
            await inbox.drain(handlers)
        engine = create_engine(database_url(url))
        with engine.begin() as connection:
            connection.execute(insert(members).values(member=damaged, snapshot=b"damaged", commit_number=0))
        async with filled(url, bodies[20:], attempts=2) as inbox:
            assert await inbox.drain(handlers) == 20
            assert calls == [number for number in range(1, 41) if number not in (first, *rest)]
            parked = await found(inbox, Query(states=(DeliveryState.PARKED,)))
            assert [(one.number, one.attempts) for one in parked] == [(number, 2) for number in (first, *rest)]
            assert parked[0].error is not None
            assert parked[0].error.startswith("SnapshotError\n")
            await inbox.purge(before=datetime.datetime.now(datetime.UTC))
            kept = [one.number for one in await found(inbox) if one.state is DeliveryState.HANDLED]
            assert {*kept} & {*numbers} == {number for number in numbers if number < first}
            assert len(kept) < 36
            with engine.begin() as connection:
                connection.execute(delete(members).where(of_member))
            assert await inbox.retry([first, *rest]) == await inbox.drain(handlers) == 1 + len(rest)
        engine.dispose()

    asyncio.run(run())
    parked = f"delivery {first} is parked: the state of its member raised SnapshotError ("
    assert [message for message in caplog.messages if message.startswith(parked)]


@pytest.mark.parametrize("id", ["", "m" * 250, "m" * 3000, "\0\\"])
def test_what_is_tracked_of_a_member_is_found_whatever_its_id(url: str, id: str) -> None:
    sandbox = bankhook.Sandbox(seed=1, members=1)
    event = sandbox.send_initial_transaction(sandbox.member(0))
    event = event.replace(customer=event.customer.replace(id=id))

    async def run() -> None:
        async with filled(url, [event.to_json()]) as inbox:
            assert await inbox.drain(bankhook.Handlers()) == 1
            whole = bankhook.Tracker()
            whole.apply(event)
            assert await inbox.state_of(id) == whole.snapshot()

    asyncio.run(run())


def test_what_there_is_no_room_for_is_prepared_later() -> None:
    stored = Stored()
    stored.snapshots = dict.fromkeys("abcdef", bankhook.Tracker().snapshot())
    stored.since = {member: [] for member in stored.snapshots}
    members_in_use = MembersInUse(stored.load, bankhook.Tracker(), total=4 * len(stored.snapshots["a"]))
    members_in_use.prepare("abcdef")
    assert stored.loaded == ["a", "b"]
    members_in_use.prepare("bcdef")
    assert not members_in_use.is_full
    members_in_use.prepare("ef")
    assert members_in_use.is_full
    members_in_use.shrink()
    assert [member for member in stored.snapshots if member in members_in_use] == ["c", "d", "e", "f"]
