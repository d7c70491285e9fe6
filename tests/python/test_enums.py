# SPDX-License-Identifier: MIT
"""Enumerations are real StrEnums; a value that is not known yet is kept as plain text."""

from __future__ import annotations

import enum
import pickle

import pytest

from bankhook import ConnectionEventType, Evidence, RejectionReason, TransactionStatus, Verdict
from python.parsed import connections_update, transaction_update

ENUMS: list[type[enum.StrEnum]] = [ConnectionEventType, TransactionStatus, RejectionReason, Evidence, Verdict]
ENUMERATORS = [enumerator for kind in ENUMS for enumerator in kind]


def test_an_event_of_a_connection_creates_updates_or_deletes() -> None:
    """Spec 6.2."""
    assert [(enumerator.name, enumerator.value) for enumerator in ConnectionEventType] == [
        ("CREATE", "create"),
        ("UPDATE", "update"),
        ("DELETE", "delete"),
    ]


def test_a_transaction_is_created_validated_or_rejected() -> None:
    """Spec 2.4 and 3.1."""
    assert [(enumerator.name, enumerator.value) for enumerator in TransactionStatus] == [
        ("CREATED", "created"),
        ("VALIDATED", "validated"),
        ("REJECTED", "rejected"),
    ]


def test_a_rejection_has_one_of_two_reasons() -> None:
    """Spec 2.4."""
    assert [(enumerator.name, enumerator.value) for enumerator in RejectionReason] == [
        ("PURCHASE_NOT_FOUND", "purchaseNotFound"),
        ("BANK_CONSENT_EXPIRED", "bankConsentExpired"),
    ]


def test_evidence_is_stated_shown_in_an_example_or_assumed() -> None:
    assert [(enumerator.name, enumerator.value) for enumerator in Evidence] == [
        ("STATED", "stated"),
        ("EXAMPLE", "example"),
        ("ASSUMED", "assumed"),
    ]


def test_a_verdict_has_four_values() -> None:
    assert [(enumerator.name, enumerator.value) for enumerator in Verdict] == [
        ("SPECIFIED", "specified"),
        ("ASSUMED", "assumed"),
        ("UNSPECIFIED", "unspecified"),
        ("CONTRADICTS", "contradicts"),
    ]


@pytest.mark.parametrize("kind", ENUMS)
def test_an_enumeration_is_a_str_enum_of_the_package(kind: type[enum.StrEnum]) -> None:
    assert issubclass(kind, enum.StrEnum)
    assert kind.__module__ == "bankhook"


@pytest.mark.parametrize("enumerator", ENUMERATORS)
def test_an_enumerator_equals_its_text(enumerator: enum.StrEnum) -> None:
    assert enumerator == enumerator.value
    assert f"{enumerator}" == enumerator.value
    assert hash(enumerator) == hash(enumerator.value)


@pytest.mark.parametrize("enumerator", ENUMERATORS)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_enumerator_pickles_to_itself(enumerator: enum.StrEnum, protocol: int) -> None:
    assert pickle.loads(pickle.dumps(enumerator, protocol)) is enumerator


def test_a_known_value_is_the_enumerator_itself() -> None:
    assert connections_update("connection_deleted").event_type is ConnectionEventType.DELETE
    update = transaction_update("transaction_rejected_bank_consent_expired")
    assert update.event_type is TransactionStatus.REJECTED
    assert update.initial_transaction.status is TransactionStatus.REJECTED
    assert update.initial_transaction.rejection_reason is RejectionReason.BANK_CONSENT_EXPIRED


def test_an_unknown_value_is_a_plain_str() -> None:
    update = transaction_update("unknown_values")
    assert (type(update.event_type), update.event_type) == (str, "suspended")
    reason = update.initial_transaction.rejection_reason
    assert (type(reason), reason) == (str, "storeClosed")
    assert type(connections_update("unknown_connection_event_type").event_type) is str


def test_a_constructor_takes_the_text_of_an_enumerator() -> None:
    update = transaction_update()
    assert update.replace(event_type="rejected").event_type is TransactionStatus.REJECTED
    assert update.replace(event_type=TransactionStatus.REJECTED).event_type is TransactionStatus.REJECTED


def test_a_constructor_keeps_the_text_of_an_unknown_value() -> None:
    event_type = transaction_update().replace(event_type="paused").event_type
    assert (type(event_type), event_type) == (str, "paused")
