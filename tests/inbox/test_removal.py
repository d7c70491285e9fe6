# SPDX-License-Identifier: MIT
"""What is dismissed, forgotten or purged is gone, and nothing else is: states, counts, numbers and effects stay right."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery, DeliveryState, Inbox, InboxError, Query, examine
from bankhook.inbox._sql.tables import metadata
from bankhook.inbox._sql.urls import database_url
from inbox.history import HANGS, SOON, Ledger, Progress, filled, found, payloads

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
SANDBOX = bankhook.Sandbox(seed=2, members=3)
MEMBERS = [SANDBOX.member(number) for number in range(3)]
FIRST, OTHER, _ = (member.id for member in MEMBERS)
BOUGHT = [SANDBOX.send_initial_transaction(member) for member in MEMBERS]
VALIDATED = [SANDBOX.validate(event.initial_transaction.id) for event in BOUGHT]


def on(day: int, body: bytes) -> Delivery:
    return examine(body, received=NOON + day * DAY)


def credits(url: str) -> tuple[bankhook.Handlers, Ledger]:
    handlers, ledger = bankhook.Handlers(), Ledger(url)

    @handlers.on_validated(name="credit")
    def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
        ledger.credit(context)

    return handlers, ledger


def cells(url: str) -> str:
    """All that is in the tables of the inbox."""
    engine = create_engine(database_url(url))
    with engine.connect() as connection:
        rows = [str([*row]) for table in metadata.tables.values() for row in connection.execute(table.select())]
    engine.dispose()
    return "\n".join(rows)


async def snapshots(inbox: Inbox) -> list[bytes | None]:
    return [await inbox.state_of(member.id) for member in MEMBERS]


def test_nothing_of_a_forgotten_member_is_left_and_all_of_the_others(url: str) -> None:
    async def run() -> None:
        handlers, _ = credits(url)
        broken = BOUGHT[0].raw.replace(b'"amount"', b'"Amount"')
        late = VALIDATED[0].replace(event_type="created").to_json()
        async with filled(url, [event.raw for event in BOUGHT + VALIDATED] + [late, broken]) as inbox:
            await inbox.drain(handlers)
            await inbox.append([examine(BOUGHT[0].raw), examine(b"{")])
            assert {case.member for case in await inbox.cases()} == {FIRST}
            before, numbers = await snapshots(inbox), [one.number for one in await found(inbox, Query(member=OTHER))]
            assert FIRST in cells(url)
            assert await inbox.forget(FIRST) == 5
            assert FIRST not in cells(url)
            assert await snapshots(inbox) == [None, *before[1:]]
            assert [one.number for one in await found(inbox, Query(member=OTHER))] == numbers
            assert await inbox.cases() == []
            assert await inbox.counts() == {"pending": 0, "handled": 4, "quarantined": 1, "parked": 0, "dismissed": 0}
            assert await inbox.forget(FIRST) == 0

    asyncio.run(run())


def test_a_forgotten_member_begins_again_while_handlers_run(url: str) -> None:
    """What handles deliveries has the member in memory, and must not store it again."""
    handlers, ledger = credits(url)

    async def run() -> None:
        async with filled(url, [BOUGHT[0].raw, VALIDATED[0].raw, BOUGHT[1].raw]) as inbox:
            stop = asyncio.Event()
            running = asyncio.create_task(inbox.run(handlers, stop=stop))
            await handled(inbox, 3)
            assert await inbox.forget(FIRST) == 2
            await inbox.append([examine(body.raw) for body in (VALIDATED[0], VALIDATED[1])])
            await handled(inbox, 3)
            state = await inbox.state_of(FIRST)
            assert state is not None
            assert bankhook.Tracker.restore(state) == tracked(VALIDATED[0])
            stop.set()
            await running
        assert [number for _, number in ledger.rows()] == [2, 4, 5]  # of the forgotten one, another one

    asyncio.run(run())


def test_a_member_is_forgotten_by_the_id_of_other_systems(url: str, caplog: pytest.LogCaptureFixture) -> None:
    named = BOUGHT[0].customer.external_id
    other = BOUGHT[1].replace(customer=BOUGHT[1].customer.replace(external_id=named))

    async def run() -> None:
        bodies = [BOUGHT[0].raw, VALIDATED[0].raw, BOUGHT[1].raw, b'{"event":"new"}', b"[", BOUGHT[0].raw + b" "]
        async with filled(url, bodies) as inbox:
            await inbox.drain(bankhook.Handlers())
            assert await inbox.forget(external_id=named + "0") == 0
            assert await inbox.forget(external_id=named) == 3
            assert [one.message for one in caplog.records] == 2 * [
                "2 deliveries cannot be read, also not whose they are: they stay"
            ]
            assert [one.number async for one in inbox.find()] == [3, 4, 5]
            await inbox.append([examine(BOUGHT[0].raw), examine(other.to_json())])
            with pytest.raises(InboxError, match=r"^2 members have this external id"):
                await inbox.forget(external_id=named)
            assert sum((await inbox.counts()).values()) == 5
            assert await inbox.forget(external_id=named, several=True) == 3
            assert [one.number async for one in inbox.find()] == [4, 5]
            with pytest.raises(TypeError, match=r"^member: expected none beside external_id, found str$"):
                await inbox.forget("one", external_id=named)

    asyncio.run(run())


def tracked(*events: bankhook.AnyEvent) -> bankhook.Tracker:
    tracker = bankhook.Tracker()
    for event in events:
        tracker.apply(event)
    return tracker


async def handled(inbox: Inbox, count: int) -> None:
    progress = Progress("deliveries are handled")
    while (counts := await inbox.counts())[DeliveryState.HANDLED] != count:
        progress.check(counts)
        await asyncio.sleep(0.01)


def test_what_is_tracked_outlives_the_deliveries_that_are_purged(url: str) -> None:
    bodies = payloads(250, members=40)

    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            for start in range(0, 250, 50):  # snapshots are not written with each commit
                await inbox.append([on(start // 10, body) for body in bodies[start : start + 50]])
                await inbox.drain(bankhook.Handlers())
            open_cases = {case.delivery for case in await inbox.cases()}
            members = {one.member for one in await found(inbox) if one.member is not None}
            before = {member: await inbox.state_of(member) for member in members}
            overdue = await inbox.open_since(0 * DAY)
            old = {one.number for one in await found(inbox, Query(until=NOON + 20 * DAY))}
            assert len(old) == 200
            assert await inbox.purge(before=NOON + 20 * DAY) == 200 - len(old & open_cases)
            assert {one.number for one in await found(inbox)} == {*range(201, 251)} | (old & open_cases)
            assert {member: await inbox.state_of(member) for member in members} == before
            left = [one for one in overdue if one.delivery > 200 or one.delivery in open_cases]
            assert await inbox.open_since(0 * DAY) == left
            assert 0 < len(left) < len(overdue)
            assert (await inbox.counts())[DeliveryState.HANDLED] == 50 + len(old & open_cases)
            await inbox.append([examine(bodies[-1])])
        async with bankhook.inbox.open(url) as inbox:
            assert await inbox.drain(bankhook.Handlers()) == 1
            witness = bankhook.Tracker()
            for body in [*bodies, bodies[-1]]:
                witness.apply(bankhook.parse(body))
            for member in members:
                state = await inbox.state_of(member)
                assert state is not None
                restored = bankhook.Tracker.restore(state)
                assert restored.transactions(member) == witness.transactions(member)
                assert restored.connections(member) == witness.connections(member)

    asyncio.run(run())


def test_an_effect_of_a_purged_delivery_does_not_happen_again(url: str) -> None:
    handlers, ledger = credits(url)

    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([on(0, BOUGHT[0].raw), on(0, VALIDATED[0].raw)])
            await inbox.drain(handlers)
            assert await inbox.purge(before=NOON + DAY) == 2
            assert await found(inbox) == []
            engine = create_engine(database_url(url))
            with engine.begin() as connection:  # only the keys of effects are left
                connection.execute(text("DELETE FROM bankhook_members"))
            engine.dispose()
            assert list(await inbox.append([on(2, VALIDATED[0].raw)])) == [3]  # no number is given twice
            assert await inbox.drain(handlers) == 1
        assert [number for _, number in ledger.rows()] == [2]

    asyncio.run(run())


def test_what_waits_for_handlers_or_for_a_person_is_not_purged(url: str) -> None:
    handlers = bankhook.Handlers()
    handlers.on_validated(name="fails")(lambda event: 1 / 0)

    async def run() -> None:
        async with bankhook.inbox.open(url, attempts=1, backoff=SOON) as inbox:
            first = BOUGHT[0].replace(event_type="validated", initial_transaction=VALIDATED[0].initial_transaction)
            await inbox.append([on(0, body) for body in (b"{", BOUGHT[1].raw, VALIDATED[1].raw, first.to_json())])
            await inbox.drain(handlers)
            await inbox.append([on(0, BOUGHT[2].raw)])
            states = [one.state.value for one in await found(inbox)]
            assert states == ["quarantined", "handled", "parked", "parked", "pending"]
            assert await inbox.purge(before=NOON + DAY) == 1
            assert [one.number for one in await found(inbox)] == [1, 3, 4, 5]
            assert await inbox.dismiss([1, 4, 5, 77]) == 2
            assert await inbox.purge(before=NOON) == 0
            assert await inbox.purge(before=NOON + DAY) == 2
            assert [one.number for one in await found(inbox)] == [3, 5]
            assert await inbox.counts() == {"pending": 1, "handled": 0, "quarantined": 0, "parked": 1, "dismissed": 0}

    asyncio.run(run())


def test_a_delivery_with_an_open_case_is_purged_once_that_is_settled(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([on(0, VALIDATED[0].raw)])
            await inbox.drain(bankhook.Handlers())
            (case,) = await inbox.cases()
            assert await inbox.purge(before=NOON + DAY) == 0
            assert await inbox.settle([case.number]) == 1
            assert await inbox.purge(before=NOON + DAY) == 1

    asyncio.run(run())


def test_what_is_dismissed_is_no_dead_letter_and_comes_back_by_its_number(url: str) -> None:
    async def run() -> None:
        async with filled(url, [b"{", b"[", b"{}", BOUGHT[0].raw]) as inbox:
            rule = examine(b"{}").findings[0].rule
            assert await inbox.dismiss(Query(rule=rule)) == 1
            assert await inbox.dismiss([1]) == 1
            assert [(letters.rule, letters.numbers) for letters in await inbox.dead_letters()] == [
                (examine(b"[").findings[0].rule, (2,))
            ]
            assert await inbox.retry(Query()) == 0
            engine = create_engine(database_url(url))
            with engine.begin() as connection:  # as if another version had not been able to read it
                changed = text("UPDATE bankhook_deliveries SET body = :body WHERE number = 1")
                connection.execute(changed, {"body": VALIDATED[1].raw})
            engine.dispose()
            assert await inbox.retry([1, 3]) == 1
            assert [one.state.value for one in await found(inbox)] == ["pending", "quarantined", "dismissed", "pending"]

    asyncio.run(run())


def test_what_was_deleted_is_not_in_the_file_any_more(tmp_path: Path) -> None:
    async def run() -> None:
        async with filled(tmp_path / "inbox.db", [event.raw for event in BOUGHT]) as inbox:
            await inbox.drain(bankhook.Handlers())
            await inbox.forget(FIRST)

    asyncio.run(run())
    content = (tmp_path / "inbox.db").read_bytes()
    assert (FIRST.encode() in content, OTHER.encode() in content) == (False, True)


@pytest.mark.parametrize("before", [datetime.datetime(2026, 3, 1), "2026-03-01", None])
def test_purging_needs_a_time_that_is_one(url: str, before: object) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            with pytest.raises((TypeError, ValueError), match="before: expected an aware datetime"):
                await inbox.purge(before=before)  # type: ignore[arg-type]  # which is the mistake

    asyncio.run(run())


def test_a_member_that_is_forgotten_while_it_waits_for_a_retry_is_handled_when_it_is_back(url: str) -> None:
    async def run() -> None:
        handlers, calls = bankhook.Handlers(), list[int]()

        @handlers.fallback
        def fail_once(event: bankhook.AnyEvent) -> None:
            calls.append(1)
            if len(calls) == 1:
                raise RuntimeError

        async with filled(url, [BOUGHT[0].raw], backoff=DAY) as inbox:
            running = asyncio.create_task(inbox.run(handlers))
            async with asyncio.timeout(HANGS):
                while not (await found(inbox))[0].attempts:
                    await asyncio.sleep(0.01)
                assert await inbox.forget(FIRST) == 1
                await inbox.append([examine(BOUGHT[0].raw)])
                while not (await inbox.counts())[DeliveryState.HANDLED]:
                    await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.wait([running])

    asyncio.run(run())


def test_who_forgets_a_member_of_whom_nothing_is_stored_disturbs_nobody(url: str) -> None:
    async def run() -> None:
        handlers, seen = bankhook.Handlers(), list[bytes]()

        async with filled(url, [BOUGHT[0].raw]) as inbox:

            @handlers.fallback
            async def forget_another(event: bankhook.AnyEvent) -> None:
                seen.append(event.raw)
                assert await inbox.forget(BOUGHT[0].customer.external_id) == 0
                if len(seen) == 1:
                    raise RuntimeError

            assert await inbox.drain(handlers) == 1

    asyncio.run(run())
