# SPDX-License-Identifier: MIT
"""Handlers: functions that are called for events, and for what becomes of transactions and connections."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from threading import RLock
from typing import TYPE_CHECKING, Any, final

from bankhook._core import (
    AnyEvent,
    BankConnectionsUpdateV2,
    InitialTransactionUpdate,
    Tracker,
    TransactionStatus,
    parse,
)
from bankhook._records.record import Record
from bankhook._records.tracking import Outcome
from bankhook.handlers._conditions import Condition, became, cover_all
from bankhook.handlers._registration import Call, EventT, HandlerContext, Register, Registered

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Lock

    from typing_extensions import Buffer

__all__ = ["Handled", "HandlerContext", "Handlers"]


class Handled(Record):
    """What was done for an event."""

    event: AnyEvent
    """The event."""
    outcome: Outcome
    """What it meant for what is tracked."""
    handlers: tuple[str, ...]
    """Names of the handlers that were called, in this order; empty if there was none for it."""


@final
class Handlers:
    """Functions that are called for events, or for what becomes of a transaction or a connection.

    A function takes the event, or the event and a `HandlerContext`; it may be async. `on_validated`, `on_rejected` and
    `on_connection_error` go by what a tracker knows, so they are called once for a change, in whatever order events come,
    and not for repeats. `on` goes by the event alone: the first handler of `on` whose conditions hold is called, also for
    a repeat. The fallback is called for an event for which there is no other handler.

    The state is in memory. If a handler raises, the error is passed on and the tracker stays as it was, so the same event can
    be handled again; handlers that were called before the failing one are then called a second time. Whatever must happen only
    once, across restarts, too, needs `HandlerContext.key`, stored together with the effect.

    :param tracker: What the events are applied to; a new one by default. Change it through `handle` only.

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

    __slots__ = ("_became", "_fallback", "_is_busy", "_lock", "_names", "_on", "_tracker", "_turns")

    def __init__(self, tracker: Tracker | None = None) -> None:
        if tracker is not None and not isinstance(tracker, Tracker):
            raise TypeError(f"tracker: expected Tracker, found {type(tracker).__name__}")
        self._tracker = Tracker() if tracker is None else tracker
        self._on: list[tuple[Condition, Registered]] = []
        self._became: list[tuple[TransactionStatus | None, Registered]] = []
        self._fallback: Registered | None = None
        self._names: set[str] = set()
        self._lock = RLock()
        self._turns: tuple[AbstractEventLoop, Lock] | None = None
        self._is_busy = False

    @property
    def tracker(self) -> Tracker:
        """What the events that were handled are applied to."""
        return self._tracker

    def on(self, event: type[EventT], /, **conditions: str | Collection[str]) -> Register[EventT]:
        """Return a decorator for a handler of events of this class.

        :param event: One of the classes of events, `UnknownEvent` included.
        :param conditions: An enumerated field of the event, or of the transaction or connection that it is about, and the
            values for which the handler is called: `event_type="validated"`, `event_type=("created", "validated")`. For
            `UnknownEvent` its name: `event="reward_update"`.
        :returns: A decorator.
        :raises TypeError: The class or a field is not one of these.
        :raises ValueError: A value is not listed, or the handlers before take all of these events: it would never be called.
            Or it leaves no event for the fallback.
        """
        condition = Condition(event, conditions)

        def add(registered: Registered) -> None:
            before = [one for one, _ in self._on]
            if condition.is_covered_by(before):
                raise ValueError(f"{registered.name}: handlers registered before it take all of these events")
            if self._fallback is not None and cover_all([*before, condition]):
                raise ValueError(f"{registered.name}: it leaves no event for the fallback, {self._fallback.name}")
            self._add(registered)
            self._on.append((condition, registered))

        return Register(add)

    @property
    def on_validated(self) -> Register[InitialTransactionUpdate]:
        """A decorator for a handler that is called when a transaction becomes validated."""
        return self._on_change(TransactionStatus.VALIDATED)

    @property
    def on_rejected(self) -> Register[InitialTransactionUpdate]:
        """A decorator for a handler that is called when a transaction becomes rejected."""
        return self._on_change(TransactionStatus.REJECTED)

    @property
    def on_connection_error(self) -> Register[BankConnectionsUpdateV2]:
        """A decorator for a handler that is called when a connection gets an error code, or another one.

        That connection is `HandlerContext.connection`: any in the list of an event may have changed, not only the one that the
        event is about.
        """
        return self._on_change(None)

    @property
    def fallback(self) -> Register[AnyEvent]:
        """A decorator for the handler of events, unknown ones included, for which there is no other handler.

        ValueError if there is a fallback already, or if handlers of `on` take all events: it would never be called.
        """

        def add(registered: Registered) -> None:
            if self._fallback is not None:
                raise ValueError(f"{registered.name}: there is a fallback already, {self._fallback.name}")
            if cover_all([condition for condition, _ in self._on]):
                raise ValueError(f"{registered.name}: handlers registered before it take all events")
            self._add(registered)
            self._fallback = registered

        return Register(add)

    def handle(self, event: AnyEvent | Buffer | str, /) -> Handled:
        """Call the handlers for an event or a payload, then apply it to the tracker.

        Calls from several threads take turns.

        :param event: An event, or what `parse` takes.
        :returns: The event, its outcome and the names of the handlers that were called.
        :raises ParseError: The payload is not an event. No handler was called.
        :raises TypeError: A handler for it is async: use `handle_async`. No handler was called.
        :raises RuntimeError: A handler calls it: the event that the handler was called for is not applied yet.
        """
        from inspect import isawaitable

        parsed = _parsed(event)
        with self._lock:
            outcome, calls = self._begin(parsed)
            try:
                if waiting := [call.handler.name for call in calls if call.handler.is_async]:
                    raise TypeError(f"{', '.join(waiting)}: async, so the event needs handle_async")
                for call in calls:
                    if isawaitable(result := call.run()):
                        getattr(result, "close", lambda: None)()
                        raise TypeError(f"{call.handler.name}: returned an awaitable, so the event needs handle_async")
                return self._end(parsed, outcome, calls)
            finally:
                self._is_busy = False

    async def handle_async(self, event: AnyEvent | Buffer | str, /) -> Handled:
        """Do what `handle` does, and await the handlers that are async, one after another.

        Tasks of one event loop take turns.

        :param event: An event, or what `parse` takes.
        :returns: What `handle` returns.
        :raises RuntimeError: An event is handled by `handle` in another thread, or by `handle_async` in another event loop.

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
        async with turns[1]:
            outcome, calls = self._begin(parsed)
            try:
                for call in calls:
                    if isawaitable(result := call.run()):
                        await result
                return self._end(parsed, outcome, calls)
            finally:
                self._is_busy = False

    def _begin(self, event: AnyEvent) -> tuple[Outcome, list[Call]]:
        # An event loop must not wait for a thread; a thread that handles an event has the lock all the while.
        is_free = self._lock.acquire(blocking=False)
        try:
            if not is_free or self._is_busy:
                raise RuntimeError(
                    "another event is being handled: a handler cannot handle one, nor handle meet handle_async"
                )
            self._is_busy = True
        finally:
            if is_free:
                self._lock.release()
        try:
            outcome = self._tracker.peek(event)
            return outcome, list(self.calls(event, outcome))
        except BaseException:
            self._is_busy = False
            raise

    def _end(self, event: AnyEvent, outcome: Outcome, calls: list[Call]) -> Handled:
        self._tracker.apply(event)
        return Handled(event, outcome, tuple(call.handler.name for call in calls))

    def calls(self, event: AnyEvent, outcome: Outcome) -> Iterator[Call]:
        """Yield what is to be called for an event, in the order of registration: for changes, then for the event itself.

        :param event: The event.
        :param outcome: What the tracker says of it.
        :returns: The calls, which are not made yet.

        >>> handlers = Handlers()
        >>> handlers.fallback(name="log")(print) is print
        True
        >>> event = parse(b'{"event":"a"}')
        >>> [call.handler.name for call in handlers.calls(event, Tracker().peek(event))]
        ['log']
        """
        found = False
        for status, registered in self._became:
            for change in outcome.changes:
                if became(change, status):
                    found = True
                    yield registered.call(event, outcome, change, status)
        for condition, registered in self._on:
            if condition.holds(event):
                yield registered.call(event, outcome)
                return
        if not found and self._fallback is not None:
            yield self._fallback.call(event, outcome)

    def keys(self, member: str, transaction: str) -> Iterator[str]:
        """Yield the keys that calls for a transaction can have.

        :param member: The id of the member.
        :param transaction: The id of the transaction.
        :returns: A key for each handler of `on_validated` and `on_rejected`.

        >>> handlers = Handlers()
        >>> handlers.on_validated(name="credit")(print) is print
        True
        >>> list(handlers.keys("member-0001", "it-0001"))
        ['credit:validated:member-0001:it-0001']
        """
        return (registered.key(status, member, transaction) for status, registered in self._became if status is not None)

    def _on_change(self, status: TransactionStatus | None) -> Register[Any]:
        def add(registered: Registered) -> None:
            self._add(registered)
            self._became.append((status, registered))

        return Register(add)

    def _add(self, registered: Registered) -> None:
        if registered.name in self._names:
            raise ValueError(f"{registered.name}: another handler has this name; give one, name=...")
        self._names.add(registered.name)

    def __repr__(self) -> str:
        return f"<bankhook.Handlers: {', '.join(sorted(self._names)) or 'none'}>"


def _parsed(event: AnyEvent | Buffer | str) -> AnyEvent:
    return event if isinstance(event, AnyEvent) else parse(event)


for _cls in (Handled, Handlers):
    _cls.__module__ = "bankhook"
