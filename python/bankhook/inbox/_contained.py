# SPDX-License-Identifier: MIT
"""Calls of handlers: what one raises does not end the process or the task that makes them, but for KeyboardInterrupt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from inspect import isawaitable
from typing import Any

from bankhook._handlers._registration import Call

__all__ = ["HandlerExit", "finish", "start"]


class HandlerExit(RuntimeError):
    """A handler raised what ends a process or a task, such as SystemExit; for the inbox it is a failure like others.

    KeyboardInterrupt passes: it is the user's, who stops the program while a handler runs. SystemExit also ends the process
    if a task raises it that an async handler made: asyncio hands it to the event loop.
    """


def start(call: Call, *arguments: Any) -> Awaitable[object] | None:
    """Call a handler; what it returns has to be finished if it is awaitable, also if the handler is not declared async."""
    try:
        result = call.run(*arguments)
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise _exit(error) from error
    return result if isawaitable(result) else None


async def finish(result: Awaitable[object]) -> None:
    """Await what a handler returned; a cancellation of the task that does so passes."""
    try:
        await result
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise
        raise _exit(error) from error


def _exit(error: BaseException) -> HandlerExit:
    return HandlerExit(f"a handler raised {type(error).__name__}")
