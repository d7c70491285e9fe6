# SPDX-License-Identifier: MIT
"""Handlers are called again for what was handled: in each member's order, with what it meant then, and each effect once."""

from __future__ import annotations

import asyncio
import datetime
import random
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import bankhook
from bankhook import AnyEvent, HandlerContext, Handlers
from bankhook.inbox import Query, Reprocessed, examine
from inbox.history import HANGS, ROUNDS, Ledger, filled, found, payloads
from inbox.reprocessing import Called, what

HISTORY = payloads(120, members=6, faults=bankhook.sandbox.Faults(duplicate=0.1, reorder=0.1))
MEMBERS = [examine(body).member for body in HISTORY]
NOBODYS = b'{"event":"of nobody"}'
TESTS = Path(__file__).parents[1]
LATER = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)


def recording(*, broken: int | None = None) -> tuple[Handlers, list[Called]]:
    """Handlers of two kinds, and their calls; those for one delivery fail."""
    handlers, calls = Handlers(), list[Called]()

    def note(event: AnyEvent, context: HandlerContext) -> None:
        assert context.delivery is not None
        if context.delivery.number == broken:
            raise LookupError
        calls.append((context.delivery.number, what(context)))

    async def note_async(event: AnyEvent, context: HandlerContext) -> None:
        await asyncio.sleep(0)
        note(event, context)

    handlers.on_validated(name="credit")(note)
    handlers.fallback(name="rest")(note_async)
    return handlers, calls


def by_member(calls: list[Called]) -> dict[str | None, list[Called]]:
    """The calls for each member, in their order."""
    made = defaultdict[str | None, list[Called]](list)
    for number, said in calls:
        made[MEMBERS[number - 1] if number <= len(MEMBERS) else None].append((number, said))
    return dict(made)


def test_each_is_called_as_it_was_in_the_order_of_handling_and_once_for_a_name(url: str) -> None:
    """One delivery was handled after later ones of its member: that is its place."""

    async def run() -> None:
        broken, first = recording(broken=3)
        async with filled(url, [*HISTORY, NOBODYS, b"{"], attempts=1) as inbox:
            await inbox.drain(broken)
            handlers, last = recording()
            assert await inbox.retry([3], out_of_order=True) == 1
            assert await inbox.drain(handlers) == 1
            recorded = first + last
            before = [await inbox.state_of(member or "") for member in MEMBERS], await inbox.counts(), await inbox.cases()
            for name in ("mended", "mended: twice"):
                again, calls = recording()
                each = {number for number, _ in recorded}
                assert await inbox.reprocess(again, name=name) == Reprocessed(called=len(each), skipped=0)
                assert by_member(calls) == by_member(recorded)
                assert [number for number, _ in calls if MEMBERS[number - 1 : number] == [MEMBERS[2]]][-1] == 3
                calls.clear()
                assert await inbox.reprocess(again, Query(states=("handled",)), name=name) == Reprocessed(
                    called=0, skipped=0
                )
                assert calls == []
            after = [await inbox.state_of(member or "") for member in MEMBERS], await inbox.counts(), await inbox.cases()
            assert before == after

    asyncio.run(run())


def test_what_a_worker_handles_meanwhile_is_not_handled_again(url: str) -> None:
    async def run() -> None:
        handlers, calls, loop = Handlers(), list[int](), asyncio.get_running_loop()

        @handlers.fallback
        def drain(event: AnyEvent, context: HandlerContext) -> None:
            assert context.delivery is not None
            calls.append(context.delivery.number)
            if len(calls) == 1:
                asyncio.run_coroutine_threadsafe(inbox.drain(Handlers()), loop).result(HANGS)

        async with filled(url, [*HISTORY[:60], NOBODYS]) as inbox:
            await inbox.drain(Handlers())
            await inbox.append([examine(body) for body in (*HISTORY[60:], NOBODYS)])
            assert (await inbox.reprocess(handlers, name="mended")).called == 61
            assert sorted(calls) == [*range(1, 62)]
            assert not [one async for one in inbox.find(Query(states=("pending",)))]

    asyncio.run(run())


