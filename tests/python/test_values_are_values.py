# SPDX-License-Identifier: MIT
"""Objects are values: read-only, equal and hashed by what they hold, shown as the expression that makes them."""

from __future__ import annotations

import datetime
import decimal
import sys
from typing import Any

import pytest

import bankhook
from bankhook import Account, BankConnectionsUpdateV2, Customer, InitialTransactionUpdate, UnknownEvent
from python.parsed import CLASSES, connections_update, one_of_each, payload, rows, transaction_update

EVALUATED: dict[str, Any] = {"datetime": datetime, "Decimal": decimal.Decimal, **vars(bankhook)}


@pytest.mark.parametrize("item", one_of_each(), ids=lambda item: type(item).__name__)
def test_a_field_can_neither_be_set_nor_deleted(item: Any) -> None:
    for name in item.to_dict():
        with pytest.raises(AttributeError):
            setattr(item, name, getattr(item, name))
        with pytest.raises(AttributeError):
            delattr(item, name)


@pytest.mark.parametrize("item", one_of_each(), ids=lambda item: type(item).__name__)
def test_an_object_takes_no_attribute_of_its_own(item: Any) -> None:
    with pytest.raises(AttributeError):
        item.note = "n"


@pytest.mark.parametrize("kind", CLASSES)
def test_a_class_cannot_be_changed(kind: type[Any]) -> None:
    with pytest.raises(TypeError):
        kind.id = 5
    with pytest.raises(TypeError):
        del kind.to_json


@pytest.mark.parametrize("kind", CLASSES)
def test_a_class_belongs_to_the_package(kind: type[Any]) -> None:
    assert getattr(sys.modules[kind.__module__], kind.__qualname__) is kind
    assert kind.__doc__


@pytest.mark.parametrize("name", [row["file"].removesuffix(".json") for row in rows("valid")])
def test_the_same_payload_gives_equal_events(name: str) -> None:
    one, other = bankhook.parse(payload(name)), bankhook.parse(payload(name))
    assert one == other
    assert hash(one) == hash(other)
    assert one is not other


def test_one_different_field_makes_objects_unequal() -> None:
    update = connections_update()
    for changes in (
        {"event_type": "create"},
        {"shopping_hub_id": "hub-2"},
        {"customer": update.customer.replace(connections_off=7)},
        {"connection": update.connection.replace(accounts=())},
    ):
        values: dict[str, Any] = changes
        assert update.replace(**values) != update
        assert not update.replace(**values) == update


def test_formatting_and_order_make_no_difference() -> None:
    update = connections_update("formatted")
    assert bankhook.parse(update.to_json()) == update
    assert hash(bankhook.parse(update.to_json())) == hash(update)


def test_a_parsed_object_equals_one_made_in_python() -> None:
    assert connections_update().connection.accounts[1] == Account(id="acc-0002", account_hash=None)
    assert hash(connections_update().connection.accounts[1]) == hash(Account(id="acc-0002", account_hash=None))


def test_null_and_an_empty_text_differ() -> None:
    assert Account(id="acc-1", account_hash=None) != Account(id="acc-1", account_hash="")


def test_amounts_are_equal_by_value() -> None:
    transaction = transaction_update().initial_transaction
    same = transaction.replace(amount=decimal.Decimal("19.9000"))
    assert same == transaction
    assert hash(same) == hash(transaction)


def test_objects_of_different_classes_differ() -> None:
    account: object = Account(id="acc-1", account_hash=None)
    for other in (Customer(id="acc-1", external_id=""), "acc-1", None, {"id": "acc-1", "account_hash": None}):
        assert account != other
    with pytest.raises(TypeError):
        account < account  # type: ignore[operator]


def test_objects_are_keys() -> None:
    accounts = {Account(id=f"acc-{number}", account_hash=None): number for number in range(1000)}
    assert len({hash(account) for account in accounts}) > 990
    assert accounts[Account(id="acc-77", account_hash=None)] == 77


def test_an_account_shows_itself_as_its_constructor() -> None:
    assert repr(Account(id="acc-1", account_hash=None)) == "Account(id='acc-1', account_hash=None)"


@pytest.mark.parametrize("name", [row["file"].removesuffix(".json") for row in rows("valid")])
def test_what_an_object_shows_evaluates_to_it(name: str) -> None:
    event = bankhook.parse(payload(name))
    assert eval(repr(event), EVALUATED) == event
    assert str(event) == repr(event)


def test_what_is_shown_leaves_out_absent_fields_and_the_constant_name() -> None:
    shown = repr(transaction_update())
    assert "place_id" not in shown
    assert "event=" not in shown
    assert "status=TransactionStatus.CREATED" in shown
    assert "amount=Decimal('19.90')" in shown


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Account, ("id", "account_hash")),
        (Customer, ("id", "external_id")),
        (InitialTransactionUpdate, ("event_type", "customer", "initial_transaction")),
        (UnknownEvent, ("event", "raw")),
    ],
)
def test_positions_in_a_match_are_the_fields_in_order(kind: type[Any], names: tuple[str, ...]) -> None:
    assert kind.__match_args__ == names


def described(event: BankConnectionsUpdateV2 | InitialTransactionUpdate | UnknownEvent) -> str:
    match event:
        case BankConnectionsUpdateV2(event_type="create", connection=connection):
            return f"new connection {connection.id}"
        case BankConnectionsUpdateV2(_, _, connection):
            return f"{len(connection.accounts)} accounts"
        case InitialTransactionUpdate(event_type, Customer(member)):
            return f"{event_type} for {member}"
        case UnknownEvent(name):
            return f"unknown {name}"


def test_events_can_be_matched() -> None:
    assert described(connections_update("connection_created")) == "new connection conn-0001"
    assert described(connections_update()) == "2 accounts"
    assert described(transaction_update()) == "created for member-0001"
    assert described(UnknownEvent(raw=b'{"event":"x"}')) == "unknown x"
