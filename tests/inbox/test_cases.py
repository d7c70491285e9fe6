# SPDX-License-Identifier: MIT
"""What of an event a person should look at, and which transactions it opens and closes."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal

import pytest

import bankhook
from bankhook import ABSENT
from bankhook.inbox._cases import adds_transaction, new_cases, reopened
from inbox.bought import CONNECTED, CREATED, FAILED, KEY, REJECTED, SANDBOX, VALIDATED, became, changed


def of_last(events: Sequence[bankhook.AnyEvent]) -> list[tuple[str, str | None, str]]:
    """The cases that the last of these events raises."""
    tracker = bankhook.Tracker()
    outcomes = [tracker.apply(event) for event in events]
    return [(kind.value, field, key) for kind, field, key in new_cases(events[-1], outcomes[-1])]


def test_the_ordinary_life_of_a_transaction_and_of_a_connection_raises_no_case() -> None:
    for events in (
        [CREATED],
        [CREATED, VALIDATED],
        [CREATED, REJECTED],
        [CONNECTED, FAILED],
        [CREATED, VALIDATED, VALIDATED],
    ):
        assert of_last(events) == []


def test_whatever_validated_becomes_is_a_case() -> None:
    """3.1: which state precedes validated and rejected is not shown, so that it may be undone is not said."""
    matched = changed(VALIDATED, transaction_id="one")
    assert of_last([CREATED, matched, REJECTED]) == [("left_validated", None, KEY)]
    assert of_last([CREATED, REJECTED, matched]) == [("left_rejected", None, KEY)]


@pytest.mark.parametrize(
    ("field", "value", "wire_name"),
    [
        ("amount", Decimal(21), "amount"),
        ("transaction_date", datetime.date(2020, 1, 1), "transactionDate"),
        ("date", datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC), "date"),
    ],
)
def test_a_field_that_differs_from_what_was_created_is_named(field: str, value: object, wire_name: str) -> None:
    """2.4: amount and dates are those that the consumer declared."""
    assert of_last([CREATED, changed(VALIDATED, **{field: value})]) == [("differs_from_created", wire_name, KEY)]


def test_another_matching_transaction_is_a_case_and_the_first_one_is_not() -> None:
    """2.4: transactionId is set only if matched automatically."""
    matched = changed(VALIDATED, transaction_id="one")
    assert of_last([CREATED, matched]) == []
    assert of_last([CREATED, matched, changed(VALIDATED, transaction_id="other")]) == [
        ("differs_from_created", "transactionId", KEY)
    ]


def test_a_store_that_got_an_identifier_is_no_case() -> None:
    """2.4: storeExternalId is null when no client identifier exists *yet*; the other two are present only then."""
    nowhere = changed(CREATED, store_external_id=None, place_id="place-1", store_name="Corner shop")
    named = changed(VALIDATED, store_external_id="store-1", place_id=ABSENT, store_name=ABSENT)
    assert of_last([nowhere, named]) == []
    other = changed(VALIDATED, store_external_id=None, place_id="place-2", store_name="Corner shop")
    assert [kind for kind, *_ in of_last([nowhere, other])] == ["differs_from_created"]


def test_a_late_created_that_says_something_else_is_a_case() -> None:
    """It is not applied, but amounts and dates are those that the consumer declared."""
    tracker = bankhook.Tracker()
    tracker.apply(VALIDATED)
    for created, expected in (
        (CREATED, []),
        (changed(CREATED, amount=Decimal(3)), [("differs_from_created", "amount", KEY)]),
        (CREATED, []),
    ):
        outcome = tracker.apply(created)
        held = tracker.transaction(created.customer.id, KEY)
        assert [(kind.value, *rest) for kind, *rest in new_cases(created, outcome, held)] == expected


def test_a_late_created_of_a_store_that_got_an_identifier_since_is_no_case() -> None:
    """It is not applied, and what it says of the store held until the identifier came."""
    named = changed(VALIDATED, store_external_id="store-1", place_id=ABSENT, store_name=ABSENT)
    nowhere = {"store_external_id": None, "place_id": "place-1", "store_name": "Corner shop"}
    tracker = bankhook.Tracker()
    tracker.apply(named)
    for late, expected in (
        (changed(CREATED, **nowhere), []),
        (changed(CREATED, **nowhere, amount=Decimal(3)), ["amount"]),
        (changed(CREATED, store_external_id="store-2", place_id=ABSENT, store_name=ABSENT), ["storeExternalId"]),
    ):
        outcome = tracker.apply(late)
        held = tracker.transaction(late.customer.id, KEY)
        assert [field for _, field, _ in new_cases(late, outcome, held)] == expected


def test_a_create_after_a_list_named_the_connection_is_no_case() -> None:
    """6.2, 1: it is the connection's first event, whenever it comes."""
    other = SANDBOX.create_connection(SANDBOX.member(0))
    before = FAILED.replace(event_type="create", customer=other.customer)
    assert of_last([before, other]) == []


def test_a_first_event_that_is_not_the_first_of_its_resource_is_a_case() -> None:
    """3.1 and 6.2: a transaction starts as created, a connection with create."""
    assert of_last([VALIDATED]) == [("first_event_missing", None, KEY)]
    assert of_last([FAILED]) == [("first_event_missing", None, FAILED.connection.id)]


def test_a_broken_rule_that_is_stated_is_a_case_and_a_repeat_of_it_is_not() -> None:
    """6.3: initialTransaction.status equals eventType."""
    wrong = VALIDATED.replace(event_type="rejected")
    found = of_last([CREATED, wrong])
    assert ("findings_stated", "status_equals_event_type", KEY) in found
    assert of_last([CREATED, wrong, wrong]) == found  # nothing of it is applied, so it is no repeat
    unexplained = became("rejected", rejection_reason=None)
    assert [kind for kind, *_ in of_last([CREATED, unexplained])] == ["findings_stated"]
    assert of_last([CREATED, unexplained, unexplained]) == []


def test_a_transaction_is_open_until_it_is_validated_or_rejected() -> None:
    tracker = bankhook.Tracker()
    assert reopened(tracker.apply(CREATED)) == {KEY: True}
    assert reopened(tracker.apply(CREATED)) == {}
    assert reopened(tracker.apply(VALIDATED)) == {KEY: False}
    assert reopened(tracker.apply(REJECTED)) == {}


def test_a_transaction_is_added_by_the_first_event_that_is_applied() -> None:
    tracker = bankhook.Tracker()
    events = VALIDATED.replace(event_type="rejected"), VALIDATED, VALIDATED, REJECTED, CONNECTED
    assert [adds_transaction(tracker.apply(event)) for event in events] == [False, True, False, False, False]
