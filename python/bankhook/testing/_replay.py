# SPDX-License-Identifier: MIT
"""Runs your handlers on an inbox in processes that are killed, so that a test can look at what they did twice."""

from __future__ import annotations

import asyncio
import datetime
import inspect
import json
import os
import signal
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any
from unittest import mock

import bankhook.inbox
from bankhook._records.record import Record
from bankhook.handlers import Handlers
from bankhook.handlers._registration import Call
from bankhook.inbox._sql.unit import Unit
from bankhook.sandbox import Sandbox

__all__ = ["HandlerCall", "Replayed", "replay"]

PLACES = (3, 14, 15, 92, 6, 53, 58, 97)


class HandlerCall(Record):
    """A handler that was called."""

    handler: str
    """Its name."""
    delivery: int
    """The number of the delivery that it was called for."""
    key: str | None
    """The key of the effect; None for handlers of `on`, of errors of connections, and the fallback."""


class Replayed(Record):
    """What a replay did."""

    kills: int
    """How many processes were killed."""
    calls: tuple[HandlerCall, ...]
    """Every call, in order, those of killed processes included."""

    @property
    def repeated(self) -> tuple[HandlerCall, ...]:
        """The calls that were made more than once.

        Their effects outside of the inbox's database happened more than once, too, unless the key prevented it.
        """
        return tuple(call for call, count in Counter(self.calls).items() if count > 1)


def replay(
    handlers: Handlers,
    payloads: Iterable[bytes] | None = None,
    *,
    url: str | os.PathLike[str] | None = None,
    kill_at: Iterable[int] = PLACES,
) -> Replayed:
    """Handle deliveries in processes that are killed with signal 9, one after another, until one of them comes to the end.

    The places at which a process can be killed are: before and after each call of a handler, and before and after each
    commit. They count from 1 in each process. After the last number nothing is killed any more. Each process is a fork of
    this one, so the handlers are those of the test, but what they leave in variables is lost with the process.

    Parameters
    ----------
    handlers : Handlers
        What is called. An exception in a handler is retried as in production, without waiting.
    payloads : iterable of bytes, optional
        What was received, in order; by default 200 deliveries of the sandbox, some of them late or twice.
    url : str or os.PathLike, optional
        The inbox, as for `bankhook.inbox.open`; where your handlers write to its database, the one with your tables. By default
        a temporary file.
    kill_at : iterable of int
        The place at which the first process is killed, the second one, and so on.

    Raises
    ------
    ValueError
        If a place is less than 1.
    RuntimeError
        If a process ended in any other way; the message has its traceback.

    Examples
    --------
    >>> import bankhook
    >>> from bankhook.testing import replay
    >>> handlers = bankhook.Handlers()
    >>> @handlers.on_validated
    ... def credit(event, context): ...
    >>> replayed = replay(handlers, kill_at=[2])
    >>> replayed.kills, len(replayed.repeated)
    (1, 1)
    """
    places = [*kill_at]
    if any(place < 1 for place in places):
        raise ValueError("kill_at: expected numbers from 1 on")
    sandbox = Sandbox(seed=1, members=5, faults={"duplicate": 0.1, "reorder": 0.1})
    bodies = [one.payload for one in sandbox.deliveries(200)] if payloads is None else [*payloads]
    with tempfile.TemporaryDirectory(prefix="bankhook-replay-") as folder:
        where = Path(folder) / "inbox.db" if url is None else url
        asyncio.run(_append(where, bodies))
        calls = Path(folder) / "calls"
        calls.touch()
        kills = sum(_is_killed(where, handlers, calls, place) for place in places)
        _is_killed(where, handlers, calls, None)
        return Replayed(kills, tuple(_call(line) for line in calls.read_text().splitlines()))


def _call(line: str) -> HandlerCall:
    return HandlerCall(*json.loads(line))


async def _append(url: str | os.PathLike[str], bodies: list[bytes]) -> None:
    async with bankhook.inbox.open(url) as inbox:
        await inbox.append([bankhook.inbox.examine(body) for body in bodies])


def _is_killed(url: str | os.PathLike[str], handlers: Handlers, calls: Path, place: int | None) -> bool:
    """Handle what is pending in a process of its own; whether that was killed."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # other threads of this process have nothing to do with the child
        child = os.fork()
    if child == 0:
        _live(url, handlers, calls, place)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL and place is not None:
        return True
    if status != 0:
        error = calls.with_name("error")
        raise RuntimeError(error.read_text() if error.exists() else f"the process ended with status {status}")
    return False


def _live(url: str | os.PathLike[str], handlers: Handlers, calls: Path, place: int | None) -> None:
    """Be the child process: handle all, and never return."""
    try:
        _instrument(calls, place)
        asyncio.run(_drain(url, handlers))
    except BaseException:
        calls.with_name("error").write_text(traceback.format_exc())
        os._exit(1)
    os._exit(0)


async def _drain(url: str | os.PathLike[str], handlers: Handlers) -> None:
    async with bankhook.inbox.open(url, backoff=datetime.timedelta(0)) as inbox:
        await inbox.drain(handlers)


def _instrument(calls: Path, place: int | None) -> None:
    """Let this process, which nobody else shares, count its places, write down its calls, and kill itself."""
    left = place
    written = calls.open("a")

    def at_a_place() -> None:
        nonlocal left
        if left is not None:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def around(function: Callable[..., Any], note: Callable[..., None]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            at_a_place()
            note(*arguments)
            result = function(*arguments)
            if inspect.isawaitable(result):
                return finish(result)
            at_a_place()
            return result

        return run

    async def finish(result: Awaitable[Any]) -> None:
        await result
        at_a_place()

    def note_call(call: Call, delivery: bankhook.inbox.StoredDelivery, *_: object) -> None:
        written.write(json.dumps([call.handler.name, delivery.number, call.key]) + "\n")
        written.flush()

    mock.patch.object(Call, "run", around(Call.run, note_call)).start()
    mock.patch.object(Unit, "commit", around(Unit.commit, lambda *_: None)).start()


for _class in (HandlerCall, Replayed, replay):
    _class.__module__ = "bankhook.testing"
