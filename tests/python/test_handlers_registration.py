# SPDX-License-Identifier: MIT
"""What can be registered with Handlers, and what could never be called."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any, get_args

import pytest

import bankhook
from bankhook import (
    AnyEvent,
    BankConnectionsUpdateV2,
    Handlers,
    InitialTransactionUpdate,
    UnknownEvent,
)
from bankhook._handlers._conditions import enumerated
from python.parsed import purchase

ANY: Any = bankhook
UNKNOWN = b'{"event":"reward_update"}'


def on(handlers: Any) -> Any:
    """What registers conditions, also such as checkers refuse."""
    return handlers.on


NEVER: list[tuple[Callable[[Handlers], object], type[Exception], str]] = [
    (lambda h: on(h)(InitialTransactionUpdate, event_type="velidated"), ValueError, "did you mean 'validated'"),
    (lambda h: on(h)(InitialTransactionUpdate, event_type=("created", "x")), ValueError, "not listed"),
    (lambda h: on(h)(InitialTransactionUpdate, event_type=()), ValueError, "at least one"),
    (lambda h: on(h)(BankConnectionsUpdateV2, event_type="delete_"), ValueError, "did you mean 'delete'"),
    (lambda h: on(h)(BankConnectionsUpdateV2, status="created"), TypeError, "no enumerated field 'status'"),
    (lambda h: on(h)(InitialTransactionUpdate, amount="20"), TypeError, "no enumerated field 'amount'"),
    (lambda h: on(h)(UnknownEvent, event="initial_transaction_update"), ValueError, "never an unknown event"),
    (lambda h: on(h)(UnknownEvent, event_type="created"), TypeError, "no enumerated field 'event_type'"),
    (
        lambda h: on(h)(InitialTransactionUpdate, event_type=ANY.Tracker),
        TypeError,
        "expected str or a collection of str, found",
    ),
    (lambda h: on(h)(InitialTransactionUpdate, event_type=[ANY.ABSENT]), TypeError, "expected str, found Absent"),
    (lambda h: on(h)(ANY.Connection), TypeError, "expected a class of events"),
    (lambda h: on(h)(ANY.AnyEvent), TypeError, "expected a class of events"),
    (lambda h: on(h)(InitialTransactionUpdate, event_type=ANY.Verdict), ValueError, "not listed"),
]


@pytest.mark.parametrize(("register", "error", "message"), NEVER)
def test_conditions_that_no_event_meets_are_an_error(
    register: Callable[[Handlers], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        register(Handlers())


def register(handlers: Handlers, name: str, **conditions: Any) -> None:
    handlers.on(InitialTransactionUpdate, **conditions)(name=name)(lambda event: None)


def test_a_handler_whose_events_are_all_taken_is_an_error() -> None:
    handlers = Handlers()
    register(handlers, "created", event_type="created")
    register(handlers, "ended", event_type=("validated", "rejected"))
    with pytest.raises(ValueError, match="again: handlers registered before it take all"):
        register(handlers, "again", event_type="created")
    with pytest.raises(ValueError, match="take all"):
        register(handlers, "both", event_type=("created", "rejected"))
    with pytest.raises(ValueError, match="take all"):
        register(handlers, "narrower", event_type="validated", status="validated")
    register(handlers, "by status", status="created")
    register(handlers, "rest")
    with pytest.raises(ValueError, match="take all"):
        register(handlers, "never", rejection_reason="bankConsentExpired")


def test_a_fallback_that_no_event_is_left_for_is_an_error_in_whatever_order() -> None:
    for order in itertools.permutations([*get_args(AnyEvent), None]):
        handlers = Handlers()
        handlers.on_validated(name="validated")(lambda event: None)
        handlers.on_rejected(name="rejected")(lambda event: None)
        handlers.on_connection_error(name="error")(lambda event: None)
        *possible, last = [handlers.fallback if event is None else handlers.on(event) for event in order]
        for number, register_one in enumerate(possible):
            register_one(name=str(number))(lambda event: None)
        with pytest.raises(ValueError, match=r"^last: (it leaves no event for the fallback|handlers .* take all events)"):
            last(name="last")(lambda event: None)
        assert "last" not in repr(handlers)


def test_a_fallback_may_be_for_values_that_are_not_listed_yet() -> None:
    created, _ = purchase()
    _, kinds = enumerated(InitialTransactionUpdate)["event_type"]
    handlers, called = Handlers(), set[str]()
    handlers.fallback(name="other")(partial(note, "other", called))
    for event in set(get_args(AnyEvent)) - {InitialTransactionUpdate}:
        handlers.on(event)(name=event.__name__)(lambda event: None)
    register(handlers, "listed", event_type=kinds)
    handlers.handle(created.replace(event_type="future"))
    assert called == {"other"}
    with pytest.raises(ValueError, match="any: it leaves no event for the fallback, other"):
        register(handlers, "any")


def note(name: str, called: set[str], event: AnyEvent) -> None:
    called.add(name)


def test_whether_a_handler_is_never_called_is_what_trying_all_events_says() -> None:
    """Of each pair and triple of registrations: an error says just what no combination of values would have shown otherwise."""
    statuses = ["created", "validated", "future"]
    created, _ = purchase()
    events = [
        created.replace(event_type=one, initial_transaction=created.initial_transaction.replace(status=other))
        for one in statuses
        for other in statuses
    ]
    choices: list[dict[str, Any]] = [
        {},
        {"event_type": "created"},
        {"event_type": ("created", "validated")},
        {"status": "created"},
        {"status": ("created", "validated"), "event_type": "validated"},
    ]
    for chosen in itertools.product(choices, repeat=3):
        handlers, called = Handlers(), set[str]()
        refused = set[str]()
        for number, conditions in enumerate(chosen):
            name = str(number)
            try:
                handlers.on(InitialTransactionUpdate, **conditions)(name=name)(partial(note, name, called))
            except ValueError:
                refused.add(name)
        for event in events:
            handlers.handle(event)
        assert called | refused == {"0", "1", "2"}, chosen
        assert not called & refused


def test_names_are_of_one_handler_each() -> None:
    handlers = Handlers()

    @handlers.on_validated
    def credit(event: InitialTransactionUpdate) -> None: ...

    with pytest.raises(ValueError, match="credit: another handler has this name"):
        handlers.on_rejected(credit)
    assert handlers.on_rejected(name="take back")(credit) is credit
    with pytest.raises(ValueError, match="there is a fallback already, first"):
        for name in ("first", "second"):
            handlers.fallback(name=name)(lambda event: None)
    assert repr(handlers) == "<bankhook.Handlers: credit, first, take back>"


@pytest.mark.parametrize(
    "function", [lambda: None, lambda one, two, three: None, lambda *, event: None, 5, None, "credit", lambda event: None]
)
def test_what_cannot_be_called_for_an_event_cannot_be_registered(function: Any) -> None:
    with pytest.raises(TypeError):
        if callable(function) and function.__code__.co_varnames != ("event",):
            Handlers().on_validated(name="named")(function)
        else:
            Handlers().on_validated(function)


def test_a_parameter_with_a_default_is_not_the_context() -> None:
    handlers, seen = Handlers(), list[int]()

    @handlers.fallback
    def retry(event: AnyEvent, times: int = 3) -> None:
        seen.append(times)

    handlers.handle(UNKNOWN)
    assert seen == [3]


def test_a_generator_cannot_be_registered_since_calling_it_runs_nothing() -> None:
    def generator(event: AnyEvent) -> Iterator[int]:
        yield 1

    async def async_generator(event: AnyEvent) -> AsyncIterator[int]:
        yield 1

    for function in (generator, async_generator):
        with pytest.raises(TypeError, match=f"{function.__name__}: expected a function, found a generator"):
            Handlers().fallback(function)
