# SPDX-License-Identifier: MIT
"""The fields of spec section 2 in Python: exact types, exact values."""

from __future__ import annotations

import datetime
import decimal
import json
from decimal import Decimal

import pytest

import bankhook
from bankhook import ABSENT, ConnectionEventType, InitialTransaction, RejectionReason, TransactionStatus
from python.parsed import connections_update, payload, transaction_update, transaction_with


def test_text_is_str() -> None:
    account = connections_update().connection.accounts[0]
    assert type(account.id) is str
    assert account.id == "acc-0001"


def test_text_of_many_languages_is_the_text_that_json_reads() -> None:
    text = payload("text_of_many_languages")
    event = bankhook.parse(text)
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    read = json.loads(text)["initialTransaction"]
    assert (event.initial_transaction.store_name, event.initial_transaction.place_id) == (
        read.get("storeName", ABSENT),
        read.get("placeId", ABSENT),
    )


@pytest.mark.parametrize("name", ["control_characters_and_escapes", "escaped_names_and_text"])
def test_escapes_are_decoded_as_json_decodes_them(name: str) -> None:
    text = payload(name)
    event = bankhook.parse(text)
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    read = json.loads(text)
    assert event.customer.id == read["customer"]["id"]
    assert event.initial_transaction.store_name == read["initialTransaction"].get("storeName", ABSENT)


def test_counts_are_int() -> None:
    customer = connections_update().customer
    assert type(customer.connections_on) is int
    assert (customer.connections_on, customer.connections_off) == (1, 0)


def test_the_largest_count_is_exact() -> None:
    event = bankhook.parse(connections_update().raw.replace(b'"connectionsOn":1', b'"connectionsOn":18446744073709551615'))
    assert isinstance(event, bankhook.BankConnectionsUpdateV2)
    assert event.customer.connections_on == 2**64 - 1


@pytest.mark.parametrize("text", ["19.90", "0", "0.00", "-5.10", "125", "9223372036854775807", "0.000000001"])
def test_an_amount_is_a_decimal_with_the_digits_of_the_payload(text: str) -> None:
    amount = transaction_with(b"19.90", text.encode()).amount
    assert type(amount) is Decimal
    assert str(amount) == str(Decimal(text))
    assert amount.as_tuple() == Decimal(text).as_tuple()


@pytest.mark.parametrize("text", ["1e2", "1E+2", "1.5e-3", "1e37", "1e-38", "0e37"])
def test_an_amount_with_an_exponent_is_exact(text: str) -> None:
    assert transaction_with(b"19.90", text.encode()).amount == Decimal(text)


def test_amounts_that_come_again_have_their_own_digits_each_time() -> None:
    """Decimals that were made before are given again: never one of an equal amount that was written otherwise."""
    texts = ["19.90", "19.9", "1990e-2", "0.199e2", "-19.90", "0", "0.0", "0.00", "0e5", "1e2", "100", "100.00"]
    texts += [f"{number}.{number % 100:02}" for number in range(3000)]
    amounts = [(text, transaction_with(b"19.90", text.encode()).amount) for text in texts * 2]
    assert [str(amount) for _, amount in amounts] == [str(Decimal(text)) for text, _ in amounts]


def test_the_precision_of_the_users_context_does_not_round_an_amount() -> None:
    with decimal.localcontext() as context:
        context.prec = 2
        assert str(transaction_with(b"19.90", b"1234567.89").amount) == "1234567.89"


def test_a_date_is_a_date_and_no_datetime() -> None:
    connection = connections_update().connection
    assert type(connection.transactions_eligible_from_date) is datetime.date
    assert connection.transactions_eligible_from_date == datetime.date(2026, 1, 15)


def test_the_end_of_a_consent_has_no_zone() -> None:
    """Spec 2.2: none is given, and none is added."""
    expires = connections_update().connection.consent_expires_at
    assert type(expires) is datetime.datetime
    assert expires.tzinfo is None
    assert expires == datetime.datetime(2027, 3, 1, 9, 30)


@pytest.mark.parametrize(
    ("text", "offset_minutes", "microsecond"),
    [
        ("2026-05-04T10:15:30Z", 0, 0),
        ("2026-05-04T10:15:30.000Z", 0, 0),
        ("2026-05-04T10:15:30.25+02:00", 120, 250_000),
        ("2026-05-04T10:15:30.123456789-0330", -210, 123_456),
        ("2026-05-04T10:15:30+23:59", 1439, 0),
        ("2026-05-04T10:15:30-00:00", 0, 0),
    ],
)
def test_the_date_of_a_transaction_is_aware_if_an_offset_is_written(
    text: str, offset_minutes: int, microsecond: int
) -> None:
    date = transaction_with(b"2026-05-04T10:15:30.000Z", text.encode()).date
    zone = datetime.timezone(datetime.timedelta(minutes=offset_minutes))
    expected = datetime.datetime(2026, 5, 4, 10, 15, 30, microsecond, tzinfo=zone)
    assert type(date) is datetime.datetime
    assert (date, date.utcoffset()) == (expected, expected.utcoffset())


