# SPDX-License-Identifier: MIT
"""A handler says when its delivery is tried again, or that it never is: `Retry` and `Park`."""

from __future__ import annotations

import asyncio
import datetime
import pickle
from pathlib import Path
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook import Park, Retry
from bankhook.inbox import DeliveryState, Inbox, Query, examine
from cli.command import run as run_command
from inbox.history import HANGS, Ledger, Progress, filled, found, payloads

HISTORY = payloads(6, members=1)
NOW = datetime.datetime.now(datetime.UTC)
SECOND, DAY = datetime.timedelta(seconds=1), datetime.timedelta(days=1)
PARKED = Query(states=("parked",))


class Asking:
    """Handlers that raise these errors one after another for the second delivery; `calls` has the number of each call."""

    def __init__(self, ledger: Ledger, *errors: Exception, is_async: bool = False, begins: bool = False) -> None:
        self.calls = list[int]()
        self.handlers = bankhook.Handlers()
        left = list(errors)

        def end(context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            self.calls.append(context.delivery.number)
            if context.delivery.number == 2 and left:
                raise left.pop(0)

        def handle(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            if begins:
                ledger.credit(context.replace(key="key"))
            end(context)

        async def handle_async(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            if begins:
                await ledger.credit_async(context.replace(key="key"))
            end(context)

        self.handlers.fallback(name="handle")(handle_async if is_async else handle)


@pytest.mark.parametrize("spool", [None, "spool.db"])
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("begins", [False, True])
def test_what_is_to_be_tried_again_is_no_attempt_and_its_member_waits(
    url: str, tmp_path: Path, spool: str | None, is_async: bool, begins: bool
) -> None:
    """Sooner than `backoff`, however often, at a time that is over, too; what was written is rolled back each time."""

    async def run() -> None:
        soon = Retry(SECOND / 20)
        east = datetime.timezone(datetime.timedelta(hours=14))
        over = (
            Retry(datetime.datetime.min.replace(tzinfo=datetime.UTC)),
            Retry(-DAY),
            Retry((NOW - SECOND).astimezone(east)),
        )
        asking = Asking(Ledger(url), soon, soon, *over, Park("never"), is_async=is_async, begins=begins)
        beside = None if spool is None else tmp_path / spool
        async with bankhook.inbox.open(url, attempts=1, spool=beside) as inbox:
            await inbox.append([examine(body) for body in HISTORY])
            assert await inbox.drain(asking.handlers) == 6
            (parked,) = await found(inbox, PARKED)
        assert asking.calls == [1, *[2] * 6, 3, 4, 5, 6]
        assert (parked.number, parked.attempts, parked.retry_at) == (2, 1, None)
        assert (parked.error or "").startswith("Park\n")
        assert (parked.error or "").endswith("\nbankhook.Park: never\n")
        assert [number for _, number in Ledger(url).rows()] == ([1, 3, 4, 5, 6] if begins else [])

    if spool is not None and not url.startswith("postgresql"):
        pytest.skip("a spool is beside an inbox on PostgreSQL")
    asyncio.run(run())


async def handle(inbox: Inbox, asking: Asking, state: DeliveryState, count: int) -> None:
    """Handle until so many deliveries are in a state."""
    running = asyncio.create_task(inbox.run(asking.handlers))
    progress = Progress(f"{count} deliveries are {state}")
    while (await inbox.counts())[state] < count:
        progress.check(len(asking.calls))
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.parametrize("kind", [Retry, type("Later", (Retry,), {})])
def test_a_delivery_waits_for_days_also_after_a_restart_and_others_go_on(url: str, kind: type[Retry]) -> None:
    async def run() -> None:
        asking, other = Asking(Ledger(url), kind(6 * DAY)), b'{"event":"other"}'
        begun = datetime.datetime.now(datetime.UTC)
        async with filled(url, [*HISTORY, other]) as inbox:
            await handle(inbox, asking, DeliveryState.HANDLED, 2)
        async with filled(url, [other]) as inbox:
            await handle(inbox, asking, DeliveryState.HANDLED, 3)
            second = (await found(inbox))[1]
        assert sorted(asking.calls) == [1, 2, 7, 8]
        assert second.retry_at is not None
        assert datetime.timedelta() < second.retry_at - begun - 6 * DAY < datetime.timedelta(seconds=HANGS)
        assert (second.attempts, second.state, (second.error or "")[:6]) == (0, "pending", "Retry\n")

    asyncio.run(run())


def test_what_is_never_handled_is_parked_when_it_is_older_than_give_up(url: str) -> None:
    async def run() -> None:
        asking = Asking(Ledger(url), *[Retry(SECOND / 50)] * 10_000)
        async with bankhook.inbox.open(url, attempts=1, give_up=SECOND) as inbox:
            await inbox.append([examine(body) for body in HISTORY])
            await inbox.append([examine(b'{"event":"old"}', received=NOW - DAY)])
            async with asyncio.timeout(HANGS):
                assert await inbox.drain(asking.handlers) == 7
            (parked,) = await found(inbox, PARKED)
        assert asking.calls.count(2) > 1
        assert (parked.number, parked.attempts, asking.calls[-1]) == (2, 1, 6)

    asyncio.run(run())


class Careless(Retry):
    """A class of a user that does not call what it inherits."""

    def __init__(self, *arguments: object) -> None:
        pass


@pytest.mark.parametrize("error", [Careless(), Careless("soon"), Careless(NOW.replace(tzinfo=None))])
def test_a_class_of_ones_own_that_names_no_time_is_a_failure_like_others(url: str, error: Retry) -> None:
    async def run() -> None:
        asking = Asking(Ledger(url), *[error] * 9)
        async with filled(url, HISTORY) as inbox:
            assert await inbox.drain(asking.handlers) == 6
            assert [one.attempts for one in await found(inbox, PARKED)] == [3]

    asyncio.run(run())


def test_a_long_reason_is_cut_and_none_of_its_characters_is_one_for_a_terminal(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with filled(url, HISTORY) as inbox:
            assert await inbox.drain(Asking(Ledger(url), Park("\0\x1b[2J\ud800é\r\n" * 100_000)).handlers) == 6
            (parked,) = await found(inbox, PARKED)
        assert (parked.error or "").endswith("bankhook.Park: " + ("\0\x1b[2J\ud800é\r\n" * 100)[:500] + "\n")
        assert len(parked.error or "") < 5_000

    asyncio.run(run())
    assert "2J" not in caplog.text
    shown = run_command("inbox", "deliveries", "--state", "parked", "--show-values", url).out
    assert "2J" in shown
    assert not {"\0", "\x1b", "\r"} & {*shown}


@pytest.mark.parametrize(
    ("make", "argument", "error"),
    [
        (Retry, datetime.timedelta(days=365), "after: expected 7 days at most"),
        (Retry, datetime.timedelta.max, "after: expected 7 days at most"),
        (Retry, datetime.datetime.max.replace(tzinfo=datetime.UTC), "after: expected 7 days at most"),
        (Retry, NOW.replace(tzinfo=None), "after: expected an aware datetime, found one without a zone"),
        (Retry, 60, "after: expected a timedelta or an aware datetime, found int"),
        (Park, None, "why: expected str, found NoneType"),
    ],
)
def test_anything_but_a_time_or_a_text_is_refused_where_it_is_raised(make: Any, argument: object, error: str) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        make(argument)
    assert str(raised.value) == error


def test_they_are_no_errors_of_the_library_and_can_be_copied() -> None:
    for one in (Retry(SECOND), Park("why")):
        assert not isinstance(one, bankhook.BankhookError)
        assert pickle.loads(pickle.dumps(one)).args == one.args


def test_without_an_inbox_whoever_calls_the_handler_gets_them() -> None:
    handlers = bankhook.Handlers()

    @handlers.fallback
    def wait(event: bankhook.AnyEvent) -> None:
        raise Retry(SECOND)

    with pytest.raises(Retry):
        handlers.handle(HISTORY[0])
    assert handlers.tracker == bankhook.Tracker()


def test_how_long_it_goes_on_is_a_time() -> None:
    with pytest.raises(TypeError, match=r"^give_up: expected a timedelta, found int$"):
        bankhook.inbox.open("x.db", give_up=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^give_up: expected a time that is not negative$"):
        bankhook.inbox.open("x.db", give_up=-SECOND)
