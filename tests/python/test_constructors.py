# SPDX-License-Identifier: MIT
"""Constructors take keywords only and check as the reader does; what is wrong is reported with the field's name."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import ABSENT, Account, BankConnectionsUpdateV2, UnknownEvent
from python.parsed import CLASSES, connections_update, transaction_update, unknown_event

DATE: Any = datetime.date  # takes the bytes of a pickle, too, whatever date they are
ROOTS: dict[str, Any] = {
    "Connection": connections_update().connection,
    "ConnectedCustomer": connections_update().customer,
    "InitialTransaction": transaction_update().initial_transaction,
    "InitialTransactionUpdate": transaction_update(),
    "BankConnectionsUpdateV2": connections_update(),
}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_constructor_takes_no_positional_arguments(kind: type[Any]) -> None:
    with pytest.raises(TypeError):
        kind("a")


@pytest.mark.parametrize("kind", CLASSES)
def test_a_constructor_names_the_fields_that_are_missing(kind: type[Any]) -> None:
    with pytest.raises(TypeError, match=r"misses required keyword arguments: \w+"):
        kind()


def test_all_missing_fields_are_named_at_once() -> None:
    with pytest.raises(TypeError, match=r"^Account\(\) misses required keyword arguments: id, account_hash$"):
        Account()  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", CLASSES)
def test_a_constructor_rejects_a_field_that_is_not_listed(kind: type[Any]) -> None:
    with pytest.raises(TypeError, match="accountHash"):
        kind(accountHash="h")


def test_a_name_on_the_wire_or_a_misspelt_one_is_rejected_with_the_name_of_the_field() -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'accountHash'; did you mean 'account_hash'\?$"):
        Account(id="acc-1", accountHash="h")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'acount_hash'; did you mean 'account_hash'\?$"):
        Account(id="acc-1", account_hash="h").replace(acount_hash=None)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'x'$"):
        Account(x="h")  # type: ignore[call-arg]


def test_a_field_that_may_be_null_is_required() -> None:
    """Spec 2.3: accountHash is required, though it may be null."""
    with pytest.raises(TypeError, match="account_hash"):
        Account(id="acc-1")  # type: ignore[call-arg]


def test_a_field_that_may_be_absent_need_not_be_given() -> None:
    """Spec 2.2: consentExpiresAt is optional."""
    values: dict[str, Any] = connections_update().connection.to_dict() | {"accounts": []}
    del values["consent_expires_at"]
    assert bankhook.Connection(**values).consent_expires_at is ABSENT
    assert bankhook.Connection(**values, consent_expires_at=ABSENT) == bankhook.Connection(**values)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("Connection", "id", 1),
        ("Connection", "id", None),
        ("Connection", "id", b"c"),
        ("Connection", "id", ABSENT),
        ("Connection", "error_code", 1),
        ("Connection", "error_code", ABSENT),
        ("Connection", "transactions_eligible_from_date", "2026-01-15"),
        ("Connection", "transactions_eligible_from_date", datetime.datetime(2026, 1, 15)),
        ("Connection", "consent_expires_at", datetime.date(2026, 1, 15)),
        ("Connection", "consent_expires_at", "2026-01-15 00:00:00.0"),
        ("Connection", "accounts", "acc-1"),
        ("Connection", "accounts", {}),
        ("Connection", "accounts", None),
        ("Connection", "accounts", [1]),
        ("ConnectedCustomer", "connections_on", 1.0),
        ("ConnectedCustomer", "connections_on", True),
        ("ConnectedCustomer", "connections_on", "1"),
        ("InitialTransaction", "amount", 19.9),
        ("InitialTransaction", "amount", "19.90"),
        ("InitialTransaction", "amount", True),
        ("InitialTransaction", "status", None),
        ("InitialTransaction", "rejection_reason", 1),
        ("InitialTransaction", "place_id", 1),
        ("InitialTransaction", "date", datetime.date(2026, 1, 15)),
        ("InitialTransactionUpdate", "customer", {}),
        ("InitialTransactionUpdate", "customer", connections_update().customer),
        ("InitialTransactionUpdate", "event", 1),
        ("BankConnectionsUpdateV2", "connection", None),
    ],
)
def test_a_value_of_the_wrong_type_is_a_type_error_that_names_the_field(kind: str, field: str, value: object) -> None:
    changes: dict[str, Any] = {field: value}
    with pytest.raises(TypeError, match=rf"^{kind}\.{field}(\[0\])?: expected .+, found {type_name_of(value)}$"):
        ROOTS[kind].replace(**changes)


def type_name_of(value: object) -> str:
    return "int" if isinstance(value, list) else rf"[\w.]*{type(value).__name__}"


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("Connection", "id", "\ud800"),
        ("Connection", "transactions_eligible_from_date", DATE(bytes([7, 234, 2, 30]))),
        ("InitialTransaction", "transaction_date", DATE(bytes([0, 0, 1, 1]))),
        ("Connection", "consent_expires_at", datetime.datetime(2026, 1, 15, tzinfo=datetime.UTC)),
        ("ConnectedCustomer", "connections_on", -1),
        ("ConnectedCustomer", "connections_on", 2**64),
        ("InitialTransaction", "amount", Decimal("NaN")),
        ("InitialTransaction", "amount", Decimal("sNaN")),
        ("InitialTransaction", "amount", Decimal("-Infinity")),
        ("InitialTransaction", "amount", Decimal(2**63)),
        ("InitialTransaction", "amount", Decimal("0.12345678901234567890")),
        ("InitialTransaction", "amount", 2**63),
        pytest.param("InitialTransaction", "amount", 10**6000, id="an amount of 6000 digits"),
        (
            "InitialTransaction",
            "date",
            datetime.datetime(2026, 1, 15, tzinfo=datetime.timezone(datetime.timedelta(seconds=1))),
        ),
        ("InitialTransactionUpdate", "event", "bank_connections_update_v2"),
    ],
)
def test_a_value_that_does_not_fit_is_a_value_error_that_names_the_field(kind: str, field: str, value: object) -> None:
    changes: dict[str, Any] = {field: value}
    with pytest.raises(ValueError, match=rf"^{kind}\.{field}: expected "):
        ROOTS[kind].replace(**changes)


def test_an_element_is_named_by_its_place() -> None:
    account = Account(id="acc-1", account_hash=None)
    changes: dict[str, Any] = {"accounts": (account, account, None)}
    with pytest.raises(TypeError, match=r"^Connection\.accounts\[2\]: expected Account, found NoneType$"):
        connections_update().connection.replace(**changes)


def test_a_message_holds_no_value() -> None:
    with pytest.raises(ValueError) as caught:
        transaction_update().initial_transaction.replace(amount=Decimal(98765432109876543210))
    assert "98765" not in str(caught.value)


def test_the_event_may_be_given_if_it_is_the_right_one() -> None:
    update = connections_update()
    given = BankConnectionsUpdateV2(
        event="bank_connections_update_v2",
        event_type=update.event_type,
        customer=update.customer,
        connection=update.connection,
        shopping_hub_id=update.shopping_hub_id,
        shopping_hub_external_id=update.shopping_hub_external_id,
    )
    assert given == update


def test_an_unknown_event_is_made_from_its_payload() -> None:
    event = unknown_event()
    assert UnknownEvent(raw=event.raw) == event
    assert UnknownEvent(raw=event.raw, event=event.event) == event


def test_an_unknown_event_takes_only_bytes() -> None:
    with pytest.raises(TypeError, match=r"^UnknownEvent\.raw: expected bytes, found str$"):
        UnknownEvent(raw="{}")  # type: ignore[arg-type]
    with pytest.raises(bankhook.ParseError):
        UnknownEvent(raw=b"{}")
    with pytest.raises(ValueError, match=r"UnknownEvent\.raw"):
        UnknownEvent(raw=connections_update().raw)
    with pytest.raises(ValueError, match=r"UnknownEvent\.event"):
        UnknownEvent(raw=unknown_event().raw, event="another_event")
