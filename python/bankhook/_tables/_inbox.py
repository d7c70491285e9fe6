# SPDX-License-Identifier: MIT
"""An open inbox as a source of tables: its deliveries by their numbers, read by an event loop of its own."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeAlias

_BYTES = 1 << 18
_COUNT = 1 << 12
_Payload: TypeAlias = tuple[int, bytes, tuple[str | None, ...]]


class Stored(Protocol):
    """An inbox, as `bankhook.inbox.open` returns it."""

    def find(self) -> AsyncIterator[Any]: ...


class StoredInput:
    """An open inbox, read by an event loop of its own. Raises InboxError if it is not open."""

    name = "<inbox>"
    kept = ("received", "member", "key", "state", "attempts", "retry_at", "error")

    def __init__(self, inbox: Stored) -> None:
        getattr(inbox, "_check_open", lambda: None)()
        self._inbox = inbox

    def open(self, _: object) -> _Reader:
        return _Reader(self._inbox)


class _Reader:
    """Reads in a thread: the thread that asks may run an event loop, in a notebook for example."""

    position = 0  # in bytes of a file

    def __init__(self, inbox: Stored) -> None:
        self._found = inbox.find()
        self._runner = asyncio.Runner()
        self._thread: ThreadPoolExecutor | None = None

    def __del__(self) -> None:
        self.close()

    def payloads(self, *keep: str) -> list[_Payload]:
        """Return the numbers and bodies of the next deliveries, and these fields of them; none at the end."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "bankhook-tables-inbox")
        return self._thread.submit(self._runner.run, self._next(keep)).result()

    async def _next(self, keep: tuple[str, ...]) -> list[_Payload]:
        taken: list[_Payload] = []
        size = 0
        while size < _BYTES and len(taken) < _COUNT:
            try:
                delivery = await anext(self._found)
            except StopAsyncIteration:
                break
            taken.append((delivery.number, delivery.body, tuple(_text(getattr(delivery, name)) for name in keep)))
            size += len(delivery.body)
        return taken

    def close(self) -> None:
        """End the thread and its event loop."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            ended = thread.submit(self._runner.close)
        except RuntimeError:  # the interpreter ends, and its threads have ended
            self._runner.close()
        else:
            ended.result()
            thread.shutdown()


def _text(value: object) -> str | None:
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="microseconds")
    return None if value is None else str(value)
