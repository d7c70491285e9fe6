# SPDX-License-Identifier: MIT
"""Handlers: functions that are called for events, and for what becomes of transactions and connections."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock
from typing import TYPE_CHECKING, final

from bankhook._core import AnyEvent, Tracker, parse
from bankhook._handlers._failures import Park, Retry
from bankhook._handlers._registration import Call, HandlerContext, Register
from bankhook._handlers._registry import Registry
from bankhook._records.errors import check_type
from bankhook._records.lines import Buffer
from bankhook._records.record import Record
from bankhook._records.tracking import Outcome

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Lock

__all__ = ["Handled", "HandlerContext", "Handlers", "Park", "Register", "Retry"]

BUSY = "another event is being handled: a handler cannot handle one, nor handle meet handle_async"
_within: ContextVar[tuple[object, ...]] = ContextVar("_within", default=())
"""The events for which handlers are called that the code which asks is part of, or a task that one of them made."""


class Handled(Record):
    """What was done for an event."""

    event: AnyEvent
    """The event."""
    outcome: Outcome
    """What it meant for what is tracked."""
    handlers: tuple[str, ...]
    """Names of the handlers that were called, in this order; empty if there was none for it."""


@final
class Handlers(Registry):
    """Functions that are called for events, or for what becomes of a transaction or a connection.

    A function takes the event, or the event and a `HandlerContext`; it may be async. `on_validated`, `on_rejected` and
    `on_connection_error` go by what a tracker knows, so they are called once for a change, in whatever order events come,
    and not for repeats; an event that is delivered again after newer news is a change. `on` goes by the event alone: the
    first handler of `on` whose conditions hold is called, also for a repeat. The fallback is called for an event for which
    there is no other handler.

    The state is in memory. If a handler raises, the error is passed on and the tracker stays as it was, so the same event can
    be handled again; handlers that were called before the failing one are then called a second time. Whatever must happen only
    once, across restarts, too, needs `HandlerContext.key`, stored together with the effect.

    Parameters
    ----------
    tracker : Tracker, optional
        What the events are applied to; a new one by default. Change it through `handle` only.

    Raises
    ------
    TypeError
        If it is not a Tracker.

    Examples
    --------
    >>> import bankhook
    >>> handlers = bankhook.Handlers()
    >>> @handlers.on_validated
    ... def credit(event: bankhook.InitialTransactionUpdate) -> None:
    ...     print("credit", event.initial_transaction.amount)
    >>> sandbox = bankhook.Sandbox(1, members=1)
    >>> created = sandbox.send_initial_transaction(sandbox.member(0))
    >>> validated = sandbox.validate(created.initial_transaction.id)
    >>> [handlers.handle(event).handlers for event in (created, validated, validated)]
    credit 9.29
    [(), ('credit',), ()]
    >>> log = handlers.on(bankhook.BankConnectionsUpdateV2)(print)
    """

    __slots__ = ("_is_busy", "_lock", "_now", "_tracker", "_turns")

    def __init__(self, tracker: Tracker | None = None) -> None:
        check_type("tracker", tracker, Tracker | None, "Tracker")
        super().__init__()
        self._tracker = Tracker() if tracker is None else tracker
        self._lock = RLock()
        self._turns: tuple[AbstractEventLoop, Lock] | None = None
        self._now: object = None  # what stands for the event that is handled
        self._is_busy = False

    @property
    def tracker(self) -> Tracker:
        """What `handle` and `handle_async` apply events to.

        An inbox stores the state of each member, and takes only the options of this one.
        """
        return self._tracker

    def handle(self, event: AnyEvent | Buffer | str, /) -> Handled:
        """Call the handlers for an event or a payload, then apply it to the tracker.

        Calls of `handle` from several threads take turns.

        Parameters
        ----------
        event : AnyEvent, bytes, bytearray, memoryview, mmap or str
            An event, or what `parse` takes.

        Returns
        -------
        Handled
            The event, its outcome and the names of the handlers that were called.

        Raises
        ------
        ParseError
            If the payload is not an event. No handler was called.
        TypeError
            If a handler for it is async: use `handle_async`. No handler was called.
        RuntimeError
            If a handler calls it, because the event that the handler was called for is not applied yet, or while
            `handle_async` handles an event.
        """
        from inspect import isawaitable

        parsed = _parsed(event)
        with self._lock, self._turn(parsed) as (outcome, calls):
            if waiting := [call.handler.name for call in calls if call.handler.is_async]:
                raise TypeError(f"{', '.join(waiting)}: async, so the event needs handle_async")
            for call in calls:
                if isawaitable(result := call.run()):
                    getattr(result, "close", lambda: None)()
                    raise TypeError(f"{call.handler.name}: returned an awaitable, so the event needs handle_async")
        return Handled(parsed, outcome, tuple(call.handler.name for call in calls))

    async def handle_async(self, event: AnyEvent | Buffer | str, /) -> Handled:
        """Do what `handle` does, and await the handlers that are async, one after another.

        Tasks of one event loop take turns. Handlers that are not async are called in the event loop, which waits for them.

        Parameters
        ----------
        event : AnyEvent, bytes, bytearray, memoryview, mmap or str
            An event, or what `parse` takes.

        Returns
        -------
        Handled
            What `handle` returns.

        Raises
        ------
        ParseError
            If the payload is not an event. No handler was called.
        RuntimeError
            If a handler calls it, or a task that the handler made before it ended, or while an event is handled by `handle` in
            another thread, or by `handle_async` in another event loop.

        Examples
        --------
        >>> import asyncio
        >>> handlers = Handlers()
        >>> @handlers.fallback(name="log")
        ... async def log(event: AnyEvent) -> None:
        ...     await asyncio.sleep(0)
        >>> asyncio.run(handlers.handle_async(b'{"event":"a"}')).handlers
        ('log',)
        """
        from asyncio import Lock, get_running_loop
        from inspect import isawaitable

        parsed = _parsed(event)
        loop = get_running_loop()
        turns = self._turns
        if turns is None or turns[0] is not loop:
            turns = self._turns = loop, Lock()
        if self._now in _within.get():
            raise RuntimeError(BUSY)  # it would wait for itself
        async with turns[1]:
            with self._turn(parsed) as (outcome, calls):
                for call in calls:
                    if isawaitable(result := call.run(in_loop=True)):
                        await result
        return Handled(parsed, outcome, tuple(call.handler.name for call in calls))

    @contextmanager
    def _turn(self, event: AnyEvent) -> Generator[tuple[Outcome, list[Call]], None, None]:
        """Yield the outcome of an event and what is to be called for it; apply it afterwards, unless that fails."""
        # An event loop must not wait for a thread; a thread that handles an event has the lock all the while.
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(BUSY)
        try:
            if self._is_busy:
                raise RuntimeError(BUSY)
            self._is_busy = True
        finally:
            self._lock.release()
        self._now, before = object(), _within.get()
        _within.set((*before, self._now))
        try:
            outcome = self._tracker.peek(event)
            yield outcome, list(self.calls(event, outcome))
            self._tracker.apply(event)
        finally:
            _within.set(before)
            self._now, self._is_busy = None, False

    def __repr__(self) -> str:
        return f"<bankhook.Handlers: {', '.join(sorted(self._names)) or 'none'}>"


def _parsed(event: AnyEvent | Buffer | str) -> AnyEvent:
    return event if isinstance(event, AnyEvent) else parse(event)


Handled.__module__ = "bankhook.types"
Handlers.__module__ = "bankhook"
