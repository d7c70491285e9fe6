# SPDX-License-Identifier: MIT
"""Wrong uses, each below a right one that both checkers accept."""

from __future__ import annotations

import datetime

import bankhook
from bankhook import (
    Account,
    BankConnectionsUpdateV2,
    Connection,
    Handlers,
    InitialTransaction,
    InitialTransactionUpdate,
    TransactionStatus,
)
from bankhook.sandbox import Choice, Faults
from bankhook.types import Change, Finding


def a_constructor_takes_all_members_by_name_and_type() -> None:
    Account(id="acc-1", account_hash=None)
    Account(id=5, account_hash=None)
    # mypy says: Argument "id" to "Account" has incompatible type "int"; expected "str"
    # pyright says: "Literal[5]" is not assignable to "str"
    Account(id="acc-1")
    # mypy says: Missing named argument "account_hash" for "Account"
    # pyright says: Argument missing for parameter "account_hash"
    Account("acc-1", None)
    # mypy says: Too many positional arguments for "Account"
    # pyright says: Expected 0 positional arguments
    Account(id="acc-1", account_hash=None, iban="x")
    # mypy says: Unexpected keyword argument "iban" for "Account"
    # pyright says: No parameter named "iban"


def a_record_is_no_tuple(finding: Finding, change: Change) -> None:
    list(finding.steps)
    list(finding)
    # mypy says: No overload variant of "list" matches argument type "Finding"
    # pyright says: "Finding" is incompatible with protocol "Iterable
    change.kind
    change[0]
    # mypy says: Value of type "Change" is not indexable
    # pyright says: "__getitem__" method not defined on type "Change"
    finding.replace(line=1)
    finding.line = 1
    # mypy says: Property "line" defined in "Finding" is read-only
    # pyright says: Attribute "line" is read-only
    Faults(drop=0.5)
    Faults(drops=0.5)
    # mypy says: Unexpected keyword argument "drops" for "Faults"
    # pyright says: No parameter named "drops"
    Choice()
    # mypy says: Missing positional arguments
    # pyright says: Arguments missing for parameters


def null_and_absent_are_two_things(connection: Connection, transaction: InitialTransaction) -> None:
    connection.replace(error_code=None, consent_expires_at=bankhook.ABSENT)
    connection.replace(error_code=bankhook.ABSENT)
    # mypy says: has incompatible type "Absent"; expected "str | None"
    # pyright says: "Literal[Absent.ABSENT]" is not assignable to "str"
    connection.replace(consent_expires_at=None)
    # mypy says: has incompatible type "None"; expected "datetime | Absent"
    # pyright says: "None" is not assignable to "Absent"
    place: str = transaction.place_id or ""
    place = transaction.place_id
    # mypy says: Incompatible types in assignment (expression has type "str | Absent", variable has type "str")
    # pyright says: "Absent" is not assignable to "str"
    store: str = transaction.store_external_id or place
    store = transaction.store_external_id
    # mypy says: Incompatible types in assignment (expression has type "str | None", variable has type "str")
    # pyright says: "None" is not assignable to "str"
    print(store)


def an_amount_is_exact(transaction: InitialTransaction) -> None:
    transaction.replace(amount=20)
    transaction.replace(amount=19.90)
    # mypy says: has incompatible type "float"; expected "Decimal | int"
    # pyright says: "float" is not assignable to "Decimal"


def a_day_is_no_text(transaction: InitialTransaction) -> None:
    transaction.replace(transaction_date=datetime.date(2026, 5, 3))
    transaction.replace(transaction_date="2026-05-03")
    # mypy says: has incompatible type "str"; expected "date"
    # pyright says: "Literal['2026-05-03']" is not assignable to "date"


def an_object_does_not_change(account: Account, update: InitialTransactionUpdate) -> None:
    account = account.replace(id="acc-2")
    account.id = "acc-2"
    # mypy says: Property "id" defined in "Account" is read-only
    # pyright says: Cannot assign to attribute "id" for class "Account"
    update.initial_transaction.status = TransactionStatus.CREATED
    # mypy says: Property "status" defined in "InitialTransaction" is read-only
    # pyright says: Cannot assign to attribute "status" for class "InitialTransaction"
    account.iban = "x"
    # mypy says: "Account" has no attribute "iban"
    # pyright says: Attribute "iban" is unknown
    account.replace(iban="x")
    # mypy says: Unexpected keyword argument "iban" for "replace" of "Account"
    # pyright says: No parameter named "iban"


