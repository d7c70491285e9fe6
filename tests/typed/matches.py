# SPDX-License-Identifier: MIT
"""A match over an event, its type or a member that covers all cases is accepted by both checkers."""

from __future__ import annotations

from typing import assert_never, assert_type

import bankhook
from bankhook import (
    ABSENT,
    AnyEvent,
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    ConnectionEventType,
    InitialTransaction,
    InitialTransactionUpdate,
    RejectionReason,
    TransactionStatus,
    UnknownEvent,
)


def by_class(event: AnyEvent) -> str:
    match event:
        case BankConnectionsUpdateV2(event_type, customer):
            assert_type(event_type, ConnectionEventType | str)
            assert_type(customer, ConnectedCustomer)
            return customer.id
        case InitialTransactionUpdate(initial_transaction=transaction):
            assert_type(transaction, InitialTransaction)
            return transaction.id
        case UnknownEvent(name, raw):
            assert_type(raw, bytes)
            return name
        case _:
            assert_never(event)


def by_the_type_of_one_event(event: InitialTransactionUpdate) -> str:
    match event.event_type:
        case TransactionStatus.CREATED:
            return "submitted"
        case TransactionStatus.VALIDATED:
            return "done"
        case TransactionStatus.REJECTED:
            return str(event.initial_transaction.rejection_reason)
        case str() as unknown:  # a status from the future
            return unknown
        case _:
            assert_never(event.event_type)


def by_the_type_of_the_other_event(event: BankConnectionsUpdateV2) -> int:
    match event.event_type:
        case ConnectionEventType.CREATE | ConnectionEventType.UPDATE:
            return len(event.connection.accounts)
        case ConnectionEventType.DELETE:
            return 0
        case str():
            return -1
        case _:
            assert_never(event.event_type)


def by_listed_values_only(status: TransactionStatus) -> bool:
    match status:
        case TransactionStatus.CREATED:
            return False
        case TransactionStatus.VALIDATED | TransactionStatus.REJECTED:
            return True
        case _:
            assert_never(status)


def by_a_reason_that_may_be_null(transaction: InitialTransaction) -> str:
    match transaction.rejection_reason:
        case None:
            return "not rejected"
        case RejectionReason.PURCHASE_NOT_FOUND:
            return "look at the purchase"
        case RejectionReason.BANK_CONSENT_EXPIRED:
            return "renew the consent"
        case str() as unknown:
            return unknown
        case _:
            assert_never(transaction.rejection_reason)


def by_presence(transaction: InitialTransaction) -> str:
    match transaction.place_id:
        case bankhook.ABSENT:
            return transaction.store_external_id or "nowhere"
        case str() as place:
            return place
        case _:
            assert_never(transaction.place_id)


def by_tests_of_classes(event: AnyEvent) -> str:
    if isinstance(event, BankConnectionsUpdateV2):
        return event.connection.bank
    if isinstance(event, InitialTransactionUpdate):
        place = event.initial_transaction.place_id
        return "" if place is ABSENT else place
    assert_type(event, UnknownEvent)
    return event.event
