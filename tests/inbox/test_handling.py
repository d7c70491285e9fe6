# SPDX-License-Identifier: MIT
"""Handlers are called for each delivery, in order for a member; what they write is committed with the delivery's state."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import text

import bankhook
from bankhook.inbox import DeliveryState, InUse, Query, examine
from inbox.history import Ledger, filled, found, handling, payloads

HISTORY = payloads(300)


def validated(bodies: list[bytes]) -> set[str]:
    """The ids of the transactions that become validated."""
    return {transaction for _, transaction in validated_of_members(bodies)}


def validated_of_members(bodies: list[bytes]) -> set[tuple[str | None, str]]:
    """The same with the ids of their members."""
    tracker = bankhook.Tracker()
    outcomes = [(examine(body).member, tracker.apply(bankhook.parse(body))) for body in bodies]
    return {
        (member, change.id)
        for member, one in outcomes
        for change in one.changes
        if one.became("validated") and change.field == "status"
    }


def test_handlers_are_called_for_all_deliveries_and_the_state_is_that_of_one_tracker(url: str) -> None:
    async def run() -> None:
        handlers, seen = bankhook.Handlers(), list[tuple[str, int]]()

        @handlers.fallback
        def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            seen.append((event.raw.decode(), context.delivery.number))

        async with filled(url, HISTORY) as inbox:
            assert await inbox.drain(handlers) == len(HISTORY)
            assert await inbox.drain(handlers) == 0
            assert await inbox.counts() == {"pending": 0, "handled": 300, "quarantined": 0, "parked": 0, "dismissed": 0}
            assert [body.encode() for body, _ in seen] == HISTORY
            merged = bankhook.Tracker()
            for member in {one.member for one in await found(inbox)}:
                snapshot = await inbox.state_of(member or "")
                assert snapshot is not None
                merged.merge(bankhook.Tracker.restore(snapshot))
        expected = bankhook.Tracker()
        for body in HISTORY:
            expected.apply(bankhook.parse(body))
        assert merged == expected

    asyncio.run(run())


def test_what_handlers_write_is_there_once_for_each_transaction(url: str) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()

        @handlers.on_validated(name="credit")
        def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            ledger.credit(context)

        @handlers.on_validated(name="credit_async")
        async def credit_async(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            await asyncio.sleep(0)
            await ledger.credit_async(context)

        async with filled(url, [*HISTORY, *HISTORY]) as inbox:
            assert await inbox.drain(handlers) == 600
        names, found = ("credit", "credit_async"), validated_of_members(HISTORY)
        expected = {f"{name}:validated:{member}:{one}" for member, one in found for name in names}
        assert len(expected) > 20
        assert sorted(key for key, _ in ledger.rows()) == sorted(expected)

    asyncio.run(run())


@pytest.mark.parametrize("length", [20, 240, 3000])
def test_an_effect_happens_once_even_if_a_transaction_is_validated_again(url: str, length: int) -> None:
    async def run() -> None:
        sandbox, ledger, handlers = bankhook.Sandbox(seed=1, members=1), Ledger(url), bankhook.Handlers()
        sent = sandbox.send_initial_transaction(sandbox.member(0))
        done = sandbox.validate(sent.initial_transaction.id)
        created, done = (
            event.replace(initial_transaction=event.initial_transaction.replace(id="\\" * length)) for event in (sent, done)
        )
        left = done.replace(
            event_type="rejected",
            initial_transaction=done.initial_transaction.replace(status="rejected", rejection_reason="purchaseNotFound"),
        )

        @handlers.on_validated
        def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            assert context.key == f"credit:validated:{event.customer.id}:{event.initial_transaction.id}"
            ledger.credit(context)

        async with filled(url, [event.to_json() for event in (created, done, left, done)]) as inbox:
            await inbox.drain(handlers)
            await inbox.append([examine(event.to_json()) for event in (left, done)])
            assert await inbox.drain(handlers) == 2
        assert [number for _, number in ledger.rows()] == [2]

    asyncio.run(run())


def test_the_same_id_of_a_transaction_of_two_members_is_two_effects(url: str) -> None:
    """2.4: whether ids of transactions differ across members is not shown, and an effect that is skipped leaves no trace."""

    async def run() -> None:
        sandbox, handlers, credited = bankhook.Sandbox(seed=1, members=1), bankhook.Handlers(), list[str]()
        done = sandbox.validate(sandbox.send_initial_transaction(sandbox.member(0)).initial_transaction.id)
        members = [done, done.replace(customer=done.customer.replace(id="other"))]

        @handlers.on_validated
        def credit(event: bankhook.InitialTransactionUpdate) -> None:
            credited.append(event.customer.id)

        async with filled(url, [event.to_json() for event in (*members, *members)]) as inbox:
            assert await inbox.drain(handlers) == 4
        assert sorted(credited) == sorted(event.customer.id for event in members)

    asyncio.run(run())


def test_sync_handlers_run_in_a_thread_and_async_ones_on_the_loop(url: str) -> None:
    async def run() -> None:
        handlers, threads = bankhook.Handlers(), set[tuple[str, bool]]()
        main = threading.get_ident()

        @handlers.on(bankhook.InitialTransactionUpdate)
        def sync(event: bankhook.InitialTransactionUpdate) -> None:
            threads.add(("sync", threading.get_ident() == main))

        @handlers.fallback
        async def on_loop(event: bankhook.AnyEvent) -> None:
            threads.add(("async", threading.get_ident() == main))

        async with filled(url, HISTORY[:50]) as inbox:
            await inbox.drain(handlers)
        assert threads == {("sync", False), ("async", True)}

    asyncio.run(run())


def test_run_takes_what_comes_from_any_process_until_it_is_stopped(url: str) -> None:
    async def run() -> None:
        handlers, stop, seen = bankhook.Handlers(), asyncio.Event(), list[int]()
        loop = asyncio.get_running_loop()
        moved = asyncio.Event()

        @handlers.fallback
        def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            seen.append(context.delivery.number)
            loop.call_soon_threadsafe(moved.set)

        async def until(count: int) -> None:
            while len(seen) < count:
                moved.clear()
                await asyncio.wait_for(moved.wait(), 60)

        async with filled(url, HISTORY[:5]) as inbox, filled(url, []) as other:
            running = asyncio.create_task(inbox.run(handlers, stop=stop))
            await until(5)
            await inbox.append([examine(HISTORY[5])])
            await until(6)
            await other.append([examine(HISTORY[6])])
            await until(7)
            stop.set()
            await asyncio.wait_for(running, 60)
            assert seen == [1, 2, 3, 4, 5, 6, 7]
            assert (await inbox.counts())[DeliveryState.HANDLED] == 7

    asyncio.run(run())


def test_there_is_one_runner_for_an_open_inbox_and_in_sqlite_for_a_file(url: str) -> None:
    async def run() -> None:
        async with filled(url, HISTORY[:2]) as inbox, filled(url, []) as other:
            async with handling(inbox) as seen:
                if not url.startswith("postgresql"):
                    with pytest.raises(InUse, match="another inbox of this process already handles"):
                        await other.drain(bankhook.Handlers())
                with pytest.raises(InUse, match="another task"):
                    await inbox.drain(bankhook.Handlers())
            await inbox.append([examine(HISTORY[2])])
            assert await other.drain(bankhook.Handlers()) == 3 - len(seen)  # the second may have been left

    asyncio.run(run())


def test_what_is_written_without_success_is_rolled_back_for_that_delivery_only(url: str) -> None:
    async def run() -> None:
        ledger, handlers, ids = Ledger(url), bankhook.Handlers(), validated(HISTORY)
        bad = min(ids)

        @handlers.on_validated
        def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            ledger.credit(context)
            if event.initial_transaction.id == bad:
                raise RuntimeError("the ledger of this one is closed")

        async with filled(url, HISTORY, attempts=1) as inbox:
            await inbox.drain(handlers)
            (parked,) = await found(inbox, Query(states=(DeliveryState.PARKED,)))
            assert parked.key == bad
        assert {key.rpartition(":")[2] for key, _ in ledger.rows()} == ids - {bad}

    asyncio.run(run())


@pytest.mark.parametrize("how", ["commit", "swallowed"])
def test_a_handler_cannot_end_the_transaction_nor_hide_that_it_is_broken(url: str, how: str) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()

        @handlers.on_validated
        def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            ledger.credit(context)
            if how == "commit":
                context.begin().commit()
            try:
                context.begin().execute(text("SELECT no_such_column FROM credits"))
            except Exception:
                if how == "commit" or url.startswith("postgresql"):
                    return
                raise

        async with filled(url, HISTORY, attempts=1) as inbox:
            await inbox.drain(handlers)
            parked = await found(inbox, Query(states=(DeliveryState.PARKED,)))
            assert {one.key for one in parked} == validated(HISTORY)
            assert (await inbox.counts())[DeliveryState.PENDING] == 0
        assert ledger.rows() == []

    asyncio.run(run())


def test_a_handler_that_commits_in_sql_is_parked_and_what_it_committed_stays(url: str) -> None:
    async def run() -> None:
        ledger, handlers = Ledger(url), bankhook.Handlers()

        @handlers.fallback
        def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            context.begin().execute(text("INSERT INTO credits VALUES ('key', 1)"))
            if event.event == "commits":
                context.begin().execute(text("COMMIT"))

        async with filled(url, [b'{"event":"commits"}', b'{"event":"x"}'], attempts=1) as inbox:
            assert await inbox.drain(handlers) == 2
            assert [one.state.value for one in await found(inbox)] == ["parked", "handled"]
        assert len(ledger.rows()) == 2

    asyncio.run(run())


def test_a_cancelled_run_rolls_its_batch_back(url: str) -> None:
    async def run() -> None:
        ledger, handlers, waiting = Ledger(url), bankhook.Handlers(), asyncio.Event()

        @handlers.on_validated
        async def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            await ledger.credit_async(context)
            waiting.set()
            await asyncio.Event().wait()

        async with filled(url, HISTORY) as inbox:
            running = asyncio.create_task(inbox.run(handlers))
            await asyncio.wait_for(waiting.wait(), 60)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert ledger.rows() == []
            assert await inbox.drain(bankhook.Handlers()) > 0

    asyncio.run(run())
