# SPDX-License-Identifier: MIT
"""An inbox that is opened, closed, opened again, and asked for what it does not have."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
import os
import sqlite3
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, InboxError, Overdue, Query, examine
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.urls import shown
from inbox.history import HANGS

NAIVE = datetime.datetime(2026, 3, 1)
FAR = datetime.datetime.max.replace(tzinfo=datetime.timezone(-datetime.timedelta(hours=5)))
BODIES = [b'{"event":"one"}', b'{"event":"two"}']
MADE = examine(BODIES[0])


async def filled(inbox: Inbox) -> None:
    await inbox.append([examine(body) for body in BODIES])


def test_an_inbox_that_was_closed_is_opened_again_even_in_another_event_loop(url: str) -> None:
    inbox = bankhook.inbox.open(url)

    async def use() -> int:
        async with inbox:
            await filled(inbox)
            await inbox.drain(bankhook.Handlers())
        async with inbox:
            return (await inbox.counts())[DeliveryState.HANDLED]

    assert [asyncio.run(use()), asyncio.run(use())] == [2, 4]


def test_an_inbox_that_could_not_be_opened_is_opened_once_its_file_is_there(tmp_path: Path) -> None:
    path = tmp_path / "inbox.db"

    async def use() -> None:
        late = bankhook.inbox.open(path, create=False)
        with pytest.raises(InboxError, match="there is no such file"):
            await late.__aenter__()
        async with bankhook.inbox.open(path) as inbox:
            await filled(inbox)
        async with late:
            assert (await late.counts())[DeliveryState.PENDING] == 2

    asyncio.run(use())


def test_an_inbox_is_opened_once_at_a_time(url: str) -> None:
    async def use() -> None:
        async with bankhook.inbox.open(url) as inbox:
            with pytest.raises(InboxError, match="is open already"):
                await inbox.__aenter__()
            await filled(inbox)  # and the first opening still counts

    asyncio.run(use())


def test_of_two_tasks_that_open_an_inbox_one_does(url: str) -> None:
    async def use() -> None:
        inbox = bankhook.inbox.open(url)
        opened = await asyncio.gather(inbox.__aenter__(), inbox.__aenter__(), return_exceptions=True)
        assert opened[0] is inbox
        assert isinstance(opened[1], InboxError)
        await inbox.__aexit__()

    asyncio.run(use())


def test_an_inbox_that_was_not_opened_is_closed(url: str, tmp_path: Path) -> None:
    asyncio.run(bankhook.inbox.open(url).__aexit__())
    asyncio.run(bankhook.inbox.open("postgresql://127.0.0.1:1/x", spool=tmp_path / "spool.db").__aexit__())


def test_without_the_driver_of_postgresql_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs psycopg: pip install 'bankhook\[postgresql\]'"):
        bankhook.inbox.open("postgresql://127.0.0.1:1/x")


def test_an_inbox_that_is_never_closed_is_a_warning_and_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    inbox = bankhook.inbox.open(tmp_path / "inbox.db")
    asyncio.run(inbox.__aenter__())
    its_own = [one for one in threading.enumerate() if one not in before and one.name.startswith("bankhook-inbox")]
    assert len(its_own) == 3
    with pytest.warns(ResourceWarning, match=r"inbox.db': open> was not closed"):
        del inbox
    for one in its_own:
        one.join(HANGS)
        assert not one.is_alive()


def test_run_ends_with_its_inbox_and_handles_nothing_afterwards(url: str) -> None:
    handlers, called = bankhook.Handlers(), list[str]()
    handlers.fallback(name="seen")(lambda event: called.append(event.event))

    async def use() -> None:
        async with bankhook.inbox.open(url) as inbox:
            running = asyncio.create_task(inbox.run(handlers))
            await filled(inbox)
            while len(called) < 2:
                await asyncio.sleep(0.01)
        with pytest.raises(InboxError):
            await asyncio.wait_for(running, 60)
        async with bankhook.inbox.open(url) as other:
            await filled(other)
            await other.drain(bankhook.Handlers())

    asyncio.run(use())
    assert called == ["one", "two"]


def test_a_new_file_and_those_beside_it_are_for_its_user_only(tmp_path: Path) -> None:
    async def use() -> set[int]:
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            await filled(inbox)
            await inbox.drain(bankhook.Handlers())
            assert {path.name for path in tmp_path.iterdir()} >= {f"inbox.db{end}" for end in ("", "-wal", "-shm")}
            return {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}

    before = os.umask(0o022)
    try:
        assert asyncio.run(use()) == {0o600}
    finally:
        os.umask(before)


def test_a_file_that_was_there_is_for_its_user_only_once_it_has_an_inbox_and_can_be_opened_to_others_then(
    tmp_path: Path,
) -> None:
    path = tmp_path / "inbox.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("create table credits (purchase text)")
    path.chmod(0o644)

    async def use(mode: int) -> None:
        async with bankhook.inbox.open(path) as inbox:
            await filled(inbox)
            found = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir()}
            assert found == {f"inbox.db{end}": mode for end in ("", "-wal", "-shm")}

    asyncio.run(use(0o600))
    path.chmod(0o640)
    asyncio.run(use(0o640))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hidden@127.0.0.1:1/x",
        "postgresql://me:hid?den@127.0.0.1:1/x",
        "postgresql://127.0.0.1:1/x?user=me&password=hidden",
    ],
)
def test_a_password_is_in_no_text(url: str, caplog: pytest.LogCaptureFixture) -> None:
    async def use(inbox: Inbox) -> str:
        with pytest.raises(InboxError) as raised:
            await inbox.__aenter__()
        return "".join(traceback.format_exception(raised.value))

    with caplog.at_level(logging.DEBUG):
        inbox = bankhook.inbox.open(url)
        texts = [repr(inbox), repr(inbox.database.engine), asyncio.run(use(inbox)), shown(url), caplog.text]  # type: ignore[attr-defined]
    assert [text for text in texts if "hid" in text] == []
    assert shown(url) == "postgresql://127.0.0.1:1/x"


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


def test_a_wait_of_any_length_is_an_hour_at_most() -> None:
    retries = Retries(8, datetime.timedelta.max)
    now = datetime.datetime.now(datetime.UTC)
    assert all(
        at is not None and at - now <= datetime.timedelta(hours=1.25) for at in map(retries.after, range(1, 8), [now] * 7)
    )


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


def test_a_store_that_fails_is_no_value_error() -> None:
    """So that a clause around a payload does not catch a full disk."""
    assert issubclass(InboxError, bankhook.BankhookError)
    assert not issubclass(InboxError, ValueError)
