# SPDX-License-Identifier: MIT
"""Handlers of several modules in one object, and context managers around each call of a handler."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

import pytest

import bankhook
from bankhook import AnyEvent, HandlerContext, Handlers, InitialTransactionUpdate, UnknownEvent
from python.parsed import purchase

ANY: Any = bankhook
UNKNOWN = b'{"event":"reward_update"}'
within = ContextVar("within", default="")


def around(handlers: Handlers, name: str, said: list[str], *, is_async: bool = False, fails: str = "") -> None:
    """Say what happens around each call, and raise before or after it, if that is asked for."""

    @contextmanager
    def manager(context: HandlerContext) -> Generator[None]:
        before = within.set(within.get() + name)
        said.append(f"{name} before {context.handler}")
        try:
            if fails == "before":
                raise LookupError(name)
            yield
            said.append(f"{name} after {context.handler}")
        finally:
            within.reset(before)
        if fails == "after":
            raise LookupError(name)

    @asynccontextmanager
    async def manager_async(context: HandlerContext) -> AsyncGenerator[None]:
        with manager(context):
            await asyncio.sleep(0)
            yield
            await asyncio.sleep(0)

    registered = handlers.around(manager_async if is_async else manager)
    assert registered is (manager_async if is_async else manager)


def said_by(*, is_async: bool, through_loop: bool, managers: str, fails: str = "") -> tuple[Handlers, list[str], Any]:
    """Handlers within managers, each sync (s) or async (a), what they said, and the call for an event."""
    handlers, said = Handlers(), list[str]()

    def keep(event: AnyEvent) -> None:
        said.append(f"keep within {within.get()}")

    async def keep_async(event: AnyEvent) -> None:
        await asyncio.sleep(0)
        keep(event)

    for number, kind in enumerate(managers):  # the first one is registered before the handler
        around(handlers, str(number), said, is_async=kind == "a", fails=fails if number == len(managers) - 1 else "")
        if not number:
            handlers.fallback(name="keep")(keep_async if is_async else keep)

    def call() -> object:
        return asyncio.run(handlers.handle_async(UNKNOWN)) if through_loop else handlers.handle(UNKNOWN)

    return handlers, said, call


KINDS = [(False, False, "ss"), (False, True, "ss"), (True, True, "ss"), (False, True, "as"), (True, True, "sa")]


@pytest.mark.parametrize(("is_async", "through_loop", "managers"), KINDS)
def test_a_handler_is_called_within_each_of_them_the_first_outermost(
    is_async: bool, through_loop: bool, managers: str
) -> None:
    _, said, call = said_by(is_async=is_async, through_loop=through_loop, managers=managers)
    call()
    assert said == ["0 before keep", "1 before keep", "keep within 01", "1 after keep", "0 after keep"]
    assert within.get() == ""


@pytest.mark.parametrize("fails", ["before", "after"])
@pytest.mark.parametrize(("is_async", "through_loop", "managers"), KINDS)
def test_what_one_of_them_raises_the_handler_has_raised(
    is_async: bool, through_loop: bool, managers: str, fails: str
) -> None:
    handlers, said, call = said_by(is_async=is_async, through_loop=through_loop, managers=managers, fails=fails)
    before = handlers.tracker.snapshot()
    for _ in range(2):  # the event can be handled again
        said.clear()
        with pytest.raises(LookupError, match="1"):
            call()
        assert ("keep within 01" in said) == (fails == "after")
        assert "0 after keep" not in said
    assert handlers.tracker.snapshot() == before


def test_an_async_one_around_a_handler_that_is_not_needs_the_loop() -> None:
    _, said, call = said_by(is_async=False, through_loop=False, managers="a")
    with pytest.raises(TypeError, match="does not support the context manager protocol"):
        call()
    assert said == []


def test_within_one_a_coroutine_comes_of_a_function_that_says_so() -> None:
    handlers = Handlers()
    handlers.around(lambda context: nullcontext())
    handlers.fallback(name="keep")(lambda event: asyncio.sleep(0))
    with pytest.raises(TypeError, match="it has to be `async def`"):
        handlers.handle(UNKNOWN)
    asyncio.run(handlers.handle_async(UNKNOWN))


@pytest.mark.parametrize("kind", ["None", "generator", "async"])
def test_what_returns_no_context_manager_is_refused_at_once(kind: str) -> None:
    def generator(context: HandlerContext) -> Generator[None]:
        yield

    async def coroutine(context: HandlerContext) -> None:
        pass

    wrong: Any = {"None": None, "generator": generator, "async": coroutine}[kind]
    with pytest.raises(TypeError, match=r"^around: expected a function"):
        Handlers().around(wrong)


def test_included_handlers_are_called_within_their_own_and_then_the_outer_ones() -> None:
    outer, inner, deepest, said = Handlers(), Handlers(), Handlers(), list[str]()
    for name, handlers in (("c", deepest), ("b", inner), ("a", outer)):
        handlers.on(UnknownEvent, event=name)(name=name)(lambda event: said.append(within.get()))
    inner.include(deepest)
    outer.include(inner)
    for name, handlers in (("c", deepest), ("b", inner), ("a", outer)):  # also what is registered afterwards
        around(handlers, name, [])
    for name in "abc":
        outer.handle(b'{"event":"%s"}' % name.encode())
    inner.handle(b'{"event":"c"}')
    assert said == ["a", "ab", "abc", "bc"]


def test_included_handlers_are_those_of_each_kind_and_keep_their_keys() -> None:
    created, validated = purchase()
    purchases, handlers, called = Handlers(), Handlers(), list[str | None]()

    @purchases.on_validated
    def credit(event: InitialTransactionUpdate, context: HandlerContext) -> None:
        called.append(context.key)

    purchases.on(InitialTransactionUpdate, event_type="created")(name="log")(lambda event: called.append("log"))
    purchases.fallback(name="rest")(lambda event: called.append("rest"))
    handlers.include(purchases)
    handlers.on(InitialTransactionUpdate)(name="all")(lambda event: called.append("all"))
    for event in (created, validated, UNKNOWN):
        handlers.handle(event)
    key = f"credit:validated:{created.customer.id}:{created.initial_transaction.id}"
    assert called == ["log", key, "all", "rest"]
    assert purchases.tracker.members() == ()
    assert repr(purchases) == "<bankhook.Handlers: credit, log, rest>"


def test_if_one_cannot_be_included_none_is() -> None:
    handlers, other = Handlers(), Handlers()
    handlers.fallback(name="rest")(print)
    other.on_validated(name="credit")(print)
    other.on(UnknownEvent)(name="log")(print)
    other.fallback(name="other")(print)
    before = repr(handlers)
    with pytest.raises(ValueError, match=r"^other: there is a fallback already, rest$"):
        handlers.include(other)
    assert repr(handlers) == before
    assert handlers.handle(UNKNOWN).handlers == ("rest",)
    with pytest.raises(ValueError, match=r"^credit: another handler has this name"):
        other.include(other)
    with pytest.raises(TypeError, match=r"^other: expected Handlers, found builtin_function_or_method$"):
        handlers.include(ANY.parse)
