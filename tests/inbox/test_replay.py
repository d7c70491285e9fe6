# SPDX-License-Identifier: MIT
"""`replay` kills processes that run a user's handlers: what they write in the inbox's database is there once."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

import bankhook
from bankhook.testing import HandlerCall, replay
from bankhook.testing._replay import _calls
from inbox.history import Ledger, payloads


def test_effects_in_the_inboxs_database_happen_once_and_others_may_happen_twice(url: str, tmp_path: Path) -> None:
    ledger, handlers, outside = Ledger(url), bankhook.Handlers(), tmp_path / "outside"

    @handlers.on_validated
    def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
        ledger.credit(context)
        with outside.open("a") as file:
            file.write(f"{context.key}\n")

    replayed = replay(handlers, url=url, kill_at=[2, 3, 4, 5, 9])
    assert replayed.kills == 5
    assert replayed.repeated
    rows = ledger.rows()
    assert len({key for key, _ in rows}) == len(rows)
    assert {call.key for call in replayed.calls} == {key for key, _ in rows}
    elsewhere = outside.read_text().split()
    assert set(elsewhere) == {key for key, _ in rows}
    assert len(elsewhere) > len(rows)


def test_without_kills_no_call_is_repeated(tmp_path: Path) -> None:
    handlers = bankhook.Handlers()

    @handlers.fallback
    async def see(event: bankhook.AnyEvent) -> None:
        await asyncio.sleep(0)

    replayed = replay(handlers, payloads(20), url=tmp_path / "inbox.db", kill_at=[])
    assert (replayed.kills, replayed.repeated) == (0, ())
    assert replayed.calls == tuple(HandlerCall("see", number, None, False) for number in range(1, 21))
    again = replay(handlers, payloads(3), url=tmp_path / "inbox.db", kill_at=[2, 1000])
    assert again.kills == 1  # the second process came to its end before
    assert again.repeated == (HandlerCall("see", 21, None, False),)


def test_calls_stay_in_order_if_one_fails_that_an_earlier_process_began() -> None:
    first, second = HandlerCall("first", 1, None, False), HandlerCall("second", 1, None, False)
    failed = first.replace(failed=True)
    written = [first, second, first, failed, first, second]
    lines = [json.dumps([call.handler, call.delivery, call.key, call.failed]) for call in written]
    assert _calls(lines) == [first, second, failed, first, second]


def test_a_process_that_ends_otherwise_is_an_error() -> None:
    handlers = bankhook.Handlers()

    @handlers.fallback
    def leave(event: bankhook.AnyEvent) -> None:
        os._exit(3)

    with pytest.raises(RuntimeError, match="ended with status"):
        replay(handlers, kill_at=[])
    with pytest.raises(ValueError, match="from 1 on"):
        replay(handlers, kill_at=[0])


def test_a_handler_that_fails_for_good_is_an_error_with_its_traceback() -> None:
    handlers = bankhook.Handlers()

    @handlers.fallback
    def fail(event: bankhook.AnyEvent) -> None:
        raise LookupError("the table is missing")

    with pytest.raises(RuntimeError, match=r"(?s)delivery 1 was parked.*LookupError: the table is missing"):
        replay(handlers, payloads(1), kill_at=[])


@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_that_failed_and_was_made_again_is_not_repeated_but_failed(tmp_path: Path, is_async: bool) -> None:
    handlers, once = bankhook.Handlers(), tmp_path / "once"

    def fail_once(event: bankhook.AnyEvent) -> None:
        if not once.exists():
            once.touch()
            raise LookupError

    async def fail_once_later(event: bankhook.AnyEvent) -> None:
        await asyncio.sleep(0)
        fail_once(event)

    handlers.fallback(name="see")(fail_once_later if is_async else fail_once)
    replayed = replay(handlers, payloads(1), kill_at=[])
    assert [call.failed for call in replayed.calls] == [True, False]
    assert replayed.repeated == ()


def test_it_runs_where_an_event_loop_runs() -> None:
    handlers = bankhook.Handlers()
    handlers.fallback(name="see")(lambda event: None)

    async def test() -> int:
        return replay(handlers, payloads(3), kill_at=[2]).kills

    assert asyncio.run(test()) == 1
