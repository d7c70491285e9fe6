# SPDX-License-Identifier: MIT
"""What type checkers say of every member of every event and resource; never run, both checkers read it."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any, Literal, assert_type

from bankhook import (
    ABSENT,
    Account,
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    Connection,
    ConnectionEventType,
    Customer,
    InitialTransaction,
    InitialTransactionUpdate,
    RejectionReason,
    TransactionStatus,
    UnknownEvent,
)
from bankhook.types import Absent, ConnectionState, Membership, TrackedConnection, TrackedMember, TrackedTransaction


def resources(account: Account, connection: Connection, customer: Customer, connected: ConnectedCustomer) -> None:
    assert_type(account.id, str)
    assert_type(account.account_hash, str | None)
    assert_type(connection.id, str)
    assert_type(connection.error_code, str | None)
    assert_type(connection.error_message, str | None)
    assert_type(connection.bank, str)
    assert_type(connection.transactions_eligible_from_date, datetime.date)
    assert_type(connection.consent_expires_at, datetime.datetime | Absent)
    assert_type(connection.accounts, tuple[Account, ...])
    assert_type(customer.id, str)
    assert_type(customer.external_id, str)
    assert_type(connected.id, str)
    assert_type(connected.external_id, str)
    assert_type(connected.connections_on, int)
    assert_type(connected.connections_off, int)
    assert_type(connected.connections, tuple[Connection, ...])
    assert_type(connected.connections[0].accounts[0].account_hash, str | None)


def purchase(transaction: InitialTransaction) -> None:
    assert_type(transaction.id, str)
    assert_type(transaction.amount, Decimal)
    assert_type(transaction.store_external_id, str | None)
    assert_type(transaction.place_id, str | Absent)
    assert_type(transaction.store_name, str | Absent)
    assert_type(transaction.status, TransactionStatus | str)
    assert_type(transaction.rejection_reason, RejectionReason | str | None)
    assert_type(transaction.transaction_date, datetime.date)
    assert_type(transaction.transaction_id, str | None)
    assert_type(transaction.date, datetime.datetime)


def events(bank: BankConnectionsUpdateV2, update: InitialTransactionUpdate, unknown: UnknownEvent) -> None:
    assert_type(bank.event, Literal["bank_connections_update_v2"])
    assert_type(bank.event_type, ConnectionEventType | str)
    assert_type(bank.customer, ConnectedCustomer)
    assert_type(bank.connection, Connection)
    assert_type(bank.shopping_hub_id, str)
    assert_type(bank.shopping_hub_external_id, str)
    assert_type(bank.raw, bytes)
    assert_type(update.event, Literal["initial_transaction_update"])
    assert_type(update.event_type, TransactionStatus | str)
    assert_type(update.customer, Customer)
    assert_type(update.initial_transaction, InitialTransaction)
    assert_type(update.raw, bytes)
    assert_type(unknown.event, str)
    assert_type(unknown.raw, bytes)


def held(member: TrackedMember, connection: TrackedConnection, transaction: TrackedTransaction) -> None:
    assert_type(member.customer, Customer)
    assert_type(member.membership, Membership | None)
    assert_type(connection.connection, Connection)
    assert_type(connection.event_type, ConnectionEventType | str | None)
    assert_type(connection.state, ConnectionState | str | None)
    assert_type(connection.member_id, str)
    assert_type(transaction.initial_transaction, InitialTransaction)
    assert_type(transaction.state, TransactionStatus | str | None)
    assert_type(transaction.customer, Customer)


def programme(membership: Membership) -> None:
    assert_type(membership.connections_on, int)
    assert_type(membership.connections_off, int)
    assert_type(membership.shopping_hub_id, str)
    assert_type(membership.shopping_hub_external_id, str)


def methods(account: Account, update: InitialTransactionUpdate) -> None:
    assert_type(account.replace(account_hash="hash"), Account)
    assert_type(account.to_json(), bytes)
    assert_type(account.to_dict(), dict[str, Any])
    assert_type(account == account, bool)
    assert_type(hash(account), int)
    assert_type(update.replace(event_type="validated"), InitialTransactionUpdate)


def absence_is_narrowed_in_each_way(transaction: InitialTransaction) -> None:
    if transaction.place_id is ABSENT:
        assert_type(transaction.place_id, Literal[Absent.ABSENT])
    else:
        assert_type(transaction.place_id, str)
    if transaction.store_name:
        assert_type(transaction.store_name, str)
    assert_type(transaction.store_name or "no name", str)
    assert_type(None if isinstance(transaction.place_id, Absent) else transaction.place_id, str | None)


def constructors_take_what_reads_well() -> None:
    transaction = InitialTransaction(
        id="it-1",
        amount=20,
        store_external_id=None,
        place_id="place-1",
        store_name=ABSENT,
        status=TransactionStatus.CREATED,
        rejection_reason="a reason of tomorrow",
        transaction_date=datetime.date(2026, 5, 3),
        transaction_id=None,
        date=datetime.datetime(2026, 5, 4, tzinfo=datetime.UTC),
    )
    assert_type(transaction, InitialTransaction)
    connection = Connection(
        id="conn-1",
        error_code=None,
        error_message=None,
        bank="Banque Exemple",
        transactions_eligible_from_date=datetime.date(2026, 1, 1),
        accounts=[Account(id="acc-1", account_hash=None)],
    )
    assert_type(connection, Connection)
