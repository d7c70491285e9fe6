# SPDX-License-Identifier: MIT
"""Tracker: what the rows of its lifecycles decide, and the choices beside them."""

from __future__ import annotations

from typing import Any

import pytest

import bankhook
from bankhook import Tracker, Verdict
from python.parsed import connections_update, transaction_update


def transaction(status: str, **changes: Any) -> bankhook.InitialTransactionUpdate:
    """The sample of spec 6.3 with this status and these members of the transaction."""
    event = transaction_update()
    held = event.initial_transaction.replace(status=status, **changes)
    return event.replace(event_type=status, initial_transaction=held)


def connection(kind: str, **changes: Any) -> bankhook.BankConnectionsUpdateV2:
    """An event of this type about the only connection of its member."""
    event = connections_update("connection_created")
    own = event.connection.replace(**changes)
    customer = event.customer.replace(connections=[own])
    return event.replace(event_type=kind, connection=own, customer=customer)


def test_late_created_is_not_taken_unless_a_row_says_so() -> None:
    late = bankhook.transaction_lifecycle.with_row("validated", "submitted", "created", expected=False)
    for lifecycle in (bankhook.transaction_lifecycle, late):
        take = lifecycle is late
        tracker = Tracker(transaction_lifecycle=lifecycle)
        tracker.apply(transaction("validated"))
        outcome = tracker.apply(transaction("created"))
        assert outcome.verdict is Verdict.UNSPECIFIED
        assert outcome.reason is lifecycle.step("validated", "submitted").transition
        assert outcome.accepted is take
        assert bool(outcome.changes) is take
        held = tracker.transaction("member-0001", transaction("created").initial_transaction.id)
        assert held is not None
        assert held.initial_transaction.status == held.state == ("created" if take else "validated")


def test_a_row_moves_a_connection() -> None:
    """The table alone decides what state follows."""
    kept = bankhook.connection_lifecycle.with_row("created", "delete", "updated")
    for lifecycle, state in ((bankhook.connection_lifecycle, "deleted"), (kept, "updated")):
        tracker = Tracker(connection_lifecycle=lifecycle)
        tracker.apply(connection("create"))
        deleted = connection("delete")
        outcome = tracker.apply(
            deleted.replace(customer=deleted.customer.replace(connections=[])) if state == "deleted" else deleted
        )
        assert outcome.reason is lifecycle.step("created", "delete").transition
        assert tracker.connections()[0].state == state


def test_a_create_is_the_first_event_of_a_connection_that_a_list_named_before() -> None:
    """Spec 6.2, 1: on creation a create event is sent; 2.1: a list has all connections."""
    create = connections_update("connection_created")
    one, two = create.connection, create.connection.replace(id="conn-2")
    both = create.customer.replace(connections=[one, two])
    tracker = Tracker()
    first = tracker.apply(create.replace(customer=both))
    assert first.verdict is Verdict.SPECIFIED
    assert not any(change.first_event_missing for change in first.changes)
    held = tracker.connection(create.customer.id, "conn-2")
    assert held is not None and (held.state, held.event_type) == ("listed", None)
    second = tracker.apply(create.replace(connection=two, customer=both))
    assert (second.verdict, second.accepted) == (Verdict.SPECIFIED, True)
    held = tracker.connection(create.customer.id, "conn-2")
    assert held is not None and (held.state, held.event_type) == ("created", "create")


@pytest.mark.parametrize("take", [False, True])
def test_a_create_that_differs_from_the_list_is_unspecified(take: bool) -> None:
    create = connections_update("connection_created")
    two = create.connection.replace(id="conn-2")
    tracker = Tracker(take_create=take)
    assert tracker.take_create is take
    tracker.apply(create.replace(customer=create.customer.replace(connections=[create.connection, two])))
    ill = two.replace(error_code="1010")
    outcome = tracker.apply(
        create.replace(connection=ill, customer=create.customer.replace(connections=[create.connection, ill]))
    )
    assert isinstance(outcome.reason, bankhook.types.Rule)
    assert (outcome.verdict, outcome.reason.id) == (Verdict.UNSPECIFIED, "create_differs_from_list")
    held = tracker.connection(create.customer.id, "conn-2")
    assert held is not None and held.connection.error_code == ("1010" if take else None)


def test_a_deleted_connection_that_is_listed_again_stays_deleted_and_says_so() -> None:
    create = connections_update("connection_created")
    one, two = create.connection, create.connection.replace(id="conn-2")
    alone, both = create.customer.replace(connections=[two]), create.customer.replace(connections=[one, two])
    back = bankhook.connection_lifecycle.with_row("deleted", "listed", "updated", expected=False)
    for lifecycle, state in ((bankhook.connection_lifecycle, "deleted"), (back, "updated")):
        tracker = Tracker(connection_lifecycle=lifecycle)
        tracker.apply(create.replace(customer=both))
        tracker.apply(create.replace(event_type="delete", customer=alone))
        outcome = tracker.apply(create.replace(event_type="update", connection=two.replace(bank="other"), customer=both))
        assert outcome.verdict is Verdict.UNSPECIFIED
        held = tracker.connection(create.customer.id, one.id)
        assert held is not None and held.state == state


def test_ids_are_those_of_a_member() -> None:
    first = transaction("created")
    other = first.replace(customer=first.customer.replace(id="member-0002"))
    tracker = Tracker()
    assert [tracker.apply(event).verdict for event in (first, other)] == [Verdict.SPECIFIED] * 2
    validated = transaction("validated")
    assert tracker.apply(validated).became("validated")
    assert [held.state for held in tracker.transactions()] == ["validated", "created"]


def test_status_and_event_type_that_differ_decide_nothing() -> None:
    """Spec 6.3: they are equal; which of them holds if not is nowhere said."""
    event = transaction("validated").replace(event_type="rejected")
    for status_from, state in (("neither", "created"), ("status", "validated"), ("eventType", "rejected")):
        tracker = Tracker(status_from=status_from)
        assert tracker.status_from == status_from
        tracker.apply(transaction("created"))
        outcome = tracker.apply(event)
        assert outcome.verdict is Verdict.CONTRADICTS
        assert outcome.accepted is (status_from != "neither")
        assert tracker.transactions()[0].state == tracker.transactions()[0].initial_transaction.status == state
    with pytest.raises(ValueError, match="expected neither, status or eventType"):
        Tracker(status_from="both")
