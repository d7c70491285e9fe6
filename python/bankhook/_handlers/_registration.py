# SPDX-License-Identifier: MIT
"""How a handler is registered, what it is called with, and the call itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, cast, final, overload

from bankhook._core import AnyEvent, BankConnectionsUpdateV2, Connection, InitialTransactionUpdate
from bankhook._handlers._within import call_in_loop, call_within
from bankhook._records.errors import check_type
from bankhook._records.record import Record
from bankhook._records.stored import Delivery
from bankhook._records.tracking import Change, Outcome

if TYPE_CHECKING:
    from collections.abc import Generator

    from sqlalchemy import Connection as SqlConnection
    from sqlalchemy.ext.asyncio import AsyncConnection

    class Transaction(SqlConnection):
        """What `begin` gives, for checkers of types: they do not know whether the handler is async."""

        def __await__(self) -> Generator[Any, None, AsyncConnection]: ...
else:
    Transaction = Any  # in the type hints of `begin`, while the program runs


EventT = TypeVar("EventT", bound=AnyEvent)
R = TypeVar("R")
Function: TypeAlias = Callable[..., Any]


class HandlerContext(Record):
    """What a handler may know besides the event: its second argument, if it takes two.

    `begin()` gives the transaction that also stores that the delivery was handled: a SQLAlchemy Core Connection, the same on
    SQLite and PostgreSQL, in an async handler an AsyncConnection:
    `context.begin().execute(text("insert into credits values (:id)"), {"id": event.initial_transaction.id})`.
    """

    handler: str
    """Name of the handler."""
    outcome: Outcome
    """What the event means for what is tracked."""
    change: Change | None
    """The change that the handler is called for; None for handlers of `on` and the fallback, which are called for an event."""
    connection: Connection | None
    """The connection whose error was raised, as the event lists it; None for other handlers."""
    key: str | None
    """The name of the effect: the same text whenever this handler is called for this transaction of this member and this
    status. Store it with the effect, or send it as an idempotency key. None if nothing is the same each time: for handlers of
    `on`, for the fallback, and for errors of connections, which come and go."""
    delivery: Delivery | None = None
    """The delivery that is handled, if an inbox calls the handler."""
    _begin: Callable[[], Any] | None = None

    def begin(self) -> Transaction:
        """Begin the transaction that also stores that the delivery was handled, or return it if it has begun.

        What is written through it is committed together with the state of the delivery, or not at all. The inbox commits:
        `commit` and `rollback` are refused, and closing it, or leaving `with`, changes nothing. Executing COMMIT as SQL
        fails the delivery, but what was committed stays, in SQLite also what handlers of others wrote, which are called
        again: never do that. In PostgreSQL each delivery has a connection of its own. In SQLite it waits while handlers of
        other deliveries write, and these, receivers and `append` wait until the handlers of this one have ended. So call it
        after whatever takes long: after `turn`, an argument of `bankhook.inbox.open`, what was written is rolled back, and
        the delivery counts as failed.

        Returns
        -------
        Transaction
            A SQLAlchemy Core Connection; in a handler that is `async def`, what gives an AsyncConnection when it is awaited.

        Raises
        ------
        RuntimeError
            If the handler is not called by an inbox.
        InboxError
            If the handlers of the delivery have ended, or the database does not answer.

        Examples
        --------
        >>> import asyncio, bankhook, bankhook.inbox
        >>> from sqlalchemy import text
        >>> handlers = bankhook.Handlers()
        >>> @handlers.fallback
        ... async def count(event, context):
        ...     print((await (await context.begin()).execute(text("select 1 + 1"))).scalar())
        >>> async def main():
        ...     async with bankhook.inbox.open(tmp_path / "events.db") as inbox:
        ...         await inbox.append([bankhook.inbox.examine(b'{"event":"new"}')])
        ...         await inbox.drain(handlers)
        >>> asyncio.run(main())
        2
        """
        if self._begin is None:
            raise RuntimeError(
                f"{self.handler}: there is no transaction, since no inbox calls the handler; in a test: `inbox.drain(handlers)`"
            )
        begun: Transaction = self._begin()
        return begun


class Call:
    """A handler and what an event gives it."""

    def __init__(
        self, handler: Registered, event: AnyEvent, outcome: Outcome, change: Change | None, transition: str | None
    ) -> None:
        self.handler = handler
        self.key: str | None = None
        if change is not None and transition is not None and isinstance(event, InitialTransactionUpdate):
            self.key = handler.key(transition, event.customer.id, change.id)
        self._event, self._outcome, self._change = event, outcome, change

    def run(
        self, delivery: Delivery | None = None, begin: Callable[[], Any] | None = None, *, in_loop: bool = False
    ) -> Any:
        """Call the function and give what it returns: a coroutine, if it is async, or called in the loop within something."""
        handler = self.handler
        around = [one for each in handler.around for one in each]
        if not (handler.takes_context or around):
            return handler.function(self._event)
        context = HandlerContext(handler.name, self._outcome, self._change, self._connection(), self.key, delivery, begin)
        call = partial(handler.function, self._event, *([context] if handler.takes_context else []))
        if not around:
            return call()
        managers = (one(context) for one in around)  # each within those before it
        return call_in_loop(call, managers) if in_loop or handler.is_async else call_within(call, managers)

    def _connection(self) -> Connection | None:
        """The connection that the change is about."""
        if self._change is None or not isinstance(self._event, BankConnectionsUpdateV2):
            return None
        listed = (self._event.connection, *self._event.customer.connections)
        return next((one for one in listed if one.id == self._change.id), None)


class Registered:
    """A function that was registered, looked at once."""

    def __init__(self, function: Function, name: str | None) -> None:
        self.name = _name(function, name)
        self.function = function
        self.takes_context = _takes_context(function, self.name)
        self.is_async = is_async(function, self.name)
        self.around: tuple[list[Callable[[HandlerContext], Any]], ...] = ()  # the outermost first

    def key(self, transition: str, member: str, transaction: str) -> str:
        """The name of what it does when a transaction of a member gets a status.

        With the member, because whether ids of transactions differ across members is not shown (2.4).
        """
        name, member = (part.replace("%", "%25").replace(":", "%3A") for part in (self.name, member))
        return f"{name}:{transition}:{member}:{transaction}"  # no two keys are equal


@final
class Register(Generic[EventT]):
    """A decorator that registers a handler under the name of its function, or under another one: `(name="credit")`."""

    __slots__ = ("_add", "_name")

    def __init__(self, add: Callable[[Registered], None], name: str | None = None) -> None:
        self._add = add
        self._name = name

    @overload
    def __call__(self, function: Callable[[EventT], R], /) -> Callable[[EventT], R]: ...
    @overload
    def __call__(self, function: Callable[[EventT, HandlerContext], R], /) -> Callable[[EventT, HandlerContext], R]: ...
    @overload
    def __call__(self, /, *, name: str) -> Register[EventT]: ...
    def __call__(self, function: Function | None = None, /, *, name: str | None = None) -> Any:
        """Register the function and return it; without one, return the decorator that does.

        Parameters
        ----------
        function : Callable, optional
            It takes the event, or the event and a HandlerContext; it may be async.
        name : str, optional
            The name of the handler; by default that of the function.

        Returns
        -------
        Callable
            The function itself, or a decorator with this name.

        Raises
        ------
        TypeError
            If the function cannot be called so, or has no name that lasts.
        ValueError
            If it, or with it the fallback, would never be called, or if another handler has its name.

        Examples
        --------
        >>> import bankhook
        >>> handlers = bankhook.Handlers()
        >>> @handlers.on_rejected(name="inform")
        ... def inform_member(event: bankhook.InitialTransactionUpdate) -> None:
        ...     pass
        >>> handlers
        <bankhook.Handlers: inform>
        """
        if function is None and name is not None:
            return Register[EventT](self._add, name)
        self._add(Registered(cast(Function, function), self._name if name is None else name))
        return function


def _name(function: Function, name: str | None) -> str:
    """The name that was given, or else that of the function."""
    if not callable(function):
        raise TypeError(f"expected a function, found {type(function).__name__}")
    found = getattr(function, "__name__", "<lambda>") if name is None else name
    check_type("name", found, str)
    if found == "<lambda>" or not found:
        raise TypeError("expected a name that lasts, since keys of effects contain it: name=...")
    return found


def _takes_context(function: Function, name: str) -> bool:
    """Whether it takes the context after the event."""
    from inspect import signature

    try:
        taken = signature(function)
    except ValueError:  # some functions written in C say nothing about themselves
        return False
    for arguments in ((None,), (None, None)):  # a second parameter with a default is the function's own
        try:
            taken.bind(*arguments)
        except TypeError:
            continue
        return len(arguments) == 2
    raise TypeError(f"{name}: expected a function of the event, or of the event and a HandlerContext")


def is_async(function: Function, name: str) -> bool:
    from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction

    for one in (function, type(function).__call__):
        if isgeneratorfunction(one) or isasyncgenfunction(one):
            raise TypeError(f"{name}: expected a function, found a generator, whose body a call does not run")
    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)


HandlerContext.__module__ = "bankhook"
