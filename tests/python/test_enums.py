# SPDX-License-Identifier: MIT
"""Enumerations are real StrEnums; a value that is not known yet is kept as plain text."""

from __future__ import annotations

import enum
import pickle

import pytest

from bankhook import ConnectionEventType, Evidence, RejectionReason, TransactionStatus, Verdict
from python.parsed import connections_update, transaction_update

ENUMS: list[type[enum.StrEnum]] = [ConnectionEventType, TransactionStatus, RejectionReason, Evidence, Verdict]
MEMBERS = [member for kind in ENUMS for member in kind]


def test_an_event_of_a_connection_creates_updates_or_deletes() -> None:
    """Spec 6.2."""
    assert [(member.name, member.value) for member in ConnectionEventType] == [
        ("CREATE", "create"),
        ("UPDATE", "update"),
        ("DELETE", "delete"),
    ]


def test_a_transaction_is_created_validated_or_rejected() -> None:
    """Spec 2.4 and 3.1."""
    assert [(member.name, member.value) for member in TransactionStatus] == [
        ("CREATED", "created"),
        ("VALIDATED", "validated"),
        ("REJECTED", "rejected"),
    ]


def test_a_rejection_has_one_of_two_reasons() -> None:
    """Spec 2.4."""
    assert [(member.name, member.value) for member in RejectionReason] == [
        ("PURCHASE_NOT_FOUND", "purchaseNotFound"),
        ("BANK_CONSENT_EXPIRED", "bankConsentExpired"),
    ]


def test_evidence_is_stated_shown_in_an_example_or_assumed() -> None:
    assert [(member.name, member.value) for member in Evidence] == [
        ("STATED", "stated"),
        ("EXAMPLE", "example"),
        ("ASSUMED", "assumed"),
    ]


def test_a_verdict_has_four_values() -> None:
    assert [(member.name, member.value) for member in Verdict] == [
        ("SPECIFIED", "specified"),
        ("ASSUMED", "assumed"),
        ("UNSPECIFIED", "unspecified"),
        ("CONTRADICTS", "contradicts"),
    ]


@pytest.mark.parametrize("kind", ENUMS)
def test_an_enumeration_is_a_str_enum_of_the_package(kind: type[enum.StrEnum]) -> None:
    assert issubclass(kind, enum.StrEnum)
    assert kind.__module__ == "bankhook"


@pytest.mark.parametrize("member", MEMBERS)
def test_a_member_is_its_text(member: enum.StrEnum) -> None:
    assert member == member.value
    assert f"{member}" == member.value
    assert hash(member) == hash(member.value)


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_member_pickles_to_itself(member: enum.StrEnum, protocol: int) -> None:
    assert pickle.loads(pickle.dumps(member, protocol)) is member


def test_a_known_value_is_the_member_itself() -> None:
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


def test_a_constructor_takes_the_text_of_a_member_for_the_member() -> None:
    update = transaction_update()
    assert update.replace(event_type="rejected").event_type is TransactionStatus.REJECTED
    assert update.replace(event_type=TransactionStatus.REJECTED).event_type is TransactionStatus.REJECTED


def test_a_constructor_keeps_the_text_of_an_unknown_value() -> None:
    event_type = transaction_update().replace(event_type="paused").event_type
    assert (type(event_type), event_type) == (str, "paused")
