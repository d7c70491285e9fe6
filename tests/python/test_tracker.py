# SPDX-License-Identifier: MIT
"""Tracker: outcomes, the tracked state, and the reasons."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import ABSENT, Tracker, Verdict
from bankhook.types import ChangeKind, ChangeSubject, Outcome
from python.parsed import connections_update, payload, transaction_update, unknown_event


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


def test_first_submission_is_specified() -> None:
    outcome = Tracker().apply(transaction("created"))
    assert (outcome.verdict, outcome.repeat, outcome.accepted) == (Verdict.SPECIFIED, False, True)
    assert isinstance(outcome.reason, bankhook.types.Transition)
    assert outcome.reason in bankhook.transaction_lifecycle.transitions
    assert outcome.reason.section == "3.1"
    assert [change.label for change in outcome.changes] == ["member_added", "transaction_added"]
    assert outcome.findings == ()


def test_change_tells_what_was_before_and_what_is_after() -> None:
    tracker = Tracker()
    tracker.apply(transaction("created", amount=Decimal("19.90")))
    outcome = tracker.apply(transaction("validated", amount=Decimal("20.10"), transaction_id="tr-1"))
    amount, status, matched = outcome.changes
    assert (amount.kind, amount.subject) == (ChangeKind.CHANGED, ChangeSubject.TRANSACTION)
    assert (amount.field, amount.id, amount.parent_id) == ("amount", status.id, "member-0001")
    assert (amount.label, amount.status_reached) == ("transaction_changed", None)
    assert (amount.before, amount.after) == (Decimal("19.90"), Decimal("20.10"))
    assert (status.label, status.before, status.after) == ("transaction_status_changed", "created", "validated")
    assert (status.kind, status.status_reached) == (ChangeKind.CHANGED, "validated")
    assert (matched.field, matched.before, matched.after) == ("transactionId", None, "tr-1")


def test_repeat_changes_no_byte() -> None:
    tracker = Tracker()
    tracker.apply(transaction("created"))
    before = tracker.snapshot()
    outcome = tracker.apply(transaction("created"))
    repeated = next(rule for rule in bankhook.rules if rule.id == "event_is_not_repeated")
    assert outcome == Outcome(Verdict.UNSPECIFIED, repeated, True, True, True, (), ())
    assert tracker.snapshot() == before


def test_became_is_true_once_however_often_and_in_whatever_order_the_event_comes() -> None:
    tracker = Tracker()
    first = tracker.apply(transaction("created"))
    assert first.became("created")
    assert not first.became(bankhook.TransactionStatus.VALIDATED)
    assert tracker.apply(transaction("validated")).became("validated")
    assert not tracker.apply(transaction("validated")).became("validated")
    assert not tracker.apply(transaction("created")).became("created")
    assert Tracker().apply(transaction("validated")).became(bankhook.TransactionStatus.VALIDATED)


def test_a_status_that_nothing_has_is_misspelt_and_one_of_the_future_is_found() -> None:
    tracker, created = Tracker(), transaction("created")
    outcome = tracker.apply(created)
    asks: list[Callable[[str], object]] = [outcome.became, lambda status: tracker.transactions(status=status)]
    for ask in asks:
        with pytest.raises(ValueError, match=r"status: no transaction has this one, .*did you mean 'validated'"):
            ask("valdated")
        with pytest.raises(ValueError, match="there are created, validated, rejected"):
            ask("nonsense")
        assert not ask("rejected")
    settled = tracker.apply(transaction("settled"))
    assert settled.became("settled") and not settled.became("validated")
    assert len(tracker.transactions(status="settled")) == 1
    assert tracker.transactions("nobody", status="settled") == ()


def test_redelivered_create_takes_no_other_connection() -> None:
    tracker = Tracker()
    create = connections_update("connection_created")
    one, two = create.connection, create.connection.replace(id="conn-2")
    first = create.replace(customer=create.customer.replace(connections=[one], connections_on=1))
    second = create.replace(connection=two, customer=create.customer.replace(connections=[one, two], connections_on=2))
    for event in (first, second):
        tracker.apply(event)
    before = tracker.snapshot()
    again = tracker.apply(first)
    assert (again.verdict, again.repeat, again.seen_before, again.changes) == (Verdict.UNSPECIFIED, True, True, ())
    assert tracker.snapshot() == before


@pytest.mark.parametrize("unlist", [True, False])
def test_connection_that_is_no_longer_listed_is_unlisted_and_comes_back(unlist: bool) -> None:
    lifecycle = bankhook.connection_lifecycle
    if not unlist:
        lifecycle = lifecycle.with_row("created", "not_listed", None)
    tracker = Tracker(connection_lifecycle=lifecycle)
    assert tracker.connection_lifecycle is lifecycle
    create = connections_update("connection_created")
    one, two = create.connection, create.connection.replace(id="conn-2")
    both = create.customer.replace(connections=[one, two])
    tracker.apply(create.replace(customer=create.customer.replace(connections=[one])))
    tracker.apply(create.replace(connection=two, customer=both))
    less = create.replace(event_type="update", connection=two, customer=create.customer.replace(connections=[two]))
    outcome = tracker.apply(less)
    assert ("connection_unlisted" in [change.label for change in outcome.changes]) is unlist
    held = tracker.connection(create.customer.id, one.id)
    assert held is not None
    assert held.state == ("unlisted" if unlist else "created")
    if unlist:
        assert outcome.verdict is Verdict.UNSPECIFIED
        assert isinstance(outcome.reason, bankhook.types.Rule)
        assert outcome.reason.id == "unlisted_connection_is_gone"
        back = tracker.apply(less.replace(customer=both))
        assert "connection_listed_again" in [change.label for change in back.changes]
        assert tracker.connection(create.customer.id, one.id) == held.replace(state="updated")


@pytest.mark.parametrize(("code", "message", "expected"), [(None, None, False), ("1010", None, True), (None, "x", True)])
def test_a_connection_is_in_error_with_a_code_or_a_message(code: str | None, message: str | None, expected: bool) -> None:
    """Spec 2.2."""
    event = connections_update("connection_created")
    own = event.connection.replace(error_code=code, error_message=message)
    tracker = Tracker()
    tracker.apply(event.replace(connection=own, customer=event.customer.replace(connections=[own])))
    (tracked,) = tracker.connections()
    assert tracked.is_in_error is expected
    assert tracker.in_error() == ((tracked,) if expected else ())


def test_connections_in_error_are_neither_deleted_nor_unlisted() -> None:
    tracker = Tracker()
    tracker.apply(connection("update", error_code="1010", error_message=None))
    assert [held.connection.error_code for held in tracker.in_error()] == ["1010"]
    tracker.apply(connection("delete", error_code="1010", error_message=None))
    assert tracker.in_error() == ()


def test_missed_first_events_are_reported_with_their_rows() -> None:
    created = Tracker().apply(transaction("validated"))
    assert created.reason is bankhook.transaction_lifecycle.step(None, "store_set_up").transition
    assert (created.verdict, created.accepted) == (Verdict.UNSPECIFIED, True)
    assert created.changes[1].first_event_missing
    create = Tracker().apply(connection("update"))
    assert create.reason is bankhook.connection_lifecycle.step(None, "update").transition
    assert (create.verdict, create.accepted) == (Verdict.UNSPECIFIED, True)
    assert create.changes[1].first_event_missing


def test_what_follows_an_end_is_applied_and_unspecified() -> None:
    tracker = Tracker()
    tracker.apply(transaction("validated"))
    outcome = tracker.apply(transaction("rejected", rejection_reason="purchaseNotFound"))
    assert (outcome.verdict, outcome.accepted) == (Verdict.UNSPECIFIED, True)
    assert outcome.reason is bankhook.transaction_lifecycle.step("validated", "store_not_set_up").transition
    assert outcome.became("rejected")


def test_connection_that_flaps_is_followed() -> None:
    tracker = Tracker()
    tracker.apply(connection("create"))
    well = connection("update")
    ill = connection("update", error_code="1010", error_message="Try again later")
    tracker.apply(well)
    for _ in range(2):
        raised, cleared = tracker.apply(ill), tracker.apply(well)
        assert [(c.label, c.field, c.before, c.after) for c in raised.changes] == [
            ("error_raised", "errorCode", None, "1010"),
            ("error_message_raised", "errorMessage", None, "Try again later"),
        ]
        assert [c.label for c in cleared.changes] == ["error_cleared", "error_message_cleared"]
        assert [c.raises_error for c in (*raised.changes, *cleared.changes)] == [True, True, False, False]
    assert tracker.apply(well).repeat


def test_peek_is_apply_without_a_change() -> None:
    tracker = Tracker()
    for event in (transaction("created"), connection("create"), unknown_event(), transaction("validated")):
        before = tracker.snapshot()
        peeked = tracker.peek(event)
        assert tracker.snapshot() == before
        assert tracker.apply(event) == peeked


def test_unknown_event_and_unknown_values_never_fail() -> None:
    tracker = Tracker()
    outcome = tracker.apply(unknown_event())
    assert isinstance(outcome.reason, bankhook.types.Rule)
    assert (outcome.verdict, outcome.reason.id, outcome.changes) == (Verdict.UNSPECIFIED, "event_is_listed", ())
    outcome = tracker.apply(transaction("settled"))
    assert (outcome.verdict, outcome.accepted) == (Verdict.UNSPECIFIED, True)
    assert tracker.transactions(status="settled")[0].initial_transaction.status == "settled"


def test_findings_travel_with_the_outcome() -> None:
    event = transaction("validated").replace(event_type="rejected")
    outcome = Tracker().apply(event)
    assert outcome.verdict is Verdict.CONTRADICTS
    assert "status_equals_event_type" in [finding.rule for finding in outcome.findings]
    assert outcome.findings == bankhook.check(event)


def test_queries_return_objects_of_the_library() -> None:
    tracker = Tracker()
    bank, submitted = connections_update(), transaction("created")
    tracker.apply(bank)
    tracker.apply(submitted)
    held = tracker.connection(bank.customer.id, bank.connection.id)
    assert held is not None
    assert (held.connection, held.member_id, held.event_type) == (bank.connection, bank.customer.id, bank.event_type)
    member = tracker.member(bank.customer.id)
    assert member is not None and member.membership is not None
    assert member.membership.shopping_hub_id == bank.shopping_hub_id
    assert tracker.accounts(bank.customer.id) == bank.connection.accounts
    assert tracker.connections() == tracker.connections(bank.customer.id) == (held,)
    assert tracker.transactions()[0].initial_transaction == submitted.initial_transaction
    assert tracker.transactions(submitted.customer.id, status="validated") == ()
    assert (tracker.member("x"), tracker.connection("x", "x"), tracker.transaction("x", "x")) == (None, None, None)
    assert list(tracker) == [bank.customer.id]
    assert bank.customer.id in tracker and "x" not in tracker and 5 not in tracker
    assert len(tracker) == 1
    assert tracker.memory > 0
    assert json.loads(held.to_json())["connection"]["id"] == bank.connection.id


def test_what_awaits_accounts_and_what_ends_soon() -> None:
    tracker = Tracker()
    end = datetime.datetime(2027, 3, 1, 9, 30)
    tracker.apply(connection("create", accounts=(), consent_expires_at=end))
    assert len(tracker.awaiting_accounts()) == 1
    assert len(tracker.consents_ending_before(end + datetime.timedelta(microseconds=1))) == 1
    assert tracker.consents_ending_before(end) == ()
    tracker.apply(connection("delete", accounts=(), consent_expires_at=ABSENT))
    assert tracker.awaiting_accounts() == ()
    held = tracker.connections()[0]
    assert held.state is bankhook.types.ConnectionState.DELETED


def test_objects_outlive_the_tracker_and_its_changes() -> None:
    tracker = Tracker()
    tracker.apply(transaction("created", store_external_id="before"))
    held = tracker.transactions()[0]
    outcome = tracker.apply(transaction("validated", store_external_id="after"))
    for i in range(100):
        tracker.apply(transaction("validated", store_external_id=f"later-{i}"))
    del tracker
    assert held.initial_transaction.store_external_id == "before"
    assert outcome.changes[0].before == "before"


def test_payload_of_every_sample_is_taken() -> None:
    tracker = Tracker()
    for name in ("connection_created", "connection_updated_with_accounts", "member_with_many_connections"):
        tracker.apply(bankhook.parse(payload(name)))
    assert len(tracker.connections()) > 3
