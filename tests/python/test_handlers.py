# SPDX-License-Identifier: MIT
"""Handlers: which functions are called for an event, with what, and what is left when one of them fails."""

from __future__ import annotations

from typing import Any

import pytest

import bankhook
from bankhook import (
    AnyEvent,
    BankConnectionsUpdateV2,
    HandlerContext,
    Handlers,
    InitialTransactionUpdate,
    Sandbox,
    Tracker,
    UnknownEvent,
)
from python.parsed import purchase

ANY: Any = bankhook
UNKNOWN = b'{"event":"reward_update"}'


def connection() -> tuple[BankConnectionsUpdateV2, BankConnectionsUpdateV2, BankConnectionsUpdateV2]:
    """A connection's create event, one with an error, and one without it again."""
    sandbox = Sandbox(3, members=1)
    created = sandbox.create_connection(sandbox.member(0))
    id = created.connection.id
    return created, sandbox.desynchronise(id), sandbox.resynchronise(id)


def recording() -> tuple[Handlers, list[str]]:
    """Handlers of all kinds, and the names of those that were called."""
    handlers, called = Handlers(), list[str]()
    for name in ("on_validated", "on_rejected", "on_connection_error", "fallback"):
        getattr(handlers, name)(name=name)(lambda event, name=name: called.append(name))
    return handlers, called


def test_a_transaction_that_becomes_validated_calls_its_handler_once() -> None:
    handlers, called = recording()
    created, validated = purchase()
    for event in (created, validated, validated):
        handlers.handle(event)
    assert called == ["fallback", "on_validated", "fallback"]


def test_a_validated_event_that_comes_first_calls_its_handler_and_its_late_created_does_not() -> None:
    handlers, called = recording()
    created, validated = purchase()
    for event in (validated, created, validated):
        handlers.handle(event)
    assert called == ["on_validated", "fallback", "fallback"]


def test_a_rejection_calls_its_own_handler() -> None:
    handlers, called = recording()
    for event in purchase("rejected"):
        handlers.handle(event.raw)
    assert called == ["fallback", "on_rejected"]


def test_an_error_calls_its_handler_with_the_connection_that_has_it_and_its_end_does_not() -> None:
    handlers, seen = Handlers(), list[HandlerContext]()

    @handlers.on_connection_error
    def alert(event: BankConnectionsUpdateV2, context: HandlerContext) -> None:
        seen.append(context)

    created, failed, mended = connection()
    for event in (created, failed, failed, mended):
        handlers.handle(event)
    (context,) = seen
    assert context.connection == failed.connection
    assert context.change is not None
    assert context.change.after == failed.connection.error_code
    assert context.key is None


def test_an_error_of_another_connection_in_the_list_is_reported_with_that_connection() -> None:
    sandbox = Sandbox(5, members=1)
    member = sandbox.member(0)
    first, second = sandbox.create_connection(member), sandbox.create_connection(member)
    sandbox.desynchronise(first.connection.id)  # this delivery is lost
    after = sandbox.create_accounts(second.connection.id)
    handlers, seen = Handlers(), list[HandlerContext]()
    handlers.on_connection_error(name="alert")(lambda event, context: seen.append(context))
    for event in (first, second, after):
        handlers.handle(event)
    assert [context.connection.id for context in seen if context.connection] == [first.connection.id]


def test_the_first_handler_of_on_that_fits_is_called_for_repeats_too() -> None:
    handlers, called = Handlers(), list[str]()
    handlers.on(InitialTransactionUpdate, event_type="validated", status="created")(name="none")(
        lambda event: called.append("0")
    )
    handlers.on(InitialTransactionUpdate, event_type=("validated", "rejected"))(name="ended")(
        lambda event: called.append("1")
    )
    handlers.on(InitialTransactionUpdate)(name="any")(lambda event: called.append("2"))
    created, validated = purchase()
    for event in (created, validated, validated):
        handlers.handle(event)
    assert called == ["2", "1", "1"]


def test_a_field_of_the_resource_is_a_condition_too() -> None:
    handlers, called = Handlers(), list[str]()
    handlers.on(InitialTransactionUpdate, rejection_reason="purchaseNotFound")(name="gone")(
        lambda event: called.append("x")
    )
    for event in (*purchase("validated"), *purchase("rejected")):
        handlers.handle(event)
    assert called == ["x"]


def test_an_unknown_event_goes_to_its_handler_by_name_or_to_the_fallback() -> None:
    handlers, called = Handlers(), list[str]()

    @handlers.on(UnknownEvent, event="reward_update")
    def reward(event: UnknownEvent) -> None:
        called.append(event.event)

    @handlers.fallback
    def rest(event: AnyEvent) -> None:
        called.append("rest")

    assert handlers.handle(UNKNOWN).handlers == ("reward",)
    assert handlers.handle(b'{"event":"another"}').handlers == ("rest",)
    assert called == ["reward_update", "rest"]


