# SPDX-License-Identifier: MIT
"""Calls of handlers: what one raises does not end the process or the task that makes them, but for KeyboardInterrupt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Generator
from contextlib import contextmanager
from typing import Any


class HandlerExit(RuntimeError):
    """A handler raised what ends a process or a task, such as SystemExit; for the inbox it is a failure like others.

    KeyboardInterrupt passes: it is the user's, who stops the program while a handler runs. SystemExit also ends the process
    if a task raises it that an async handler made: asyncio hands it to the event loop.
    """


@contextmanager
def contained(task: asyncio.Task[Any] | None = None) -> Generator[None]:
    """Call a handler in this block; a cancellation of the task that awaits it passes, too."""
    try:
        yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise
        raise HandlerExit(f"a handler raised {type(error).__name__}") from error


async def finish(result: Awaitable[object]) -> None:
    """Await what a handler returned."""
    with contained(asyncio.current_task()):
        await result