class Kept:
    """A class that has an account, for one that would be an account."""

    account: Account


class Other(Account):
    # mypy says: Cannot inherit from final class "Account"
    # pyright says: Base class "Account" is marked final and cannot be subclassed
    """An account of one's own."""


def a_constant_name_is_the_event_s_own(update: InitialTransactionUpdate) -> None:
    update.replace(event="initial_transaction_update")
    update.replace(event="other_event")
    # mypy says: expected "Literal['initial_transaction_update']"
    # pyright says: "Literal['other_event']" is not assignable to type "Literal['initial_transaction_update']"


def functions_take_what_they_say() -> None:
    event = bankhook.parse(b"{}")
    bankhook.parse(5)
    # mypy says: Argument 1 to "parse" has incompatible type "int"; expected "Buffer | str"
    # pyright says: "Literal[5]" is incompatible with protocol "Buffer"
    bankhook.parse(b"{}", True)
    # mypy says: Too many positional arguments for "parse"
    # pyright says: Expected 1 positional argument
    print(event.raw)
    print(event.initial_transaction)
    # mypy says: has no attribute "initial_transaction"
    # pyright says: Cannot access attribute "initial_transaction" for class "UnknownEvent"
    bankhook.parse_lines(b"", on_error="collect")
    bankhook.parse_lines(b"", on_error="ignore")
    # mypy says: No overload variant of "parse_lines" matches argument types "bytes", "str"
    # pyright says: Argument of type "Literal['ignore']" cannot be assigned to parameter "on_error"
    bankhook.parse_lines(b"", of=bankhook.UnknownEvent)
    bankhook.parse_lines(b"", of=bankhook.Account)
    # mypy says: Value of type variable "_E" of "parse_lines" cannot be "Account"
    # pyright says: No overloads for "parse_lines" match the provided arguments
    bankhook.Sandbox(seed=7)
    bankhook.Sandbox(seed="7")
    # mypy says: Argument "seed" to "Sandbox" has incompatible type "str"; expected "int"
    # pyright says: "Literal['7']" is not assignable to "int"


def a_handler_is_for_the_event_that_it_is_registered_for(handlers: Handlers) -> None:
    def credit(event: InitialTransactionUpdate) -> None: ...

    handlers.on_validated(credit)
    handlers.on_connection_error(credit)
    # mypy says: Argument 1 to "__call__" of "Register" has incompatible type
    # pyright says: No overloads for "__call__" match
    handlers.on(InitialTransactionUpdate, event_type="created")(credit)
    handlers.on(BankConnectionsUpdateV2)(credit)
    # mypy says: Argument 1 to "__call__" of "Register" has incompatible type
    # pyright says: No overloads for "__call__" match


def names_and_values_are_spelt_as_they_are_listed(handlers: Handlers) -> None:
    bankhook.select("initialTransaction.amount", "customer.connections[].accounts[0].id")
    bankhook.select("initialTransaction.amuont")
    # mypy says: Argument 1 to "select" has incompatible type "Literal['initialTransaction.amuont']"
    # pyright says: "Literal['initialTransaction.amuont']" is not assignable to type
    bankhook.Sandbox(consent_presence="always")
    bankhook.Sandbox(consent_presense="always")
    # mypy says: Unexpected keyword argument "consent_presense" for "Sandbox"
    # pyright says: No parameter named "consent_presense"
    bankhook.Sandbox(consent_presence="allways")
    # mypy says: Argument "consent_presence" to "Sandbox" has incompatible type "Literal['allways']"
    # pyright says: "Literal['allways']" is not assignable to type
    handlers.on(InitialTransactionUpdate, event_type=("created", "validated"), rejection_reason="bankConsentExpired")
    handlers.on(InitialTransactionUpdate, event_type="valdated")
    # mypy says: Argument "event_type" to "on" of "Registry" has incompatible type "Literal['valdated']"
    # pyright says: No overloads for "on" match the provided arguments
    handlers.on(BankConnectionsUpdateV2, event_typ="create")
    # mypy says: No overload variant of "on" of "Registry" matches argument types
    # pyright says: No overloads for "on" match the provided arguments