def test_a_query_says_for_which_and_what_came_before_is_known(url: str) -> None:
    async def run() -> None:
        handlers, first = recording()
        async with filled(url, HISTORY) as inbox:
            await inbox.drain(handlers)
            again, calls = recording()
            asked = Query(after=60, member=MEMBERS[0], before=100)
            expected = [one for one in first if 60 < one[0] < 100 and MEMBERS[one[0] - 1] == MEMBERS[0]]
            assert (await inbox.reprocess(again, asked, name="x")).called == len({number for number, _ in expected})
            assert calls == expected != []

    asyncio.run(run())


def test_a_transaction_that_came_back_calls_its_handler_once_as_it_did(url: str) -> None:
    async def run() -> None:
        sandbox = bankhook.Sandbox(seed=1, members=1)
        created = sandbox.send_initial_transaction(sandbox.member(0))
        validated = sandbox.validate(created.initial_transaction.id)
        transaction = created.initial_transaction.replace(status="rejected", rejection_reason="purchaseNotFound")
        rejected = created.replace(event_type="rejected", initial_transaction=transaction)
        handlers, first = recording()
        async with filled(url, [created.raw, validated.raw, rejected.to_json(), validated.raw]) as inbox:
            await inbox.drain(handlers)
            again, calls = recording()
            await inbox.reprocess(again, name="x")
        assert [said.split()[0] for _, said in calls] == ["rest", "credit", "rest"]
        assert calls == first

    asyncio.run(run())


@pytest.mark.parametrize("round_", range(max(2, ROUNDS)))
def test_effects_are_there_once_though_it_is_killed_again_and_again_beside_a_worker(url: str, round_: int) -> None:
    chosen = random.Random(round_)

    async def run() -> None:
        handlers, first = recording()
        seen = list[int]()
        ledger = Ledger(url)
        async with filled(url, HISTORY) as inbox:
            await inbox.drain(handlers)
            worker, stop = Handlers(), asyncio.Event()

            @worker.fallback
            def note(event: AnyEvent, context: HandlerContext) -> None:
                assert context.delivery is not None
                seen.append(context.delivery.number)

            running = asyncio.create_task(inbox.run(worker, stop=stop))
            kills = 0
            while True:
                await inbox.append([examine(body) for body in HISTORY[:5]])
                status, said = await asyncio.to_thread(ends, url, chosen.randint(1, 80) if kills < 4 else 0)
                if status == 0:
                    break
                assert status == -signal.SIGKILL, said
                kills += 1
            assert said == "0 0" or int(said.split()[0]) > 0
            async with asyncio.timeout(HANGS):
                while (await inbox.counts())["pending"]:  # type: ignore[index]
                    await asyncio.sleep(0.01)
            stop.set()
            await running
        assert kills > 0
        assert sorted(ledger.rows(), key=str) == sorted(((said, number) for number, said in first), key=str)
        assert min(seen) > len(HISTORY)

    asyncio.run(run())


def ends(url: str, call: int) -> tuple[int, str]:
    """How a process ends that dies in a call, if there are so many."""
    command = [sys.executable, "-m", "inbox.reprocessing", url, str(call)]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=HANGS, check=False)
    return done.returncode, done.stdout.strip() or done.stderr


