# SPDX-License-Identifier: MIT
"""Runs your handlers on an inbox in processes that are killed, so that a test can look at what they did twice."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import inspect
import itertools
import json
import os
import signal
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Awaitable, Coroutine, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import bankhook.inbox
from bankhook._handlers import Handlers
from bankhook._handlers._registration import Call
from bankhook._records.record import Record
from bankhook._sandbox import Sandbox
from bankhook.inbox import Delivery, DeliveryState, Query
from bankhook.inbox._sql import batch, engine
from bankhook.inbox._sql.unit import Transaction

POINTS = (3, 14, 15, 92, 6, 53, 58, 97)

T = TypeVar("T")


class HandlerCall(Record):
    """A handler that was called."""

    handler: str
    """Its name."""
    delivery: int
    """The number of the delivery that it was called for."""
    key: str | None
    """The key of the effect; None for handlers of `on`, of errors of connections, and the fallback."""
    failed: bool
    """Whether it raised: then what it wrote in the inbox's database was rolled back, and it was called again."""


class Replayed(Record):
    """What a replay did."""

    kills: int
    """How many processes were killed."""
    calls: tuple[HandlerCall, ...]
    """Every call, in order, those of killed processes included."""

    @property
    def repeated(self) -> tuple[HandlerCall, ...]:
        """The calls that were made more than once without failing, because a process was killed after the first.

        Their effects outside of the inbox's database happened more than once, too, unless the key prevented it.
        """
        return tuple(call for call, count in Counter(self.calls).items() if count > 1 and not call.failed)


def replay(
    handlers: Handlers,
    payloads: Iterable[bytes] | None = None,
    *,
    url: str | os.PathLike[str] | None = None,
    kill_at: Iterable[int] = POINTS,
) -> Replayed:
    """Handle deliveries in processes that are killed with signal 9, one after another, until one of them finishes.

    A process can be killed before and after each call of a handler, and before and after each commit. These points count
    from 1 in each process. After the last number nothing is killed any more. Each process is a fork of
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
        The point at which the first process is killed, the second one, and so on.

    Returns
    -------
    Replayed
        What was called, and how often the processes were killed.

    Raises
    ------
    ValueError
        If a point is less than 1.
    RuntimeError
        If a process ended in any other way, or a delivery was parked, because a handler failed for it at every attempt; the
        message has the traceback.

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
    points = [*kill_at]
    if any(point < 1 for point in points):
        raise ValueError("kill_at: expected numbers from 1 on")
    sandbox = Sandbox(seed=1, members=5, faults={"duplicate": 0.1, "reorder": 0.1})
    bodies = [one.payload for one in sandbox.deliveries(200)] if payloads is None else [*payloads]
    with tempfile.TemporaryDirectory(prefix="bankhook-replay-") as folder:
        where = Path(folder) / "inbox.db" if url is None else url
        _run(_append(where, bodies))
        calls = Path(folder) / "calls"
        calls.touch()
        kills = sum(_is_killed(where, handlers, calls, point) for point in points)
        _is_killed(where, handlers, calls, None)
        if (error := _run(_error_of_parked(where))) is not None:
            raise RuntimeError(error)
        return Replayed(kills, tuple(_calls(calls.read_text().splitlines())))


def _calls(lines: Iterable[str]) -> list[HandlerCall]:
    """The calls that were written down: a line for each that began, and one more for each that failed."""
    calls: list[HandlerCall] = []
    for line in lines:
        call = HandlerCall(*json.loads(line))
        if call.failed:
            begun = calls[::-1].index(call.replace(failed=False))  # the latest: an earlier one may have been killed
            calls[-1 - begun] = call
        else:
            calls.append(call)
    return calls


def _run(steps: Coroutine[Any, Any, T]) -> T:
    """Run them in a thread of their own, since a notebook and an async test have an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, steps).result()


async def _append(url: str | os.PathLike[str], bodies: list[bytes]) -> None:
    async with bankhook.inbox.open(url) as inbox:
        await inbox.append([bankhook.inbox.examine(body) for body in bodies])


async def _error_of_parked(url: str | os.PathLike[str]) -> str | None:
    async with bankhook.inbox.open(url) as inbox:
        async for delivery in inbox.find(Query(states=(DeliveryState.PARKED,)), limit=1):
            return f"delivery {delivery.number} was parked:\n{delivery.error}"
    return None


def _is_killed(url: str | os.PathLike[str], handlers: Handlers, calls: Path, point: int | None) -> bool:
    """Handle what is pending in a process of its own; whether that was killed."""
    with warnings.catch_warnings():
        # Other threads of this process have nothing to do with the child.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _live(url, handlers, calls, point)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL and point is not None:
        return True
    if status != 0:
        error = calls.with_name("error")
        raise RuntimeError(error.read_text() if error.exists() else f"the process ended with status {status}")
    return False


def _live(url: str | os.PathLike[str], handlers: Handlers, calls: Path, point: int | None) -> None:
    """Be the child process: handle all, and never return."""
    try:
        _instrument(calls, point)
        asyncio.run(_drain(url, handlers))
    except BaseException:
        calls.with_name("error").write_text(traceback.format_exc())
        os._exit(1)
    os._exit(0)


async def _drain(url: str | os.PathLike[str], handlers: Handlers) -> None:
    async with bankhook.inbox.open(url, backoff=datetime.timedelta(0)) as inbox:
        await inbox.drain(handlers)


def _instrument(calls: Path, point: int | None) -> None:
    """Let this process, which nobody else shares, count its points, write down its calls, and kill itself."""
    points = itertools.count(1)
    written = calls.open("a")

    def at_a_point() -> None:
        if next(points) == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def write(call: Call, delivery: Delivery, *, failed: bool) -> None:
        written.write(json.dumps([call.handler.name, delivery.number, call.key, failed]) + "\n")
        written.flush()

    run, commit = Call.run, Transaction.commit

    def run_and_count(call: Call, delivery: Delivery, *rest: Any) -> Any:
        at_a_point()
        write(call, delivery, failed=False)
        with written_if_it_fails(call, delivery):
            result = run(call, delivery, *rest)
        if inspect.isawaitable(result):
            return finish(call, delivery, result)
        at_a_point()
        return result

    async def finish(call: Call, delivery: Delivery, result: Awaitable[Any]) -> None:
        with written_if_it_fails(call, delivery):
            await result
        at_a_point()

    @contextlib.contextmanager
    def written_if_it_fails(call: Call, delivery: Delivery) -> Generator[None, None, None]:
        try:
            yield
        except BaseException:
            write(call, delivery, failed=True)
            raise

    def commit_and_count(transaction: Transaction, *rest: Any) -> Any:
        at_a_point()
        result = commit(transaction, *rest)
        at_a_point()
        return result

    # The clock decides nothing: a commit is where a batch ends, however slow the machine is.
    mock.patch.multiple(engine, BATCH_SECONDS=3600, TICK_SECONDS=3600).start()
    mock.patch.object(batch, "BATCH_SECONDS", 3600).start()
    mock.patch.object(Call, "run", run_and_count).start()
    mock.patch.object(Transaction, "commit", commit_and_count).start()


for _class in (HandlerCall, Replayed, replay):
    _class.__module__ = "bankhook.testing"
