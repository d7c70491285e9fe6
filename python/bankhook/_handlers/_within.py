# SPDX-License-Identifier: MIT
"""Calls of a function within context managers, which are made and entered one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, AsyncExitStack, ExitStack
from inspect import isawaitable
from typing import Any

Manager = AbstractContextManager[Any] | AbstractAsyncContextManager[Any]


def call_within(call: Callable[[], Any], managers: Iterable[AbstractContextManager[Any]]) -> Any:
    """Call it, and return what it returns."""
    with ExitStack() as stack:
        for manager in managers:
            stack.enter_context(manager)
        if isawaitable(result := call()):
            getattr(result, "close", lambda: None)()
            raise TypeError("a handler returned an awaitable: within a context manager, it has to be `async def`")
        return result


async def call_in_loop(call: Callable[[], Any], managers: Iterable[Manager]) -> Any:
    """Call it, await what it returns, and return that; managers may be async, too."""
    async with AsyncExitStack() as stack:
        for manager in managers:
            if isinstance(manager, AbstractAsyncContextManager):
                await stack.enter_async_context(manager)
            else:
                stack.enter_context(manager)
        result = call()
        return await result if isawaitable(result) else result
