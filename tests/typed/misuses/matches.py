# SPDX-License-Identifier: MIT
"""A match that leaves a case out is refused where it says that no case is left."""

from __future__ import annotations

from typing import assert_never

import bankhook
from bankhook import (
    AnyEvent,
    BankConnectionsUpdateV2,
    InitialTransaction,
    InitialTransactionUpdate,
    RejectionReason,
    TransactionStatus,
    UnknownEvent,
)


def unknown_events_are_forgotten(event: AnyEvent) -> str:
    match event:
        case BankConnectionsUpdateV2(connection=connection):
            return connection.id
        case InitialTransactionUpdate(initial_transaction=transaction):
            return transaction.id
        case _:
            assert_never(event)
            # mypy says: Argument 1 to "assert_never" has incompatible type "UnknownEvent"
            # pyright says: Type "UnknownEvent" is not assignable to type "Never"


def one_of_the_listed_events_is_forgotten(event: AnyEvent) -> str:
    match event:
        case BankConnectionsUpdateV2(connection=connection):
            return connection.id
        case UnknownEvent(name):
            return name
        case _:
            assert_never(event)
            # mypy says: Argument 1 to "assert_never" has incompatible type "InitialTransactionUpdate"
            # pyright says: Type "InitialTransactionUpdate" is not assignable to type "Never"


def a_status_from_the_future_is_forgotten(event: InitialTransactionUpdate) -> str:
    match event.event_type:
        case TransactionStatus.CREATED | TransactionStatus.VALIDATED | TransactionStatus.REJECTED as status:
            return status
        case _:
            assert_never(event.event_type)
            # mypy says: Argument 1 to "assert_never" has incompatible type "str"
            # pyright says: Type "str" is not assignable to type "Never"


def a_listed_status_is_forgotten(status: TransactionStatus) -> bool:
    match status:
        case TransactionStatus.CREATED:
            return False
        case TransactionStatus.VALIDATED:
            return True
        case _:
            assert_never(status)
            # mypy says: Argument 1 to "assert_never" has incompatible type "Literal[TransactionStatus.REJECTED]"
            # pyright says: Type "Literal[TransactionStatus.REJECTED]" is not assignable to type "Never"


def null_is_forgotten(transaction: InitialTransaction) -> str:
    match transaction.rejection_reason:
        case RejectionReason.PURCHASE_NOT_FOUND | RejectionReason.BANK_CONSENT_EXPIRED as reason:
            return reason
        case str() as unknown:
            return unknown
        case _:
            assert_never(transaction.rejection_reason)
            # mypy says: Argument 1 to "assert_never" has incompatible type "None"
            # pyright says: Type "None" is not assignable to type "Never"


def absence_is_forgotten(transaction: InitialTransaction) -> str:
    match transaction.place_id:
        case str() as place:
            return place
        case _:
            assert_never(transaction.place_id)
            # mypy says: Argument 1 to "assert_never" has incompatible type "Absent"
            # pyright says: Type "Absent" is not assignable to type "Never"


def presence_is_forgotten(transaction: InitialTransaction) -> str:
    match transaction.place_id:
        case bankhook.ABSENT:
            return ""
        case _:
            assert_never(transaction.place_id)
            # mypy says: Argument 1 to "assert_never" has incompatible type "str"
            # pyright says: Type "str" is not assignable to type "Never"
