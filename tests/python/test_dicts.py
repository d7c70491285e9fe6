# SPDX-License-Identifier: MIT
"""Objects as dicts and back: by Python's names and values, or by those of the wire, as json.loads gives them."""

from __future__ import annotations

import collections
import copy
import datetime
import json
import types
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

import bankhook
from bankhook import ABSENT, Account, BankConnectionsUpdateV2, InitialTransaction, ParseError
from bankhook.testing import samples, strategies
from python.parsed import CLASSES, connections_update, one_of_each, transaction_update, transaction_with

EVENTS: list[Any] = [bankhook.parse(sample.payload) for sample in (*samples.valid(), *samples.rule_breaking())]
EACH = pytest.mark.parametrize("item", [*one_of_each(), *EVENTS], ids=lambda item: type(item).__name__)
ANY_EVENT = given(event=strategies.events(keep_rules=False))


@EACH
def test_a_dict_comes_back_as_the_object(item: Any) -> None:
    back = type(item).from_dict(item.to_dict())
    assert type(back) is type(item)
    assert back == item


@EACH
def test_a_dict_has_dicts_and_lists_and_no_objects_in_it(item: Any) -> None:
    def parts(value: Any) -> Iterator[Any]:
        yield value
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for part in inner:
            yield from parts(part)

    assert not any(isinstance(part, (*CLASSES, tuple)) for part in parts(item.to_dict()))


@EACH
def test_a_dict_of_json_comes_back_as_the_object(item: Any) -> None:
    assert type(item).from_wire(item.to_wire()) == item
    assert type(item).from_wire(json.loads(json.dumps(item.to_wire(number=float)))) == item


@pytest.mark.slow
@ANY_EVENT
def test_any_event_comes_back_from_its_dicts(event: Any) -> None:
    assert type(event).from_dict(event.to_dict()) == event
    assert type(event).from_wire(event.to_wire()) == event
    exact = type(event).from_wire(event.to_wire(number=Decimal))
    assert exact.to_json() == event.to_json()


@EACH
def test_what_is_for_json_is_what_json_gives(item: Any) -> None:
    exact = item.to_wire()
    assert exact == json.loads(item.to_json(), parse_float=Decimal) == item.to_wire(number=Decimal)
    assert json.loads(json.dumps(item.to_wire(number=float)), parse_float=Decimal) == exact


@pytest.mark.parametrize("digits", ["19.90", "20", "-0", "1e2", "0.1234567890123456789", "99999999999999.99"])
def test_an_amount_has_one_type_whatever_its_digits(digits: str) -> None:
    transaction = transaction_with(b"19.90", digits.encode())
    written = json.loads(transaction.to_json(), parse_float=str, parse_int=str)["amount"]
    for number in (Decimal, float, str):
        amount = transaction.to_wire(number=number)["amount"]
        assert (type(amount), amount) == (number, number(written))
    assert repr(transaction.to_wire()["amount"]) == repr(Decimal(written))


def test_how_numbers_are_made_is_a_question_of_the_wire_only() -> None:
    transaction: Any = transaction_update()
    with pytest.raises(TypeError, match="no keyword arguments"):
        transaction.to_dict(number=Decimal)
    with pytest.raises(TypeError, match="expected a function of digits, found int"):
        transaction.to_wire(number=5)


@pytest.mark.parametrize(
    "text",
    [
        b'{"event":"x"}',
        b'{"event":"\\u0078", "a\\"\\\\" : [ ] , "b":{ },"c":[1,-0,12e2,1E-2,-0.0,0.30000000000000004],\n"d":[true,false,null]}',
        b'{"event":"x","e":"\xc3\xa9\\ud83d\\ude00","a":1,"a":{"a":[[],[[2]]]}}',
        b'{"event":"x","f":1e400,"g":0.12345678901234567890123,"h":1.50000000000000000000000}',
        b' {"event" : "x" , "n" : ' + b"9" * 5000 + b" } ",
    ],
)
def test_an_unknown_event_is_what_json_gives(text: bytes) -> None:
    def whole(digits: str) -> int | Decimal:
        return int(digits) if len(digits) < 4300 else Decimal(digits)

    event: Any = bankhook.parse(text)
    expected = json.loads(text, parse_float=Decimal, parse_int=whole)
    assert repr(event.to_wire()) == repr(event.to_wire(number=Decimal)) == repr(expected)
    assert repr(event.to_wire(number=str)) == repr(json.loads(text, parse_float=str, parse_int=whole))
    assert bankhook.UnknownEvent.from_wire(event.to_wire()).to_wire() == expected


def test_absent_fields_are_in_no_dict_and_may_be_given_as_absent() -> None:
    connection = connections_update().connection.replace(consent_expires_at=ABSENT)
    assert "consent_expires_at" not in connection.to_dict()
    assert "consentExpiresAt" not in connection.to_wire()
    assert type(connection).from_dict({**connection.to_dict(), "consent_expires_at": ABSENT}) == connection


@pytest.mark.parametrize("outer", [dict, types.MappingProxyType, collections.ChainMap, collections.UserDict])
def test_any_mapping_is_taken_and_resources_by_dict_or_object(outer: Any) -> None:
    update = connections_update()
    ways: list[tuple[dict[str, Any], Any]] = [
        (update.to_dict(), BankConnectionsUpdateV2.from_dict),
        (update.to_wire(), BankConnectionsUpdateV2.from_wire),
    ]
    for given_parts, from_parts in ways:
        given_parts["connection"] = outer(given_parts["connection"])
        assert from_parts(outer(given_parts)) == update
        given_parts["connection"] = update.connection
        given_parts["customer"]["connections"] = tuple(update.customer.connections)
        assert from_parts(outer(given_parts)) == update


