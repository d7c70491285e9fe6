# SPDX-License-Identifier: MIT
"""What waits for a person is not retried after later deliveries about the same were handled, unless somebody asks for that."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Collection
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, OutOfOrder, Query, examine
from bankhook.inbox._sql import retrying
from inbox.bought import CONNECTED, CREATED, FAILED, OTHER, RECOVERED, REJECTED, VALIDATED
from inbox.history import filled, found

PARKED = Query(states=(DeliveryState.PARKED,))


def failing_once(numbers: Collection[int]) -> bankhook.Handlers:
    handlers, failures = bankhook.Handlers(), set(numbers)

    @handlers.fallback
    def fail(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        assert context.delivery is not None
        if context.delivery.number in failures:
            failures.remove(context.delivery.number)
            raise RuntimeError

    return handlers


@pytest.mark.parametrize(
    ("bodies", "fails", "later"),
    [
        ([CREATED, VALIDATED, REJECTED], {2}, {2: [3]}),
        ([CONNECTED, FAILED, RECOVERED], {2}, {2: [3]}),
        ([CONNECTED, FAILED, OTHER], {2}, {2: [3]}),  # which says what all connections are
        ([CREATED, VALIDATED, CONNECTED, FAILED, OTHER, RECOVERED], {2, 4, 5}, {4: [6], 5: [6]}),
    ],
)
def test_older_news_is_not_retried_after_newer_unless_asked_for(
    url: str, bodies: list[bankhook.AnyEvent], fails: set[int], later: dict[int, list[int]]
) -> None:
    async def run() -> None:
        handlers = failing_once(fails)
        async with filled(url, [one.raw or one.to_json() for one in bodies], attempts=1) as inbox:
            await inbox.drain(handlers)
            with pytest.raises(OutOfOrder) as raised:
                await inbox.retry(PARKED)
            assert (raised.value.later, raised.value.retried) == (later, len(fails) - len(later))
            listed = ", ".join(f"{number} (later: {numbers[0]})" for number, numbers in later.items())
            assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
            assert str(raised.value).endswith(f" not retried, because later ones about the same were handled: {listed}")
            await inbox.drain(handlers)
            assert [one.number for one in await found(inbox, PARKED)] == list(later)
            with pytest.raises(OutOfOrder):
                await inbox.retry(list(later))
            assert await inbox.retry(list(later), out_of_order=True) == len(later)
            assert await inbox.drain(handlers) == len(later)

    asyncio.run(run())


def test_what_an_older_version_could_not_read_is_not_applied_after_newer_news_either(url: str) -> None:
    async def run() -> None:
        async with filled(url, [CREATED.raw]) as inbox:
            unread = examine(b"{}").replace(body=VALIDATED.raw)
            await inbox.append([unread, examine(REJECTED.to_json()), examine(b"[")])
            await inbox.drain(bankhook.Handlers())
            with pytest.raises(OutOfOrder, match=r"1 delivery was not retried, .*: 2 \(later: 3\)"):
                await inbox.retry(Query(states=(DeliveryState.QUARANTINED,)))
            assert (await inbox.counts())[DeliveryState.QUARANTINED] == 2
            assert await inbox.retry([2, 4], out_of_order=True) == 1

    asyncio.run(run())


def test_what_somebody_else_has_dismissed_meanwhile_is_not_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        bodies = [one.raw or one.to_json() for one in (CREATED, VALIDATED, REJECTED)]
        async with filled(url, bodies, attempts=1) as inbox, bankhook.inbox.open(url) as other:
            await inbox.drain(failing_once({2}))
            changes, loop = retrying.changes, asyncio.get_running_loop()

            def late(*read: Any) -> Any:
                """What another process does between reading and writing."""
                assert asyncio.run_coroutine_threadsafe(other.dismiss([2]), loop).result(60) == 1
                return changes(*read)

            monkeypatch.setattr(retrying, "changes", late)
            assert await inbox.retry([2]) == 0

    asyncio.run(run())
