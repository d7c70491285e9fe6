# SPDX-License-Identifier: MIT
"""Handlers in threads and in event loops: one event at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator

import pytest

from bankhook import AnyEvent, HandlerContext, Handlers, InitialTransactionUpdate
from bankhook._handlers._registration import Call
from bankhook.types import Outcome
from python.parsed import purchase

UNKNOWN = b'{"event":"reward_update"}'


def test_threads_take_turns() -> None:
    handlers, running, most = Handlers(), [0], [0]

    @handlers.fallback
    def slow(event: AnyEvent) -> None:
        running[0] += 1
        most[0] = max(most[0], running[0])
        threading.Event().wait(0.001)
        running[0] -= 1

    threads = [threading.Thread(target=lambda: [handlers.handle(UNKNOWN) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_async_handlers_are_awaited_in_turn_and_the_others_called() -> None:
    handlers, called = Handlers(), list[str]()

    @handlers.on_validated
    async def credit(event: InitialTransactionUpdate) -> None:
        called.append("begin")
        await asyncio.sleep(0.001)
        called.append("end")

    @handlers.on(InitialTransactionUpdate)
    def note(event: InitialTransactionUpdate, context: HandlerContext) -> None:
        called.append(context.handler)

    created, validated = purchase()
    other = [event.replace(initial_transaction=event.initial_transaction.replace(id="other")) for event in purchase()]

    async def main() -> None:
        await asyncio.gather(*(handlers.handle_async(event) for event in (created, validated, *other)))

    asyncio.run(main())
    assert called == ["note", "begin", "end", "note"] * 2
    asyncio.run(main())  # another event loop
    assert called == ["note", "begin", "end", "note"] * 2 + ["note"] * 4


def test_two_event_loops_never_call_a_handler_for_the_same_change(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers, called = Handlers(), list[str]()
    handlers.on_validated(name="credit")(lambda event: called.append(threading.current_thread().name))
    _, validated = purchase()
    looking, goes_on = threading.Event(), threading.Event()
    find_calls = Handlers.calls

    def calls(self: Handlers, event: AnyEvent, outcome: Outcome) -> Iterator[Call]:
        if threading.current_thread().name == "first":
            looking.set()
            goes_on.wait()
        return find_calls(self, event, outcome)

    monkeypatch.setattr(Handlers, "calls", calls)
    first = threading.Thread(target=lambda: asyncio.run(handlers.handle_async(validated)), name="first")
    first.start()
    looking.wait()
    try:
        with pytest.raises(RuntimeError, match="another event is being handled"):
            asyncio.run(handlers.handle_async(validated))
    finally:
        goes_on.set()
        first.join()
    assert called == ["first"]
    assert handlers.handle(validated).handlers == ()


def test_an_async_handler_needs_handle_async_and_nothing_is_called_before_its_error() -> None:
    handlers, called = Handlers(), list[str]()
    handlers.on_validated(name="first")(lambda event: called.append("first"))

    @handlers.on_validated
    async def second(event: InitialTransactionUpdate) -> None:
        called.append("second")

    _, validated = purchase()
    with pytest.raises(TypeError, match="second: async, so the event needs handle_async"):
        handlers.handle(validated)
    assert called == []
    assert asyncio.run(handlers.handle_async(validated)).handlers == ("first", "second")


def test_a_plain_function_that_returns_a_coroutine_is_awaited_or_an_error() -> None:
    handlers, seen = Handlers(), list[str]()

    async def see(event: AnyEvent) -> None:
        seen.append(event.event)

    handlers.fallback(name="see")(lambda event: see(event))
    with pytest.raises(TypeError, match="see: returned an awaitable"):
        handlers.handle(UNKNOWN)
    assert seen == []
    asyncio.run(handlers.handle_async(UNKNOWN))
    assert seen == ["reward_update"]


@pytest.mark.parametrize("through", [lambda one: one, asyncio.gather, asyncio.ensure_future])
def test_a_handler_that_handles_an_event_gets_an_error_instead_of_waiting_for_itself(
    through: Callable[[Coroutine[object, object, object]], Awaitable[object]],
) -> None:
    handlers, others = Handlers(), Handlers()

    @handlers.fallback
    async def pass_on(event: AnyEvent) -> None:
        await others.handle_async(event)

    @others.fallback
    async def again(event: AnyEvent) -> None:
        await through(handlers.handle_async(event))

    async def main() -> None:
        for _ in range(2):  # and it is not left busy
            with pytest.raises(RuntimeError, match="another event is being handled"):
                await asyncio.wait_for(handlers.handle_async(UNKNOWN), 60)

    asyncio.run(main())


def test_a_task_that_a_handler_made_may_handle_an_event_once_the_handler_has_ended() -> None:
    handlers, seen, tasks = Handlers(), list[str](), list[asyncio.Task[object]]()
    ended = asyncio.Event()

    async def handle_later() -> object:
        await ended.wait()
        return await handlers.handle_async(b'{"event":"later"}')

    @handlers.fallback
    async def see(event: AnyEvent) -> None:
        seen.append(event.event)
        if not tasks:
            tasks.append(asyncio.create_task(handle_later()))

    async def main() -> None:
        await handlers.handle_async(UNKNOWN)
        ended.set()
        await asyncio.wait_for(tasks[0], 60)

    asyncio.run(main())
    assert seen == ["reward_update", "later"]
