# SPDX-License-Identifier: MIT
"""The sandbox: operations by sections 3.1 and 6.2 of the specification, choices, and what is refused."""

from __future__ import annotations

import copy
import datetime
import pickle
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from bankhook import (
    BankConnectionsUpdateV2,
    ConnectionEventType,
    Evidence,
    InitialTransactionUpdate,
    RejectionReason,
    Sandbox,
    TransactionStatus,
    _core,
    diagnose,
    parse,
)
from bankhook.sandbox import SandboxError

ANY: Any = dict  # arguments that checkers refuse, too

DAY = datetime.date(2026, 5, 3)
START = datetime.date(2026, 1, 1)


def created(sandbox: Sandbox) -> BankConnectionsUpdateV2:
    """A connection of the first member."""
    return sandbox.create_connection(sandbox.member(0))


def submitted(sandbox: Sandbox) -> InitialTransactionUpdate:
    """An initial transaction of the first member."""
    return sandbox.send_initial_transaction(sandbox.member(0))


def test_an_operation_returns_the_event_that_the_service_would_send() -> None:
    """Spec 6.2."""
    sandbox = Sandbox(1)
    event = created(sandbox)
    assert event.event_type == ConnectionEventType.CREATE
    assert event.customer.id == sandbox.members[0].id
    assert parse(event.raw) == event


def test_an_event_outlives_what_the_sandbox_does_next() -> None:
    sandbox = Sandbox(1)
    event = created(sandbox)
    raw = bytes(event.raw)
    for _ in sandbox.deliveries(100):
        pass
    del sandbox
    assert event.to_json() == raw


def test_a_connection_is_created_updated_and_deleted() -> None:
    """Spec 6.2: create, then update with accounts; the event types of the other triggers are chosen."""
    sandbox = Sandbox(1, accounts_at_creation="none")
    event = created(sandbox)
    assert event.connection.accounts == ()
    event = sandbox.create_accounts(event)
    assert event.event_type == ConnectionEventType.UPDATE and event.connection.accounts
    event = sandbox.update_accounts(event.connection)
    event = sandbox.desynchronise(event.connection.id)
    assert event.connection.error_code is not None and event.customer.connections_off == 1
    event = sandbox.resynchronise(event)
    assert event.connection.error_code is None and event.customer.connections_on == 1
    event = sandbox.delete_connection(event)
    assert event.event_type == ConnectionEventType.DELETE and event.customer.connections == ()


def test_a_transaction_is_validated_or_rejected() -> None:
    """Spec 3.1."""
    sandbox = Sandbox(1)
    event = sandbox.validate(submitted(sandbox), matched=False)
    assert event.event_type == TransactionStatus.VALIDATED and event.initial_transaction.transaction_id is None
    event = sandbox.validate(submitted(sandbox).initial_transaction)
    assert event.initial_transaction.transaction_id is not None
    event = sandbox.reject(submitted(sandbox).initial_transaction.id, RejectionReason.BANK_CONSENT_EXPIRED)
    assert event.initial_transaction.rejection_reason == RejectionReason.BANK_CONSENT_EXPIRED


def test_a_purchase_is_sent_as_it_was_submitted() -> None:
    """Spec 2.4."""
    sandbox = Sandbox(1)
    event = sandbox.send_initial_transaction(
        sandbox.member(0), amount=Decimal("19.90"), transaction_date=DAY, place_id="place-1", store_name="Exemple"
    )
    said = event.initial_transaction
    assert (str(said.amount), said.transaction_date, said.place_id) == ("19.90", DAY, "place-1")
    event = sandbox.send_initial_transaction(event, amount=7, transaction_date=DAY, store_external_id="store-1")
    assert event.initial_transaction.store_external_id == "store-1"