def test_a_value_from_the_future_reaches_a_handler_without_that_condition() -> None:
    handlers, called = Handlers(), list[str]()
    handlers.on(InitialTransactionUpdate, event_type=("created", "validated", "rejected"))(name="known")(
        lambda event: called.append("known")
    )
    handlers.on(InitialTransactionUpdate)(name="any")(lambda event: called.append(str(event.event_type)))
    created, _ = purchase()
    handlers.handle(created.replace(event_type="refunded"))
    assert called == ["refunded"]


def test_an_event_without_any_handler_is_applied() -> None:
    handlers = Handlers()
    created, _ = purchase()
    handled = handlers.handle(created)
    assert handled.event == created
    assert handled.outcome.became("created")
    assert handled.handlers == ()
    assert created.initial_transaction.id in [item.initial_transaction.id for item in handlers.tracker.transactions()]


def test_the_key_names_handler_status_member_and_transaction() -> None:
    keys = list[str | None]()
    created, validated = purchase()
    for _ in range(2):
        handlers = Handlers()
        handlers.on_validated(name="credit")(lambda event, context: keys.append(context.key))
        handlers.on(InitialTransactionUpdate)(name="all")(lambda event, context: keys.append(context.key))
        handlers.handle(created)
        handlers.handle(validated)
    about = f"{created.customer.id}:{created.initial_transaction.id}"
    assert keys == [None, f"credit:validated:{about}", None] * 2


def test_keys_of_different_handlers_and_members_differ_whatever_they_contain() -> None:
    keys = list[str | None]()
    _, validated = purchase()
    credit, longer = "credit", "credit:validated"
    for name, member, transaction in (
        (credit, "a", "b:c"),
        (credit, "a:b", "c"),
        (credit, "a%3Ab", "c"),
        (credit, "a", "b%3Ac"),
        (credit, "validated", "a:b"),
        (longer, "a", "b"),
    ):
        handlers = Handlers()
        handlers.on_validated(name=name)(lambda event, context: keys.append(context.key))
        of_member = validated.replace(customer=validated.customer.replace(id=member))
        handlers.handle(of_member.replace(initial_transaction=validated.initial_transaction.replace(id=transaction)))
    assert len(set(keys)) == 6


def test_a_handler_that_raises_leaves_the_tracker_as_it_was() -> None:
    handlers, called, fails = Handlers(), list[str](), [True]

    @handlers.on_validated
    def credit(event: InitialTransactionUpdate) -> None:
        called.append("credit")
        if fails:
            raise OSError("the ledger is away")

    created, validated = purchase()
    handlers.handle(created)
    before = handlers.tracker.snapshot()
    with pytest.raises(OSError, match="the ledger is away"):
        handlers.handle(validated)
    assert handlers.tracker.snapshot() == before
    fails.clear()
    assert handlers.handle(validated).handlers == ("credit",)
    assert called == ["credit", "credit"]


def test_a_payload_that_is_not_an_event_calls_nothing() -> None:
    handlers, called = recording()
    with pytest.raises(bankhook.ParseError):
        handlers.handle(b'{"event":"initial_transaction_update"}')
    assert called == []
    with pytest.raises(TypeError):
        ANY.Handlers().handle(5)


def test_a_handler_cannot_handle_another_event() -> None:
    handlers = Handlers()

    @handlers.fallback
    def again(event: AnyEvent) -> None:
        handlers.handle(event)

    with pytest.raises(RuntimeError, match="a handler cannot handle one"):
        handlers.handle(UNKNOWN)
    with pytest.raises(RuntimeError, match="a handler cannot handle one"):
        handlers.handle(UNKNOWN)  # and it is not stuck


def test_the_tracker_may_be_one_that_was_restored() -> None:
    created, validated = purchase()
    tracker = Tracker()
    tracker.apply(created)
    handlers = Handlers(Tracker.restore(tracker.snapshot()))
    seen = list[HandlerContext]()
    handlers.on_validated(name="credit")(lambda event, context: seen.append(context))
    handlers.handle(validated)
    assert [context.change.before for context in seen if context.change] == ["created"]
    with pytest.raises(TypeError, match="tracker: expected Tracker, found bytes"):
        ANY.Handlers(tracker.snapshot())


def test_handlers_of_a_faulty_history_see_each_purchase_validated_once() -> None:
    """What was validated, by a tracker of its own over the same deliveries."""
    handlers, keys = Handlers(), list[str | None]()
    handlers.on_validated(name="credit")(lambda event, context: keys.append(context.key))
    expected = Tracker()
    faults = {"duplicate": 0.1, "reorder": 0.1, "truncate": 0.05, "future": 0.05}
    for delivery in Sandbox(11, members=40, faults=faults).deliveries(4000):
        try:
            event = bankhook.parse(delivery.payload)
        except bankhook.ParseError:
            with pytest.raises(bankhook.ParseError):
                handlers.handle(delivery.payload)
            continue
        expected.apply(event)
        handlers.handle(delivery.payload)
    validated = {one.initial_transaction.id for one in expected.transactions(status="validated")}
    assert validated <= {key.rpartition(":")[2] for key in keys if key is not None}
    assert len(keys) == len(set(keys)) > 100
    assert handlers.tracker == expected
