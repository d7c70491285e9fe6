# SPDX-License-Identifier: MIT
"""What was appended to an inbox is there, as it was, however it looks; and a failure stores nothing."""

from __future__ import annotations

import asyncio
import datetime
import sqlite3
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery, DeliveryState, Inbox, InboxError, Query, examine
from bankhook.inbox._sql import appending, queries

NOON = datetime.datetime(2026, 3, 1, 12, 0, 0, 123456, datetime.UTC)
PAYLOADS = [delivery.payload for delivery in bankhook.Sandbox(seed=5, members=4).deliveries(60)]


def arrivals(payloads: list[bytes], *, seconds: int = 1) -> list[Delivery]:
    return [examine(body, received=NOON + datetime.timedelta(seconds=n * seconds)) for n, body in enumerate(payloads)]


async def found(inbox: Inbox, query: Query | None = None, **options: object) -> list[Delivery]:
    return [delivery async for delivery in inbox.find(query, **options)]  # type: ignore[arg-type]


async def numbers(inbox: Inbox, query: Query | None = None, **options: object) -> list[int]:
    return [delivery.number for delivery in await found(inbox, query, **options)]


def test_an_inbox_keeps_what_was_appended_after_it_was_closed(url: str) -> None:
    async def run() -> None:
        sent = arrivals(PAYLOADS)
        async with bankhook.inbox.open(url) as inbox:
            given = [*await inbox.append(sent[:1]), *await inbox.append(sent[1:]), *await inbox.append([])]
        async with bankhook.inbox.open(url) as inbox:
            deliveries = await found(inbox)
        assert [one.number for one in deliveries] == given == sorted(set(given))
        for one, arrival in zip(deliveries, sent, strict=True):
            assert one == arrival.replace(number=one.number)

    asyncio.run(run())


def test_what_was_handled_is_appended_as_new(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(PAYLOADS[0]), examine(b"{")])
            await inbox.drain(bankhook.Handlers())
            before = await found(inbox)
            numbers = await inbox.append(before)
            after = (await found(inbox))[len(before) :]
        assert before[0].state is DeliveryState.HANDLED
        assert after == [
            one.replace(number=number, state=DeliveryState.QUARANTINED if one.findings else DeliveryState.PENDING)
            for number, one in zip(numbers, before, strict=True)
        ]

    asyncio.run(run())


def test_nothing_that_was_handled_was_rejected_for_a_rule(url: str) -> None:
    async def run() -> list[int]:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(b"{"), examine(PAYLOADS[0])])
            await inbox.drain(bankhook.Handlers())
            rule = examine(b"{").findings[0].rule
            assert await numbers(inbox, Query(rule=rule)) == [1]
            return await numbers(inbox, Query(rule=rule, states=(DeliveryState.HANDLED,)))

    assert asyncio.run(run()) == []


def test_what_is_not_an_event_is_quarantined_with_its_findings(url: str) -> None:
    async def run() -> None:
        payloads = [b"", b"{", b"\0\xff", bytes(range(256)) * 4000, b'{"event":"x","n":1e}', PAYLOADS[0]]
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append(arrivals(payloads))
            deliveries = await found(inbox)
            assert [one.body for one in deliveries] == payloads
            assert [one.findings for one in deliveries] == [examine(body).findings for body in payloads]
            counts = await inbox.counts()
        assert counts == {"quarantined": 5, "pending": 1, "handled": 0, "parked": 0, "dismissed": 0}

    asyncio.run(run())