def test_what_cannot_be_done_is_refused_in_a_sentence() -> None:
    sandbox = Sandbox(1)
    event = submitted(sandbox)
    sandbox.validate(event)
    with pytest.raises(SandboxError, match="validated or rejected before") as refused:
        sandbox.reject(event, "purchaseNotFound")
    assert refused.value.code == "transaction_is_processed"
    assert isinstance(refused.value, ValueError)
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.code) == (str(refused.value), refused.value.code)


def test_the_choices_are_listed_with_what_they_rest_on() -> None:
    choices = {choice.name: choice for choice in Sandbox.choices}
    assert choices["preceding_state"].section == "3.1"
    assert choices["delete_event_type"].default == "delete"
    stated = [choice.name for choice in Sandbox.choices if choice.evidence != Evidence.ASSUMED]
    assert stated == ["status_in_event"]  # 6.3: status equals eventType
    assert all(choice.default in choice.values and choice.question for choice in Sandbox.choices)


def test_every_answer_of_every_choice_can_be_chosen() -> None:
    for choice in Sandbox.choices:
        for value in choice.values:
            keywords: dict[str, Any] = {choice.name: value}
            for delivery in Sandbox(1, 3, **keywords).deliveries(50):
                parse(delivery.payload)


def test_a_choice_changes_what_is_sent() -> None:
    sandbox = Sandbox(1, desynchronise_event_type=ConnectionEventType.DELETE)
    event = sandbox.desynchronise(created(sandbox))
    assert event.event_type == ConnectionEventType.DELETE


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: Sandbox(**ANY(currency="EUR")), TypeError, "'currency'; choices are desynchronise_event_type"),
        (lambda: Sandbox(**ANY(preceding_state="none")), ValueError, "preceding_state: expected one of created, any"),
        (lambda: Sandbox(**ANY(preceding_state=3)), TypeError, "preceding_state: expected str, found int"),
        (lambda: Sandbox(-1), ValueError, "seed: expected 0"),
        (lambda: Sandbox("1"), TypeError, "seed: expected int, found str"),  # type: ignore[arg-type]
        (lambda: Sandbox(1, 0), ValueError, "members: expected 1"),
        (lambda: Sandbox(1, True), TypeError, "members: expected int, found bool"),
        (lambda: Sandbox(1, faults=1.5), ValueError, "faults.duplicate: expected a share"),
        (lambda: Sandbox(1, faults=float("nan")), ValueError, "faults.duplicate: expected a share"),
        (lambda: Sandbox(1, faults={"drop": 1.0}), ValueError, "faults.drop: expected at most 0.99"),
        (lambda: Sandbox(1, faults={"lost": 0.1}), ValueError, "there is no lost; known are duplicate"),
        (lambda: Sandbox(1, faults={"drop": "x"}), TypeError, "faults.drop: expected a number"),  # type: ignore[dict-item]
        (lambda: Sandbox(1, faults=[0.1]), TypeError, "faults: expected Faults"),  # type: ignore[arg-type]
        (lambda: Sandbox().member(100), ValueError, "index: expected 0 to 99"),
        (lambda: Sandbox().deliveries(-1), ValueError, "count: expected 0"),
        (lambda: Sandbox().create_connection(3), TypeError, "member: expected an id"),  # type: ignore[arg-type]
        (lambda: Sandbox().create_connection("somebody"), SandboxError, "no member with this id"),
        (lambda: Sandbox().validate("it-0001"), SandboxError, "no initial transaction with this id"),
        (lambda: Sandbox().disable(None), TypeError, "connection: expected an id"),  # type: ignore[arg-type]
        (lambda: Sandbox().reject("x", "whatever"), ValueError, "expected purchaseNotFound or bankConsentExpired"),
        (lambda: Sandbox().reject("x", None), TypeError, "reason: expected"),  # type: ignore[arg-type]
        (lambda: Sandbox().send_initial_transaction("x", amount=1), TypeError, "needs amount and transaction_date"),
        (
            lambda: Sandbox().send_initial_transaction("x", amount=1.5, transaction_date=DAY),  # type: ignore[arg-type]
            TypeError,
            "amount: expected",
        ),
        (
            lambda: Sandbox().send_initial_transaction(Sandbox().member(0), amount=1, transaction_date=DAY),
            SandboxError,
            "needs a place id and a name",
        ),
        (lambda: pickle.dumps(Sandbox()), TypeError, "not pickled"),
        (lambda: _core._Sandbox(), TypeError, "cannot create"),
        (lambda: _core._Sandbox.__new__(_core._Sandbox), TypeError, "not safe"),
        (lambda: object.__new__(_core._Sandbox), TypeError, "not safe"),
        (lambda: object.__new__(Sandbox).members, AttributeError, "_size"),
    ],
)
def test_a_wrong_argument_is_an_error(make: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()


def test_a_text_that_utf8_cannot_hold_is_no_id() -> None:
    with pytest.raises((TypeError, ValueError)):
        Sandbox().create_connection("\ud800")


def test_a_sandbox_says_how_it_was_made() -> None:
    assert repr(Sandbox(3, 5, preceding_state="any")) == "Sandbox(seed=3, members=5, preceding_state='any')"


def test_a_copy_goes_on_on_its_own() -> None:
    sandbox = Sandbox(3, faults=0.1)
    list(sandbox.deliveries(100))
    other = copy.copy(sandbox)
    assert list(other.deliveries(50)) == list(sandbox.deliveries(50))
    assert copy.deepcopy(sandbox).event_count == sandbox.event_count


def test_the_clock_starts_when_it_is_asked_to_and_a_history_spans_its_time() -> None:
    start, pace = datetime.datetime(2027, 3, 1, 9, 30, tzinfo=datetime.UTC), datetime.timedelta(hours=6)
    sandbox = Sandbox(seed=3, members=5, start=start, pace=pace)
    dates = [
        event.initial_transaction.date
        for delivery in sandbox.deliveries(400)
        if isinstance(event := parse(delivery.payload), InitialTransactionUpdate)
    ]
    assert start < min(dates) < start + datetime.timedelta(days=3)
    assert start + 300 * pace < max(dates) < start + 500 * pace  # the mean of 400 steps, each of 0 to 12 hours
    assert [each.payload for each in Sandbox(3, 5, start=START).deliveries(50)] == [
        each.payload for each in Sandbox(3, 5).deliveries(50)
    ]


@pytest.mark.parametrize(
    ("start", "same"),
    [
        (datetime.date(2027, 3, 1), datetime.datetime(2027, 3, 1, tzinfo=datetime.UTC)),
        (
            datetime.datetime(2027, 3, 1, 9, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
            datetime.datetime(2027, 3, 1, 7, tzinfo=datetime.UTC),
        ),
    ],
)
def test_a_date_starts_at_its_midnight_in_utc(start: datetime.date, same: datetime.datetime) -> None:
    assert submitted(Sandbox(1, start=start)).raw == submitted(Sandbox(1, start=same)).raw


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"start": "2026-01-01"}, TypeError),
        ({"start": datetime.date(1969, 12, 31)}, ValueError),
        ({"start": datetime.datetime.max.replace(tzinfo=datetime.UTC)}, ValueError),
        ({"start": datetime.datetime(2026, 5, 1)}, ValueError),
        ({"pace": 10}, TypeError),
        ({"pace": datetime.timedelta(0)}, ValueError),
        ({"pace": datetime.timedelta(days=25)}, ValueError),
    ],
)
def test_a_time_out_of_range_is_refused(arguments: dict[str, Any], error: type[Exception]) -> None:
    (name,) = arguments
    with pytest.raises(error, match=name):
        Sandbox(1, **arguments)


@pytest.mark.parametrize("start", [datetime.date(1970, 1, 1), datetime.date(9990, 1, 1)])
def test_events_at_the_ends_of_the_clock_are_valid(start: datetime.date) -> None:
    for delivery in Sandbox(2, start=start, pace=datetime.timedelta(days=24)).deliveries(300):
        assert diagnose(delivery.payload) == ()