def test_members_of_whom_something_was_purged_are_skipped_until_they_are_forgotten(url: str) -> None:
    async def run() -> None:
        handlers, _ = recording()
        long_ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=9)
        old = [
            examine(body, received=long_ago) for body, member in zip(HISTORY, MEMBERS, strict=True) if member == MEMBERS[0]
        ]
        async with filled(url, []) as inbox:
            await inbox.append(old[:3])
            await inbox.append([examine(body) for body in HISTORY])
            await inbox.drain(handlers)
            await inbox.purge(before=LATER - datetime.timedelta(days=5))
            left = {one.member for one in await found(inbox)}
            again, calls = recording()
            done = await inbox.reprocess(again, name="x")
            assert done.skipped == 1
            assert {one.member for one in await found(inbox, Query()) if one.number in {number for number, _ in calls}} == (
                left - {MEMBERS[0]}
            )
            assert await inbox.reprocess(again, name="x") == Reprocessed(called=0, skipped=1)
            await inbox.forget(MEMBERS[0] or "")
            await inbox.append([one.replace(received=LATER) for one in old])
            await inbox.drain(handlers)
            assert (await inbox.reprocess(again, name="x")).called > 0
            assert (await inbox.reprocess(again, name="x")).skipped == 0

    asyncio.run(run())


@pytest.mark.parametrize("is_async", [False, True])
def test_what_a_handler_raises_ends_it_and_the_same_call_goes_on(url: str, is_async: bool) -> None:
    async def run() -> None:
        handlers, ledger, left = Handlers(), Ledger(url), [OSError("private")]

        def fail(context: HandlerContext) -> None:
            assert context.delivery is not None
            if context.delivery.number == 5 and left:
                raise left.pop()

        def credit(event: AnyEvent, context: HandlerContext) -> None:
            ledger.credit(context.replace(key="key"))
            fail(context)

        async def credit_async(event: AnyEvent, context: HandlerContext) -> None:
            await ledger.credit_async(context.replace(key="key"))
            fail(context)

        handlers.fallback(name="credit")(credit_async if is_async else credit)
        async with filled(url, HISTORY[:9]) as inbox:
            await inbox.drain(Handlers())
            with pytest.raises(OSError, match="private") as raised:
                await inbox.reprocess(handlers, name="x")
            assert raised.value.__notes__ == ["delivery 5: handler 'credit'"]
            written = len(ledger.rows())
            assert 5 not in [number for _, number in ledger.rows()]
            assert (await inbox.reprocess(handlers, name="x")).called == 9 - written
        assert [number for _, number in ledger.rows()] == [*range(1, 10)]

    asyncio.run(run())


def test_a_task_that_is_cancelled_cancels_the_handler_and_the_same_call_goes_on(url: str) -> None:
    async def run() -> None:
        handlers, ledger, waits = Handlers(), Ledger(url), asyncio.Event()

        @handlers.fallback
        async def credit(event: AnyEvent, context: HandlerContext) -> None:
            await ledger.credit_async(context.replace(key="key"))
            if context.delivery is not None and context.delivery.number == 2 and not waits.is_set():
                waits.set()
                await asyncio.sleep(HANGS)

        async with filled(url, [NOBODYS] * 3) as inbox:
            await inbox.drain(Handlers())
            running = asyncio.create_task(inbox.reprocess(handlers, name="x"))
            await waits.wait()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert [number for _, number in ledger.rows()] == [1]
            assert await inbox.reprocess(handlers, name="x") == Reprocessed(called=2, skipped=0)
        assert [number for _, number in ledger.rows()] == [1, 2, 3]

    asyncio.run(run())


def test_arguments_that_mean_nothing_are_refused(url: str) -> None:
    async def run() -> None:
        async with filled(url, []) as inbox:
            wrong: list[tuple[Any, Any, Any, str]] = [
                (None, None, "x", "handlers: expected Handlers"),
                (Handlers(), "all", "x", "query: expected Query"),
                (Handlers(), None, 5, "name: expected str"),
                (Handlers(), None, "", "name: expected a text"),
                (Handlers(), Query(states=("parked",)), "x", "states: only what was handled"),
            ]
            for handlers, query, name, message in wrong:
                with pytest.raises((TypeError, ValueError), match=message):
                    await inbox.reprocess(handlers, query, name=name)

    asyncio.run(run())
