# SPDX-License-Identifier: MIT
"""The events as msgspec's structs and as pydantic's models: the same members and the same kinds of value."""

# No postponed annotations: both libraries look at them when the classes are made.
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
import pydantic
from msgspec import UNSET, UnsetType
from pydantic.alias_generators import to_camel

from bankhook import ConnectionEventType, RejectionReason, TransactionStatus

__all__ = ["msgspec_union", "pydantic_union"]


def msgspec_union(*, gc: bool) -> Any:
    """Return the union of both events, distinguished by `event`; gc=False makes objects that the collector never visits."""

    class Struct(msgspec.Struct, rename="camel", gc=gc):
        pass

    class Account(Struct, gc=gc):
        id: str
        account_hash: str | None

    class Connection(Struct, gc=gc):
        id: str
        error_code: str | None
        error_message: str | None
        bank: str
        transactions_eligible_from_date: date
        accounts: list[Account]
        consent_expires_at: datetime | UnsetType = UNSET

    class Customer(Struct, gc=gc):
        id: str
        external_id: str

    class ConnectedCustomer(Customer, gc=gc):
        connections_on: int
        connections_off: int
        connections: list[Connection]

    class InitialTransaction(Struct, gc=gc):
        id: str
        amount: Decimal
        store_external_id: str | None
        status: TransactionStatus
        rejection_reason: RejectionReason | None
        transaction_date: date
        transaction_id: str | None
        date: datetime
        place_id: str | UnsetType = UNSET
        store_name: str | UnsetType = UNSET

    class BankConnectionsUpdateV2(Struct, tag_field="event", tag="bank_connections_update_v2", gc=gc):
        event_type: ConnectionEventType
        customer: ConnectedCustomer
        connection: Connection
        shopping_hub_id: str
        shopping_hub_external_id: str

    class InitialTransactionUpdate(Struct, tag_field="event", tag="initial_transaction_update", gc=gc):
        event_type: TransactionStatus
        customer: Customer
        initial_transaction: InitialTransaction

    return BankConnectionsUpdateV2 | InitialTransactionUpdate


class _Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(alias_generator=to_camel)


class _Account(_Model):
    id: str
    account_hash: str | None


class _Connection(_Model):
    id: str
    error_code: str | None
    error_message: str | None
    bank: str
    transactions_eligible_from_date: date
    consent_expires_at: datetime | None = None
    accounts: list[_Account]


class _Customer(_Model):
    id: str
    external_id: str


class _ConnectedCustomer(_Customer):
    connections_on: int
    connections_off: int
    connections: list[_Connection]


class _InitialTransaction(_Model):
    id: str
    amount: Decimal
    store_external_id: str | None
    place_id: str | None = None
    store_name: str | None = None
    status: TransactionStatus
    rejection_reason: RejectionReason | None
    transaction_date: date
    transaction_id: str | None
    date: datetime


class _BankConnectionsUpdateV2(_Model):
    event: Literal["bank_connections_update_v2"]
    event_type: ConnectionEventType
    customer: _ConnectedCustomer
    connection: _Connection
    shopping_hub_id: str
    shopping_hub_external_id: str


class _InitialTransactionUpdate(_Model):
    event: Literal["initial_transaction_update"]
    event_type: TransactionStatus
    customer: _Customer
    initial_transaction: _InitialTransaction


pydantic_union: Any = Annotated[_BankConnectionsUpdateV2 | _InitialTransactionUpdate, pydantic.Field(discriminator="event")]
