# SPDX-License-Identifier: MIT
"""A mistake in an argument of an inbox is an error that names it, and no empty answer."""

from __future__ import annotations

import asyncio
import datetime
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, Overdue, Query, examine

NAIVE = datetime.datetime(2026, 3, 1)
FAR = datetime.datetime.max.replace(tzinfo=datetime.timezone(-datetime.timedelta(hours=5)))
BODIES = [b'{"event":"one"}', b'{"event":"two"}']
MADE = examine(BODIES[0])


@pytest.mark.parametrize(
    ("ask", "error", "sentence"),
    [
        (lambda inbox: inbox.cases(kind="left_validate"), ValueError, "did you mean 'left_validated'"),
        (lambda inbox: inbox.cases(limit=-1), ValueError, "limit: expected 0 or more, found -1"),
        (lambda inbox: anext(inbox.find(limit=-1)), ValueError, "limit: expected 0 or more"),
        (lambda inbox: inbox.open_since(datetime.timedelta(days=3), limit=-1), ValueError, "limit: expected 0 or more"),
        (lambda inbox: anext(inbox.find(Query(since=NAIVE))), ValueError, "since: expected an aware datetime"),
        (lambda inbox: anext(inbox.find(Query(states=("parkd",)))), ValueError, "states: 'parkd' is .* mean 'parked'"),
        (
            lambda inbox: anext(inbox.find(Query(states="parked"))),
            TypeError,
            "states: expected a tuple of states, found str",
        ),
        (lambda inbox: anext(inbox.find(Query(states=(5,)))), TypeError, "states: expected members of DeliveryState"),  # type: ignore[arg-type]
        (lambda inbox: anext(inbox.find(newest_first="no")), TypeError, "newest_first: expected bool, found str"),
        (lambda inbox: anext(inbox.find(limit=True)), TypeError, "limit: expected int, found bool"),
        (lambda inbox: anext(inbox.find(Query(after=True))), TypeError, "after: expected int, found bool"),
        (lambda inbox: anext(inbox.find(Query(until=FAR))), ValueError, "until: expected a time that has a year in UTC"),
        (lambda inbox: anext(inbox.find(Query(member=5))), TypeError, "member: expected str, found int"),  # type: ignore[arg-type]
        (lambda inbox: anext(inbox.find("parked")), TypeError, "query: expected Query, found str"),
        (lambda inbox: inbox.state_of(5), TypeError, "member: expected str"),
        (lambda inbox: inbox.cases(member=5), TypeError, "member: expected str"),
        (lambda inbox: inbox.forget(None), TypeError, "member: expected str"),
        (lambda inbox: inbox.retry(1), TypeError, "numbers: expected a collection of int"),
        (lambda inbox: inbox.dismiss(["1"]), TypeError, "numbers: expected a collection of int"),
        (lambda inbox: inbox.settle(["1"]), TypeError, "numbers: expected a collection of int, found"),
        (lambda inbox: inbox.settle(Query()), TypeError, "numbers: expected a collection of int, found Query"),
        (lambda inbox: inbox.retry([1], out_of_order="no"), TypeError, "out_of_order: expected bool, found str"),
        (lambda inbox: inbox.retry([True]), TypeError, "numbers: expected a collection of int or a Query, found bool"),
        (lambda inbox: inbox.dismiss(""), TypeError, "numbers: expected a collection of int or a Query, found str"),
        (lambda inbox: inbox.settle(b"12"), TypeError, "numbers: expected a collection of int, found bytes"),
        (lambda inbox: inbox.append(b""), TypeError, "expected a sequence of what examine returns, found bytes"),
        (lambda inbox: inbox.append([MADE.replace(body="{}")]), TypeError, "body: expected bytes, found str"),
        (lambda inbox: inbox.append([MADE.replace(received=NAIVE)]), ValueError, "received: expected an aware datetime"),
        (lambda inbox: inbox.append([MADE.replace(headers=(("a", None),))]), TypeError, "headers: expected pairs of str"),
        (lambda inbox: inbox.append([MADE.replace(headers={"a": "b"})]), TypeError, "headers: expected a tuple of pairs"),
        (lambda inbox: inbox.append([MADE.replace(findings=("a",))]), TypeError, "findings: expected Finding, found str"),
        (lambda inbox: inbox.append([MADE.replace(member=5)]), TypeError, "member: expected str or None, found int"),
        (
            lambda inbox: inbox.run(bankhook.Handlers(), stop=threading.Event()),
            TypeError,
            "stop: expected an asyncio.Event",
        ),
        (lambda inbox: inbox.run(bankhook.Handlers(), stop=5), TypeError, "stop: expected an asyncio.Event"),
        (
            lambda inbox: inbox.run(bankhook.Handlers(), concurrency=True),
            TypeError,
            "concurrency: expected int, found bool",
        ),
        (lambda inbox: inbox.cases(kind=5), TypeError, "kind: expected CaseKind or str, found int"),
        (lambda inbox: inbox.cases(after=True), TypeError, "after: expected int, found bool"),
        (lambda inbox: inbox.append([BODIES[0]]), TypeError, "expected what examine returns, found bytes"),
        (lambda inbox: inbox.append(examine(BODIES[0])), TypeError, "expected a sequence of what examine returns"),
        (lambda inbox: inbox.run(print), TypeError, "handlers: expected Handlers, found builtin_function_or_method"),
        (lambda inbox: inbox.drain(None), TypeError, "handlers: expected Handlers, found NoneType"),
        (lambda inbox: inbox.cases(after="1"), TypeError, "after: expected int, found str"),
        (lambda inbox: inbox.cases(limit="1"), TypeError, "limit: expected int, found str"),
        (lambda inbox: inbox.retry(Query(after="1")), TypeError, "after: expected int, found str"),  # type: ignore[arg-type]
        (lambda inbox: inbox.open_since(3), TypeError, "age: expected a timedelta, found int"),
        (lambda inbox: inbox.open_since(datetime.timedelta(days=10**7)), ValueError, "age: expected"),
        (lambda inbox: inbox.open_since(datetime.timedelta(days=-(10**7))), ValueError, "age: expected"),
        (lambda inbox: inbox.open_since(datetime.timedelta(), after=3), TypeError, "after: expected what open_since"),
        (
            lambda inbox: inbox.open_since(datetime.timedelta(), after=Overdue("k", "m", NAIVE, 1)),
            ValueError,
            "after.received",
        ),
        (
            lambda inbox: inbox.open_since(datetime.timedelta(), after=Overdue("k", "m", FAR, "1")),  # type: ignore[arg-type]
            (TypeError, ValueError),
            "after",
        ),
    ],
)
def test_a_mistake_in_an_argument_is_an_error_and_no_empty_answer(
    url: str, ask: Callable[[Inbox], Awaitable[object]], error: type[Exception] | tuple[type[Exception], ...], sentence: str
) -> None:
    async def use() -> None:
        async with bankhook.inbox.open(url) as inbox:
            with pytest.raises(error, match=sentence):
                await asyncio.wait_for(ask(inbox), 60)
            assert await inbox.counts() == dict.fromkeys(DeliveryState, 0)  # nothing was stored

    asyncio.run(use())


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"attempts": 0}, ValueError),
        ({"backoff": -datetime.timedelta(hours=1)}, ValueError),
        ({"attempts": "8"}, TypeError),
        ({"backoff": 1}, TypeError),
        ({"attempts": True}, TypeError),
        ({"create": "no"}, TypeError),
        ({"spool": 5}, TypeError),
        ({"spool": ":memory:"}, ValueError),
    ],
)
def test_attempts_and_backoff_have_to_make_sense(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error, match=f"{next(iter(options))}: "):
        bankhook.inbox.open("x.db", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("url", [5, None, b"x.db", True])
def test_a_wrong_url_is_an_error_with_the_name_of_the_argument(url: Any) -> None:
    with pytest.raises(TypeError, match=f"^url: expected str or a path, found {type(url).__name__}$"):
        bankhook.inbox.open(url)


def test_states_are_taken_by_their_values_in_any_collection(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(body) for body in (b"{", BODIES[0])])
            all_asked: list[Any] = [["pending"], {"pending"}, (DeliveryState.PENDING,)]
            for asked in all_asked:
                assert [one.number async for one in inbox.find(Query(states=asked))] == [2]
            assert await inbox.dismiss(Query(states=["quarantined"])) == 1

    asyncio.run(run())


def test_a_time_without_a_zone_is_not_taken_for_one_of_here() -> None:
    with pytest.raises(ValueError, match="received: expected an aware datetime, found one without a zone"):
        examine(BODIES[0], received=NAIVE)


@pytest.mark.parametrize(("hours", "last"), [(-5, True), (5, False)])
def test_a_time_that_cannot_be_shown_in_utc_is_refused(hours: int, last: bool) -> None:
    zone = datetime.timezone(datetime.timedelta(hours=hours))
    when = (datetime.datetime.max if last else datetime.datetime.min).replace(tzinfo=zone)
    with pytest.raises(ValueError, match="received: expected a time that has a year in UTC, 1 to 9999"):
        examine(BODIES[0], received=when)
