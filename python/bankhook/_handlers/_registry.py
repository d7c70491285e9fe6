# SPDX-License-Identifier: MIT
"""Which handlers are registered, and which of them an event calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from bankhook._core import AnyEvent, BankConnectionsUpdateV2, InitialTransactionUpdate, TransactionStatus, UnknownEvent
from bankhook._handlers._conditions import Condition, became, cover_all
from bankhook._handlers._registration import Call, HandlerContext, Register, Registered, is_async
from bankhook._handlers._within import Manager
from bankhook._records.errors import check_type
from bankhook._records.tracking import Change, Outcome

if TYPE_CHECKING:
    from bankhook._core import _OfBankConnectionsUpdateV2, _OfInitialTransactionUpdate, _OfUnknownEvent

AroundT = TypeVar("AroundT", bound=Callable[[HandlerContext], Manager])


class Registry:
    """The handlers that were registered, in their order."""

    __slots__ = ("_around", "_became", "_fallback", "_names", "_on")

    def __init__(self) -> None:
        self._on: list[tuple[Condition, Registered]] = []
        self._became: list[tuple[TransactionStatus | None, Registered]] = []
        self._fallback: Registered | None = None
        self._names: set[str] = set()
        self._around: list[Callable[[HandlerContext], Manager]] = []

    @overload
    def on(
        self, event: type[InitialTransactionUpdate], /, **conditions: Unpack[_OfInitialTransactionUpdate]
    ) -> Register[InitialTransactionUpdate]: ...
    @overload
    def on(
        self, event: type[BankConnectionsUpdateV2], /, **conditions: Unpack[_OfBankConnectionsUpdateV2]
    ) -> Register[BankConnectionsUpdateV2]: ...
    @overload
    def on(self, event: type[UnknownEvent], /, **conditions: Unpack[_OfUnknownEvent]) -> Register[UnknownEvent]: ...
    def on(self, event: type[Any], /, **conditions: Any) -> Register[Any]:
        """Return a decorator for a handler of events of this class.

        Parameters
        ----------
        event : type
            One of the classes of events, `UnknownEvent` included.
        **conditions : str or Collection[str]
            An enumerated field of the event, or of the transaction or connection that it is about, and the values for which
            the handler is called: `event_type="validated"`, `event_type=("created", "validated")`. For `UnknownEvent` its
            name: `event="reward_update"`.

        Returns
        -------
        Register
            A decorator.

        Raises
        ------
        TypeError
            If the class or a field is not one of these.
        ValueError
            If a value is not listed, if earlier handlers take all of these events, so that this one would never be called,
            or if it leaves no event for the fallback.
        """
        condition = Condition(event, conditions)

        return Register(partial(self._add_on, condition))

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
        """A decorator for a handler that is called when a connection gets an error, or another one: once for both fields.

        That connection is `HandlerContext.connection`: any in the list of an event may have changed, not only the one that the
        event is about.
        """
        return self._on_change(None)

    @property
    def fallback(self) -> Register[AnyEvent]:
        """A decorator for the handler of events, unknown ones included, for which there is no other handler.

        It raises ValueError if there is a fallback already, or if handlers of `on` take all events, so that it would never be
        called.
        """
        return Register(self._add_fallback)

    def calls(self, event: AnyEvent, outcome: Outcome) -> Iterator[Call]:
        """Yield what is to be called for an event, in the order of registration: for changes, then for the event itself.

        Parameters
        ----------
        event : AnyEvent
            The event.
        outcome : Outcome
            What the tracker says about it.

        Returns
        -------
        Iterator[Call]
            The calls, which are not made yet.

        Examples
        --------
        >>> handlers = Handlers()
        >>> handlers.fallback(name="log")(print) is print
        True
        >>> event = parse(b'{"event":"a"}')
        >>> [call.handler.name for call in handlers.calls(event, Tracker().peek(event))]
        ['log']
        """
        check_type("event", event, AnyEvent, "an event")
        check_type("outcome", outcome, Outcome)
        found = False
        for status, registered in self._became:
            led: dict[str, Change] = {}  # once for each connection: its errorCode comes before its errorMessage
            for change in outcome.changes:
                if became(change, status):
                    led.setdefault(change.id, change)
            for change in led.values():
                found = True
                yield Call(registered, event, outcome, change, status)
        for condition, registered in self._on:
            if condition.holds(event):
                yield Call(registered, event, outcome, None, None)
                return
        if not found and self._fallback is not None:
            yield Call(self._fallback, event, outcome, None, None)

    def keys(self, member: str, transaction: str) -> Iterator[str]:
        """Yield the keys that calls for a transaction can have.

        Parameters
        ----------
        member : str
            The id of the member.
        transaction : str
            The id of the transaction.

        Returns
        -------
        Iterator[str]
            A key for each handler of `on_validated` and `on_rejected`.

        Examples
        --------
        >>> handlers = Handlers()
        >>> handlers.on_validated(name="credit")(print) is print
        True
        >>> list(handlers.keys("member-0001", "it-0001"))
        ['credit:validated:member-0001:it-0001']
        """
        check_type("member", member, str)
        check_type("transaction", transaction, str)
        return (registered.key(status, member, transaction) for status, registered in self._became if status is not None)

    def around(self, function: AroundT, /) -> AroundT:
        """Call each handler within a context manager, for spans, timers, or the context of log lines.

        It gets what a handler may get, and is called for each call of a handler; the first one that was registered is the
        outermost. What it raises, before or after, the handler has raised. Around a handler that is `async def`, or that
        `handle_async` calls, it may be async.

        Parameters
        ----------
        function : Callable
            It takes a HandlerContext and returns a context manager, as one with `contextlib.contextmanager` does.

        Returns
        -------
        Callable
            The function itself, so this is a decorator.

        Raises
        ------
        TypeError
            If it is something else, such as a generator.

        Examples
        --------
        >>> from contextlib import contextmanager
        >>> import bankhook
        >>> handlers = bankhook.Handlers()
        >>> @handlers.around
        ... @contextmanager
        ... def logged(context):
        ...     print("before", context.handler)
        ...     yield
        >>> @handlers.fallback
        ... def keep(event):
        ...     print("keep")
        >>> handled = handlers.handle(b'{"event":"a"}')
        before keep
        keep
        """
        if not callable(function) or is_async(function, "around"):
            raise TypeError("around: expected a function that returns a context manager")
        self._around.append(function)
        return function

    def include(self, other: Registry, /) -> None:
        """Take the handlers that another object has now, as if they were registered here: for handlers of several modules.

        They stay within what is `around` them there, which is within what is around all here. The tracker of the other one
        does not count.

        Parameters
        ----------
        other : Handlers
            Where they are registered, too.

        Raises
        ------
        TypeError
            If it is not a Handlers.
        ValueError
            If one of them could not be registered here, as when another handler has its name; then none is taken.

        Examples
        --------
        >>> import bankhook
        >>> purchases, handlers = bankhook.Handlers(), bankhook.Handlers()
        >>> credit = purchases.on_validated(name="credit")(print)
        >>> handlers.include(purchases)
        >>> handlers
        <bankhook.Handlers: credit>
        """
        check_type("other", other, Registry, "Handlers")
        before = [*self._on], [*self._became], self._fallback, {*self._names}
        try:
            for status, registered in other._became:
                self._add_change(status, copy(registered))
            for condition, registered in other._on:
                self._add_on(condition, copy(registered))
            if other._fallback is not None:
                self._add_fallback(copy(other._fallback))
        except ValueError:
            self._on, self._became, self._fallback, self._names = before
            raise

    def _on_change(self, status: TransactionStatus | None) -> Register[Any]:
        return Register(partial(self._add_change, status))

    def _add_change(self, status: TransactionStatus | None, registered: Registered) -> None:
        self._add(registered)
        self._became.append((status, registered))

    def _add_on(self, condition: Condition, registered: Registered) -> None:
        before = [one for one, _ in self._on]
        if condition.is_covered_by(before):
            raise ValueError(f"{registered.name}: handlers registered before it take all of these events")
        if self._fallback is not None and cover_all([*before, condition]):
            raise ValueError(f"{registered.name}: it leaves no event for the fallback, {self._fallback.name}")
        self._add(registered)
        self._on.append((condition, registered))

    def _add_fallback(self, registered: Registered) -> None:
        if self._fallback is not None:
            raise ValueError(f"{registered.name}: there is a fallback already, {self._fallback.name}")
        if cover_all([condition for condition, _ in self._on]):
            raise ValueError(f"{registered.name}: handlers registered before it take all events")
        self._add(registered)
        self._fallback = registered

    def _add(self, registered: Registered) -> None:
        if registered.name in self._names:
            raise ValueError(f"{registered.name}: another handler has this name; give one, name=...")
        self._names.add(registered.name)
        registered.around = (self._around, *registered.around)
