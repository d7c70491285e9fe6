# SPDX-License-Identifier: MIT
"""A failing handler is tried again, later and later, and blocks nobody but its member; in the end its delivery is parked."""

from __future__ import annotations

import asyncio
import datetime

import pytest
from sqlalchemy import create_engine, update

import bankhook
from bankhook.inbox import DeliveryState, Inbox, OutOfOrder, Query, examine
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.pending import BATCH
from bankhook.inbox._sql.tables import states as table
from bankhook.inbox._sql.urls import database_url
from inbox.history import HANGS, Progress, filled, found, handling, payloads

HISTORY = payloads(120)
MEMBERS = [examine(body).member for body in HISTORY]
NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
PARKED = Query(states=(DeliveryState.PARKED,))


class Flaky:
    """Handlers that fail for some deliveries, so often; `calls` has the numbers of all deliveries that they got."""

    def __init__(self, failures: dict[int, int]) -> None:
        self.failures = dict(failures)
        self.calls = list[int]()
        self.handlers = bankhook.Handlers()
        self.handlers.fallback(self.handle)

    def handle(self, event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        number = context.delivery.number
        self.calls.append(number)
        if self.failures.get(number, 0) > 0:
            self.failures[number] -= 1
            raise RuntimeError(f"delivery {number} is not to be handled now")


def of_member(number: int, numbers: list[int]) -> list[int]:
    return [one for one in numbers if MEMBERS[one - 1] == MEMBERS[number - 1]]


@pytest.mark.parametrize("backoff", [datetime.timedelta(0), datetime.timedelta(milliseconds=30)])
def test_a_delivery_is_tried_again_before_later_ones_of_its_member(url: str, backoff: datetime.timedelta) -> None:
    async def run() -> None:
        flaky = Flaky({3: 2})
        async with filled(url, HISTORY, backoff=backoff) as inbox:
            assert await inbox.drain(flaky.handlers) == len(HISTORY)
            (third,) = [one for one in await found(inbox) if one.attempts]
        assert (third.number, third.state, third.attempts, third.retry_at) == (3, DeliveryState.HANDLED, 2, None)
        assert sorted(set(flaky.calls)) == list(range(1, 121))
        for member in set(MEMBERS):  # in order, each once, but for the one that failed
            calls = [one for one in flaky.calls if MEMBERS[one - 1] == member]
            assert calls == sorted(calls)
            assert len(calls) == MEMBERS.count(member) + (2 if member == MEMBERS[2] else 0)

    asyncio.run(run())


def test_what_fails_each_time_is_parked_with_its_traceback_and_the_member_goes_on(url: str) -> None:
    async def run() -> None:
        flaky = Flaky({3: 99})
        async with filled(url, HISTORY) as inbox:
            assert await inbox.drain(flaky.handlers) == len(HISTORY)
            (parked,) = await found(inbox, PARKED)
            assert (parked.number, parked.attempts, parked.retry_at) == (3, 3, None)
            assert parked.error is not None
            assert parked.error.startswith("RuntimeError\nTraceback (most recent call last):\n")
            assert parked.error.endswith("RuntimeError: delivery 3 is not to be handled now\n")
            assert await inbox.counts() == {"pending": 0, "handled": 119, "quarantined": 0, "parked": 1, "dismissed": 0}
            assert flaky.calls.count(3) == 3
            assert of_member(3, flaky.calls)[-1] == of_member(3, list(range(1, 121)))[-1]

            flaky.failures.clear()  # the cause is mended
            with pytest.raises(OutOfOrder):
                await inbox.retry([3])
            assert await inbox.retry([3], out_of_order=True) == 1
            assert await inbox.retry([3], out_of_order=True) == 0
            assert await inbox.drain(flaky.handlers) == 1
            assert (await inbox.counts())[DeliveryState.HANDLED] == 120

    asyncio.run(run())


async def until(inbox: Inbox, handlers: bankhook.Handlers, pending: int) -> None:
    """Handle until no more deliveries are pending."""
    running = asyncio.create_task(inbox.run(handlers))
    progress = Progress("deliveries are handled")
    while (left := (await inbox.counts())[DeliveryState.PENDING]) > pending:
        progress.check(left)
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def handle_another(inbox: Inbox, flaky: Flaky, body: bytes, *, after: int) -> None:
    """Append another delivery after so many calls, and handle until it is handled, too."""
    running = asyncio.create_task(inbox.run(flaky.handlers))
    progress = Progress("handlers are called")
    while len(flaky.calls) < after:
        progress.check(len(flaky.calls))
        await asyncio.sleep(0.01)
    await inbox.append([examine(body)])
    progress = Progress("the other one is handled")
    while (await inbox.counts())[DeliveryState.HANDLED] == 0:
        progress.check()
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_while_a_member_waits_others_go_on_also_after_a_restart(url: str) -> None:
    async def run() -> None:
        flaky = Flaky({3: 1})
        waiting = [one for one in of_member(3, list(range(1, 121))) if one >= 3]
        async with filled(url, HISTORY, backoff=HOUR) as inbox:
            await until(inbox, flaky.handlers, len(waiting))
        assert of_member(3, flaky.calls)[-1] == 3
        flaky.calls.clear()
        other = next(body for body, member in zip(HISTORY, MEMBERS, strict=True) if member != MEMBERS[2])
        async with filled(url, [HISTORY[2], other]) as inbox:
            await until(inbox, flaky.handlers, len(waiting) + 1)
            pending = await found(inbox, Query(states=(DeliveryState.PENDING,)))
        assert flaky.calls == [122]
        assert [one.number for one in pending] == [*waiting, 121]
        assert pending[0].retry_at is not None
        assert pending[0].retry_at > datetime.datetime.now(datetime.UTC)

    asyncio.run(run())


@pytest.mark.soak
def test_any_number_of_members_waits_and_catches_up(url: str) -> None:
    async def run() -> None:
        bodies = payloads(900, members=200)
        firsts: dict[str | None, int] = {}
        for number, body in enumerate(bodies, 1):
            firsts.setdefault(examine(body).member, number)
        flaky = Flaky(dict.fromkeys(firsts.values(), 2))
        async with filled(url, bodies) as inbox:
            assert await inbox.drain(flaky.handlers) == 900
        assert len(flaky.calls) == 900 + 2 * len(firsts)
        for member in firsts:
            calls = [one for one in flaky.calls if examine(bodies[one - 1]).member == member]
            assert calls == sorted(calls)

    asyncio.run(run())


def test_of_several_that_are_retried_the_first_that_fails_again_blocks_nobody_else(url: str) -> None:
    async def run() -> None:
        bodies = payloads(3, members=1)
        other = next(body for body, member in zip(HISTORY, MEMBERS, strict=True) if member != examine(bodies[0]).member)
        flaky = Flaky(dict.fromkeys((1, 2, 3), 99))
        async with filled(url, bodies, attempts=1) as inbox:
            assert await inbox.drain(flaky.handlers) == 3
        async with filled(url, [], backoff=HOUR) as inbox:
            assert await inbox.retry(PARKED) == 3
            await asyncio.wait_for(handle_another(inbox, flaky, other, after=4), 60)
            assert [one.attempts for one in await found(inbox)] == [1, 0, 0, 0]
        assert flaky.calls == [1, 2, 3, 1, 4]

    asyncio.run(run())


def test_what_comes_is_handled_after_a_full_batch_was_caught_up(url: str) -> None:
    async def run() -> None:
        bodies = payloads(BATCH, members=1)
        flaky = Flaky(dict.fromkeys(range(1, BATCH + 1), 1))
        async with filled(url, bodies, attempts=1) as inbox:
            assert await inbox.drain(flaky.handlers) == BATCH
            assert await inbox.retry(PARKED) == BATCH
            await inbox.append([examine(b'{"event":"x"}'), examine(b'{"event":"y"}')])
            assert await inbox.drain(flaky.handlers) == BATCH + 2
        assert sorted(flaky.calls[BATCH:], key=lambda one: max(one, BATCH)) == list(range(1, BATCH + 3))  # two are nobody's

    asyncio.run(run())


def test_a_delivery_that_has_to_wait_is_not_handed_out(url: str) -> None:
    async def run() -> None:
        now = datetime.datetime.now(datetime.UTC)
        async with filled(url, payloads(3, members=1)) as inbox:
            engine = create_engine(database_url(url))
            with engine.begin() as connection:
                for number, retry_at in ((1, now - HOUR), (2, now + HOUR)):
                    retried = update(table).where(table.c.number == number)
                    connection.execute(retried.values(retry_at=retry_at))
            engine.dispose()
            await inbox.append([examine(b'{"event":"x"}')])
            async with handling(inbox) as seen:
                progress = Progress("the event of nobody is handled")
                while 4 not in seen:
                    progress.check()
                    await asyncio.sleep(0.01)
        assert seen == [1, 4]

    asyncio.run(run())


def test_a_clock_that_was_set_back_does_not_stop_a_member(url: str) -> None:
    async def run() -> None:
        async with filled(url, payloads(3, members=1)) as inbox:
            engine = create_engine(database_url(url))
            with engine.begin() as connection:
                connection.execute(update(table).values(retry_at=datetime.datetime.now(datetime.UTC) + 24 * HOUR))
            engine.dispose()
            flaky = Flaky({})
            assert await asyncio.wait_for(inbox.drain(flaky.handlers), HANGS) == 3
        assert flaky.calls == [1, 2, 3]

    asyncio.run(run())


def test_members_that_fail_all_the_time_leave_time_for_the_others(url: str) -> None:
    async def run() -> None:
        handlers, calls = bankhook.Handlers(), list[int]()

        async with filled(url, payloads(60, members=60), attempts=99, backoff=datetime.timedelta(0)) as inbox:

            @handlers.fallback
            async def fail(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
                assert context.delivery is not None
                calls.append(context.delivery.number)
                if len(calls) == 200:
                    await inbox.append([examine(b'{"event":"x"}')])
                if context.delivery.number <= 60:
                    raise RuntimeError

            running = asyncio.create_task(inbox.run(handlers))
            progress = Progress("the event of nobody is handled")
            while 61 not in calls:
                progress.check()
                await asyncio.sleep(0.01)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
        assert calls.index(61) < 320

    asyncio.run(run())


def test_unknown_events_belong_to_nobody_so_a_failing_one_blocks_nothing(url: str) -> None:
    async def run() -> None:
        flaky = Flaky({1: 99, 3: 1})
        async with filled(url, [b'{"event":"x"}', b'{"event":"y"}', b'{"event":"z"}', HISTORY[0]]) as inbox:
            assert await inbox.drain(flaky.handlers) == 4
            assert [one.number for one in await found(inbox, PARKED)] == [1]
        assert set(flaky.calls) == {1, 2, 3, 4}
        assert flaky.calls[:4] == [1, 2, 3, 4]

    asyncio.run(run())


def test_a_log_line_names_the_handler_and_the_class_of_what_it_raised(url: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        handlers = bankhook.Handlers()

        @handlers.on(bankhook.UnknownEvent, event="x")
        def quick(event: bankhook.UnknownEvent) -> None:
            pass

        @handlers.fallback(name="credit\n")
        def fails(event: bankhook.AnyEvent) -> None:
            raise ValueError("private")

        async with filled(url, [b'{"event":"x"}', b'{"event":"y"}'], attempts=2) as inbox:
            assert await inbox.drain(handlers) == 2

    asyncio.run(run())
    assert [record.getMessage() for record in caplog.records if record.name == "bankhook.inbox"] == [
        r"delivery 2 is tried again: handler 'credit\n' raised ValueError (unknown)",
        (
            r"delivery 2 is parked: handler 'credit\n' raised ValueError (unknown); "
            "`bankhook inbox deliveries --show-values URL 2` says where"
        ),
    ]


def test_time_doubles_up_to_an_hour_with_some_of_it_at_random() -> None:
    retries = Retries(60, datetime.timedelta(seconds=1), HOUR)
    for failures, seconds in [(1, 1), (2, 2), (3, 4), (12, 2048), (13, 3600), (50, 3600), (59, 3600)]:
        found_at = {retries.after(failures, NOON) for _ in range(20)}
        assert len(found_at) > 1
        for one in found_at:
            assert one is not None
            assert seconds <= (one - NOON).total_seconds() <= seconds * 1.25
    assert retries.after(60, NOON) is None