HOSTILE = [
    "",
    "\0",
    "a\0b\\0000",
    "\\",
    "\\\\#",
    "\ud800",
    "\udfff\0",
    "é\U0001f600",
    "'; DROP TABLE x; --",
    "\r\n\x1b[31m",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_too_odd_to_be_stored_and_found(url: str, text: str) -> None:
    async def run() -> None:
        strange = Delivery(b"{}", NOON, ((text, text), ("x", text)), text, text, text, ())
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([*arrivals(PAYLOADS[:3]), strange])
            for query in (Query(event=text), Query(member=text), Query(key=text)):
                (one,) = await found(inbox, query)
                assert (one.headers, one.event, one.member, one.key) == (strange.headers, text, text, text)
            assert await inbox.state_of(text) is None

    asyncio.run(run())


def test_ids_of_any_length_are_stored_and_kept_apart(url: str) -> None:
    async def run() -> None:
        # What compresses badly would not fit an index of PostgreSQL.
        long = "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(50_000))
        async with bankhook.inbox.open(url) as inbox:
            given = await inbox.append([Delivery(b"{}", NOON, (), "x", long + end, "k" * 9999 + end, ()) for end in "ab"])
            for number, end in zip(given, "ab", strict=True):
                assert await numbers(inbox, Query(member=long + end)) == [number]
                assert await numbers(inbox, Query(key="k" * 9999 + end)) == [number]

    asyncio.run(run())


def test_deliveries_are_found_by_what_is_known_of_them(url: str) -> None:
    async def run() -> None:
        sent = arrivals([*PAYLOADS, b"{", b"[]"])
        async with bankhook.inbox.open(url) as inbox:
            given = await inbox.append(sent)
            by = dict(zip(given, sent, strict=True))
            for name in ("event", "member", "key"):
                value = getattr(sent[7], name)
                assert await numbers(inbox, Query(**{name: value})) == [n for n in given if getattr(by[n], name) == value]
            since, until = sent[10].received, sent[20].received.astimezone(datetime.timezone(datetime.timedelta(hours=5)))
            assert await numbers(inbox, Query(since=since, until=until)) == list(given[10:20])
            assert await numbers(inbox, Query(states=(DeliveryState.QUARANTINED,))) == list(given[-2:])
            assert await numbers(inbox, Query(rule=sent[-1].findings[0].rule, after=given[-2])) == list(given[-1:])
            assert await numbers(inbox, newest_first=True, limit=3) == list(given[:-4:-1])
            assert await numbers(inbox, Query(after=given[4]), limit=0) == []
            between = Query(after=given[2], before=given[6])
            assert await numbers(inbox, between) == list(given[3:6])
            assert await numbers(inbox, between, newest_first=True, limit=2) == [given[5], given[4]]
            assert await numbers(inbox, Query(before=given[0])) == []

    asyncio.run(run())


def test_any_number_of_deliveries_is_found_page_by_page(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            given = await inbox.append(arrivals(PAYLOADS * 5))
            assert await numbers(inbox) == list(given)
            assert await numbers(inbox, newest_first=True) == list(given[::-1])
            assert await numbers(inbox, limit=250) == list(given[:250])

    asyncio.run(run())


@pytest.mark.parametrize(("newest_first", "limit"), [(False, None), (True, None), (False, 7), (True, 7)])
def test_large_bodies_are_read_in_smaller_pages(
    url: str, newest_first: bool, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page has at least one delivery, however large that is."""
    monkeypatch.setattr(queries, "PAGE_BYTES", 10)
    bodies = [b"x" * size for size in (3, 3, 3, 3, 50, 2, 9, 1, 0, 0, 0)]
    ordered = bodies[::-1] if newest_first else bodies

    async def run() -> list[bytes]:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(body) for body in bodies])
            return [one.body async for one in inbox.find(newest_first=newest_first, limit=limit)]

    assert asyncio.run(run()) == ordered[:limit]


def test_processes_that_start_at_once_make_one_inbox(url: str) -> None:
    async def first(n: int) -> int:
        async with bankhook.inbox.open(url) as inbox:
            return (await inbox.append(arrivals(PAYLOADS[n : n + 2])))[0]

    async def run() -> None:
        starts = await asyncio.gather(*map(first, range(6)))
        assert len(set(starts)) == 6
        async with bankhook.inbox.open(url) as inbox:
            assert sum((await inbox.counts()).values()) == 12

    asyncio.run(run())


def test_what_was_sent_at_once_gets_numbers_that_follow_one_another(url: str) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as one, bankhook.inbox.open(url) as other:
            given = await asyncio.gather(*((one, other)[n % 2].append(arrivals(PAYLOADS[:3])) for n in range(20)))
            assert sorted(number for part in given for number in part) == await numbers(one)
            assert all(list(part) == list(range(part[0], part[0] + 3)) for part in given)

    asyncio.run(run())


def test_an_inbox_that_is_not_open_refuses(url: str) -> None:
    with pytest.raises(InboxError, match="not open"):
        asyncio.run(bankhook.inbox.open(url).append(arrivals(PAYLOADS[:1])))


def test_a_failed_append_stores_nothing_and_the_next_one_does(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(url) as inbox:
            broken = arrivals([*PAYLOADS[:2], b"{"])
            with monkeypatch.context() as patched, pytest.raises(InboxError) as caught:  # the third row is no row
                patched.setattr(appending, "findings_of", lambda found: {"findings": None if found else "[]", "rule": None})
                await inbox.append(broken)
            assert broken[0].member is not None
            assert broken[0].member not in str(caught.value)
            assert await numbers(inbox) == []
            assert len(await inbox.append(arrivals(PAYLOADS[:3]))) == 3

    asyncio.run(run())


def test_a_full_database_is_an_error_until_there_is_room(tmp_path: Path) -> None:
    async def run() -> None:
        from sqlalchemy import event

        limit = 40

        def restrict(connection: sqlite3.Connection, *_: object) -> None:
            connection.execute(f"PRAGMA max_page_count={limit}")

        inbox = bankhook.inbox.open(tmp_path / "inbox.db")
        event.listen(inbox.store.engine, "checkout", restrict)  # type: ignore[attr-defined]
        async with inbox:
            large = [examine(b"[" + b" " * 100_000)]
            with pytest.raises(InboxError, match="database or disk is full"):
                for _ in range(40):
                    await inbox.append(large)
            stored = len(await numbers(inbox))
            with pytest.raises(InboxError, match="database or disk is full"):
                await inbox.append(large)
            assert len(await numbers(inbox)) == stored < 3
            limit = 4000
            await inbox.append(large)
            assert len(await numbers(inbox)) == stored + 1

    asyncio.run(run())


def test_a_server_that_cannot_be_reached_is_an_error(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        async with bankhook.inbox.open(url):
            pass

    with pytest.raises(InboxError, match=r"cannot open the inbox: .*refused"):
        asyncio.run(run("postgresql://test@127.0.0.1:1/test"))
    with pytest.raises(InboxError, match="No such file or directory"):
        asyncio.run(run(f"sqlite:///{tmp_path}/no/such/folder.db"))