@pytest.mark.parametrize("text", ["2026-05-04T10:15:30", "2026-05-04T10:15:30.000", "2026-05-04T10:15:30.250000000"])
def test_the_date_of_a_transaction_is_naive_if_no_offset_is_written(text: str) -> None:
    """Spec 2.4: ISO 8601 needs no offset."""
    transaction = transaction_with(b"2026-05-04T10:15:30.000Z", text.encode())
    assert transaction.date == datetime.datetime.fromisoformat(text[:23])
    assert transaction.date.tzinfo is None
    assert f'"{text}"'.encode() in transaction.to_json()
    assert InitialTransaction.from_dict(transaction.to_dict()).date == transaction.date
    assert InitialTransaction.from_wire(transaction.to_wire()) == transaction
    assert transaction != transaction_update().initial_transaction


def test_utc_is_the_zone_that_python_calls_utc() -> None:
    assert transaction_update().initial_transaction.date.tzinfo is datetime.UTC


def test_digits_after_microseconds_stay_in_the_json() -> None:
    transaction = transaction_with(b"2026-05-04T10:15:30.000Z", b"2026-05-04T10:15:30.123456789Z")
    assert transaction.date.microsecond == 123_456
    assert b'"2026-05-04T10:15:30.123456789Z"' in transaction.to_json()


@pytest.mark.parametrize(
    ("name", "text", "other"),
    [
        ("transaction_created", b'"2026-05-03"', b'"0000-05-03"'),
        ("transaction_created", b"2026-05-04T10:15:30.000Z", b"0000-05-04T10:15:30.000Z"),
        ("transaction_created", b"2026-05-04T10:15:30.000Z", b"0000-05-04T10:15:30"),
        ("connection_created", b'"2026-01-15"', b'"0000-01-15"'),
        ("connection_created", b'"2027-03-01 09:30:00.0000"', b'"0000-03-01 09:30:00.0000"'),
    ],
)
def test_the_calendar_has_no_year_0(name: str, text: bytes, other: bytes) -> None:
    changed = payload(name).replace(text, other)
    assert changed != payload(name)
    with pytest.raises(bankhook.ParseError):
        bankhook.parse(changed)


def test_known_values_are_enumerators() -> None:
    event = transaction_update()
    assert event.event_type is TransactionStatus.CREATED
    assert event.initial_transaction.status is TransactionStatus.CREATED
    assert connections_update().event_type is ConnectionEventType.UPDATE
    rejected = bankhook.parse(payload("transaction_rejected_purchase_not_found"))
    assert isinstance(rejected, bankhook.InitialTransactionUpdate)
    assert rejected.initial_transaction.rejection_reason is RejectionReason.PURCHASE_NOT_FOUND


def test_an_unknown_value_is_a_plain_str() -> None:
    event = bankhook.parse(payload("unknown_values"))
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    values = (event.event_type, event.initial_transaction.status, event.initial_transaction.rejection_reason)
    assert values == ("suspended", "suspended", "storeClosed")
    assert {type(value) for value in values} == {str}


def test_null_becomes_none() -> None:
    event = connections_update()
    assert event.connection.error_code is None
    assert event.connection.accounts[1].account_hash is None
    assert transaction_update().initial_transaction.transaction_id is None


def test_an_absent_field_is_not_none() -> None:
    transaction = transaction_update().initial_transaction
    assert transaction.place_id is ABSENT
    assert transaction.store_name is ABSENT
    assert transaction.place_id is not None


def test_arrays_are_tuples_of_resources() -> None:
    customer = connections_update().customer
    assert type(customer.connections) is tuple
    assert {type(connection) for connection in customer.connections} == {bankhook.Connection}
    assert [account.id for account in customer.connections[0].accounts] == ["acc-0001", "acc-0002"]


def test_an_empty_array_is_an_empty_tuple() -> None:
    """Spec 6.2: on creation, accounts may not exist yet."""
    event = bankhook.parse(payload("connection_created"))
    assert isinstance(event, bankhook.BankConnectionsUpdateV2)
    assert event.connection.accounts == ()


def test_the_name_of_an_event_is_str() -> None:
    assert (connections_update().event, transaction_update().event) == (
        "bank_connections_update_v2",
        "initial_transaction_update",
    )