Way = tuple[str | int, ...]
COUNT: Way = ("customer", "connections_on")
FIRST: Way = ("connection", "accounts", 0)


def changed(way: Way, value: object, *, on_wire: bool = False) -> dict[str, Any]:
    """The dict of a sample in which one part is another, or, where `value` is ..., gone."""
    parts = copy.deepcopy(connections_update().to_wire() if on_wire else connections_update().to_dict())
    part: Any = parts
    for step in way[:-1]:
        part = part[step]
    if value is ...:
        del part[way[-1]]
    else:
        part[way[-1]] = value
    return parts


@pytest.mark.parametrize(
    ("way", "value", "error", "message"),
    [
        ((*FIRST, "id"), 5, TypeError, ".connection.accounts[0].id: expected str, found int"),
        ((*FIRST[:2], 1), 5, TypeError, ".connection.accounts[1]: expected Account or mapping, found int"),
        ((*FIRST, "id"), ..., TypeError, ".connection.accounts[0] misses required fields: id"),
        ((*FIRST, "x"), 1, TypeError, ".connection.accounts[0] got an unexpected field 'x'"),
        ((*FIRST, 5), 1, TypeError, ".connection.accounts[0] got an unexpected field 5"),
        (("connection", "accounts"), "acc", TypeError, ".connection.accounts: expected tuple or list, found str"),
        (("connection", "bank"), None, TypeError, ".connection.bank: expected str, found NoneType"),
        (COUNT, -1, ValueError, ".customer.connections_on: expected an int from 0 to 2**64 - 1"),
        (("customer",), None, TypeError, ".customer: expected ConnectedCustomer or mapping, found NoneType"),
        (("event",), "another", ValueError, ".event: expected bank_connections_update_v2"),
        (("eventType",), "create", TypeError, ".from_dict() got an unexpected field 'eventType'"),
        (("shopping_hub_id",), ..., TypeError, ".from_dict() misses required fields: shopping_hub_id"),
    ],
)
def test_a_wrong_value_is_reported_with_its_path(way: Way, value: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        BankConnectionsUpdateV2.from_dict(changed(way, value))
    assert str(caught.value) == f"BankConnectionsUpdateV2{message}"


@pytest.mark.parametrize(
    ("way", "value", "message"),
    [
        ((*FIRST, "id"), 5, "$.connection.accounts[0].id: expected string, found number"),
        ((*FIRST, "id"), object(), "$.connection.accounts[0].id: expected what JSON holds, found object"),
        ((*FIRST, "id"), b"x", "$.connection.accounts[0].id: expected what JSON holds, found bytes"),
        (("connection", "a b"), {1, 2}, "$.connection['a b']: expected what JSON holds, found set"),
        (("connection", "x"), datetime.date(2026, 1, 1), "$.connection.x: expected what JSON holds, found date"),
        (("connection", "accounts"), ABSENT, "$.connection.accounts: expected what JSON holds, found Absent"),
        (("customer", "connectionsOn"), 1.5, "$.customer.connectionsOn: expected "),
        (("customer", "connectionsOn"), True, "$.customer.connectionsOn: expected "),
        (("customer", "connections", 0, "bank"), ..., "$.customer.connections[0].bank: expected string, found nothing"),
        (("event",), "initial_transaction_update", "$"),
        (("event",), "x", "$.event: expected BankConnectionsUpdateV2, found UnknownEvent"),
    ],
)
def test_a_wrong_value_on_the_wire_is_reported_with_its_path(way: Way, value: object, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        BankConnectionsUpdateV2.from_wire(changed(way, value, on_wire=True))
    assert str(caught.value).startswith(message)
    assert caught.value.finding.offset is None


def test_a_field_that_is_not_listed_is_skipped_on_the_wire() -> None:
    parts = changed(("connection", "newMember"), [1, {"x": None}], on_wire=True)
    assert BankConnectionsUpdateV2.from_wire(parts) == connections_update()


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("given", [None, 5, "{}", b"{}", [], [("id", "x")], Ellipsis, Account], ids=repr)
def test_a_value_that_is_not_a_mapping_is_rejected(cls: Any, given: Any) -> None:
    for name in ("from_dict", "from_wire"):
        message = rf"^{cls.__name__}\.{name}\(\) expects a mapping, found {type(given).__name__}$"
        with pytest.raises(TypeError, match=message):
            getattr(cls, name)(given)


def test_what_lies_in_itself_is_rejected() -> None:
    loop: dict[str, Any] = connections_update().to_dict()
    loop["connection"] = loop
    with pytest.raises(TypeError, match="unexpected field"):
        BankConnectionsUpdateV2.from_dict(loop)
    wire: dict[str, Any] = {"event": "x"}
    wire["self"] = wire
    with pytest.raises(ParseError, match="expected what JSON holds"):
        bankhook.UnknownEvent.from_wire(wire)


def test_a_mapping_that_changes_while_it_is_read_does_no_harm() -> None:
    parts: dict[str, Any] = transaction_update().initial_transaction.to_dict()

    class Emptying(datetime.datetime):
        def utcoffset(self) -> datetime.timedelta:
            parts.clear()
            return datetime.timedelta(0)

    parts["date"] = Emptying(2026, 5, 4, 10, 15, 30, tzinfo=datetime.UTC)
    parts["id"] = "it-" + "9" * 500  # whose only owner the dict is
    made = InitialTransaction.from_dict(parts)
    assert parts == {}
    assert made.id == "it-" + "9" * 500


def test_a_decimal_says_its_own_digits() -> None:
    class Lying(Decimal):
        def __str__(self) -> str:
            return '1,"id":"another"'

    parts = {**transaction_update().initial_transaction.to_wire(), "amount": Lying("1.50")}
    assert InitialTransaction.from_wire(parts).amount == Decimal("1.50")
