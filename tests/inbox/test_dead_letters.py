# SPDX-License-Identifier: MIT
"""What could not be read is grouped by its rule, and is examined again when somebody asks."""

from __future__ import annotations

import asyncio
import datetime
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook.cli.commands import commands
from bankhook.inbox import Delivery, DeliveryState, Query, examine
from bankhook.inbox._sql import retrying
from inbox.history import filled
from inbox.watching import watched

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
EVENTS = [delivery.payload for delivery in bankhook.Sandbox(seed=5, members=2).deliveries(3)]


def rejected_by_an_older_version(body: bytes) -> Delivery:
    """What a version of the library that knew less would have stored."""
    return Delivery(body, NOON, (("x", "y"),), None, None, None, examine(b"{}").findings, DeliveryState.QUARANTINED)


def test_dead_letters_are_grouped_by_rule_the_most_frequent_first(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            assert list(await inbox.dead_letters()) == []
            syntax = await inbox.append([examine(b"{") for _ in range(101)])
            await inbox.append([examine(EVENTS[0])])
            (other,) = await inbox.append([examine(b"{}").replace(member="m", key="k")])
            first, second = await inbox.dead_letters()
        assert (first.rule, first.count) == (examine(b"{").findings[0].rule, 101)
        assert first.numbers == tuple(reversed(syntax[1:]))
        assert (second.count, second.numbers, second.members, second.keys) == (1, (other,), ("m",), ("k",))

    asyncio.run(run())


def test_a_dead_letter_counts_for_the_rule_for_which_it_is_rejected_not_for_a_warning_before(url: str) -> None:
    body = EVENTS[0].replace(b"{", b'{"more":1,', 1).replace(b'"customer"', b'"Customer"')

    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(body), Delivery(body, NOON, (), None, None, None, ())])
            assert await inbox.drain(bankhook.Handlers()) <= 1
            (letters,) = await inbox.dead_letters()
        assert (letters.rule, letters.count) == ("payload_fields_are_present", 2)

    assert bankhook.diagnose(body)[0].rule == "fields_are_listed"
    asyncio.run(run())


def test_a_quarantined_delivery_is_examined_again(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            given = await inbox.append([rejected_by_an_older_version(EVENTS[0]), examine(b"{"), examine(EVENTS[1])])
            assert await inbox.retry(given) == 1
            mended, still_bad, untouched = [one async for one in inbox.find()]
        expected = examine(EVENTS[0])
        assert (mended.state, mended.findings, mended.retry_at is None) == (DeliveryState.PENDING, (), False)
        assert (mended.event, mended.member, mended.key) == (expected.event, expected.member, expected.key)
        assert (mended.body, mended.received, mended.headers) == (EVENTS[0], NOON, (("x", "y"),))
        assert (still_bad.state, still_bad.findings) == (DeliveryState.QUARANTINED, examine(b"{").findings)
        assert untouched.retry_at is None

    asyncio.run(run())


def test_any_number_of_dead_letters_is_retried_at_once(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([rejected_by_an_older_version(EVENTS[n % 3]) for n in range(250)])
            await inbox.append([examine(b"[")])
            rule = examine(b"{}").findings[0].rule
            assert await inbox.retry(Query(rule="no_such_rule")) == 0
            assert await inbox.retry(Query(rule=rule)) == 250
            assert await inbox.retry(range(1000)) == 0
            assert (await inbox.counts())[DeliveryState.QUARANTINED] == 1

    asyncio.run(run())


def test_what_another_version_stored_as_an_event_is_quarantined_and_the_rest_goes_on(url: str) -> None:
    async def run() -> None:
        seen, handlers = list[bytes](), bankhook.Handlers()

        @handlers.fallback
        def see(event: bankhook.AnyEvent) -> None:
            seen.append(event.raw)

        rejected = examine(b"{").findings
        async with bankhook.inbox.open(url) as inbox:
            stored = [
                examine(EVENTS[0]),
                examine(b"{").replace(findings=(), member="m"),
                examine(b"[").replace(findings=()),
            ]
            await inbox.append(stored)
            await inbox.append([examine(EVENTS[1]), examine(b"{")])
            assert await inbox.drain(handlers) == 4
            assert sorted(seen) == sorted(EVENTS[:2])
            assert await inbox.counts() == {"pending": 0, "handled": 2, "quarantined": 3, "parked": 0, "dismissed": 0}
            found = [one async for one in inbox.find(Query(states=(DeliveryState.QUARANTINED,)))]
            assert [(one.number, one.member) for one in found] == [(2, "m"), (3, None), (5, None)]
            assert [one.findings for one in found] == [rejected, examine(b"[").findings, rejected]
            backward = [one.number async for one in inbox.find(Query(rule=rejected[0].rule), newest_first=True)]
            assert backward == [one.number for one in reversed(found) if one.findings[0].rule == rejected[0].rule]
            assert sum(letters.count for letters in await inbox.dead_letters()) == 3
            assert await inbox.retry(Query(states=(DeliveryState.QUARANTINED,))) == 0

    asyncio.run(run())


def test_many_are_retried_in_short_transactions_and_unchanged_rows_are_not_written(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([rejected_by_an_older_version(EVENTS[n % 3]) for n in range(250)])
            await inbox.append([examine(b"[") for _ in range(250)])
            with watched() as seen:
                assert await inbox.retry(Query(states=(DeliveryState.QUARANTINED,))) == 250
            assert seen.written == [201, 201, 101]  # with the states, and the row that counts retries
            assert await inbox.counts() == {"pending": 250, "handled": 0, "quarantined": 250, "parked": 0, "dismissed": 0}

    asyncio.run(run())


def test_what_was_retried_elsewhere_meanwhile_is_left_alone(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox, bankhook.inbox.open(url) as other:
            (number,) = await inbox.append([rejected_by_an_older_version(EVENTS[0])])
            changes = retrying.changes
            loop = asyncio.get_running_loop()

            def late(*read: Any) -> Any:
                """What another process does between reading and writing."""
                monkeypatch.undo()
                assert asyncio.run_coroutine_threadsafe(other.retry([number]), loop).result(60) == 1
                assert asyncio.run_coroutine_threadsafe(other.drain(bankhook.Handlers()), loop).result(60) == 1
                return changes(*read)

            monkeypatch.setattr(retrying, "changes", late)
            assert await inbox.retry([number]) == 0
            assert (await inbox.counts())[DeliveryState.HANDLED] == 1

    asyncio.run(run())


def test_what_is_still_not_an_event_is_not_in_memory_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "inbox.db")

    async def fill() -> None:
        async with filled(path, [b"[" + b" " * 100_000] * 500):
            pass

    asyncio.run(fill())
    tracemalloc.start()
    try:
        with pytest.raises(SystemExit):
            commands(["inbox", "retry", "--state", "quarantined", path])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert capsys.readouterr() == ("retried=0\n", "bankhook: 500 deliveries are still not events\n")
    assert peak < 40_000_000
