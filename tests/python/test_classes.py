# SPDX-License-Identifier: MIT
"""What every class says of itself, and which values its constructor takes and gives back exactly."""

from __future__ import annotations

import datetime
import inspect
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import ABSENT, Account, Connection, InitialTransaction
from python.parsed import CLASSES, DATA, connections_update, rows, transaction_update, transaction_with

TRANSACTION: dict[str, Any] = {
    "id": "it-1",
    "amount": Decimal("19.90"),
    "store_external_id": None,
    "place_id": "place-1",
    "store_name": "Exemple",
    "status": "created",
    "rejection_reason": None,
    "transaction_date": datetime.date(2026, 5, 3),
    "transaction_id": None,
    "date": datetime.datetime(2026, 5, 4, 10, 15, 30, tzinfo=datetime.UTC),
}


def made(**changes: Any) -> InitialTransaction:
    return InitialTransaction(**{**TRANSACTION, **changes})


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_an_event_made_of_its_fields_equals_the_one_that_was_read(row: dict[str, str]) -> None:
    event: Any = bankhook.parse((DATA / "valid" / row["file"]).read_bytes())
    again = type(event)(**{name: getattr(event, name) for name in ("event", *type(event).__match_args__)})
    assert again == event
    assert hash(again) == hash(event)
    assert again.to_json() == event.to_json()


@pytest.mark.parametrize("cls", CLASSES)
def test_classes_belong_to_the_package_and_say_what_they_are(cls: type) -> None:
    assert cls.__doc__
    for name, member in vars(cls).items():
        if not name.startswith("_"):
            assert member.__doc__, name


def test_a_signature_shows_the_fields() -> None:
    assert str(inspect.signature(Account)) == "(*, id, account_hash)"
    assert str(inspect.signature(Connection)).endswith("consent_expires_at=ABSENT, accounts)")
    assert inspect.signature(Connection).parameters["consent_expires_at"].default is ABSENT
    assert str(inspect.signature(bankhook.InitialTransactionUpdate)).startswith(
        "(*, event='initial_transaction_update', event_type,"
    )
    assert list(inspect.signature(bankhook.parse).parameters) == ["payload", "strict"]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("id", 5, "InitialTransaction.id: expected str, found int"),
        ("id", None, "InitialTransaction.id: expected str, found NoneType"),
        ("id", b"it-1", "InitialTransaction.id: expected str, found bytes"),
        ("amount", 19.9, "InitialTransaction.amount: expected decimal.Decimal or int, found float"),
        ("amount", True, "InitialTransaction.amount: expected decimal.Decimal or int, found bool"),
        ("amount", "19.90", "InitialTransaction.amount: expected decimal.Decimal or int, found str"),
        ("store_external_id", ABSENT, "InitialTransaction.store_external_id: expected str, found Absent"),
        ("place_id", None, "InitialTransaction.place_id: expected str, found NoneType"),
        ("status", 1, "InitialTransaction.status: expected str, found int"),
        ("transaction_date", "2026-05-03", "InitialTransaction.transaction_date: expected datetime.date, found str"),
        (
            "transaction_date",
            datetime.datetime(2026, 5, 3),
            "InitialTransaction.transaction_date: expected datetime.date, found datetime.datetime",
        ),
        ("date", datetime.date(2026, 5, 3), "InitialTransaction.date: expected datetime.datetime, found datetime.date"),
    ],
)
def test_a_value_of_another_type_is_rejected_by_name(field: str, value: object, message: str) -> None:
    with pytest.raises(TypeError) as rejected:
        made(**{field: value})
    assert str(rejected.value) == message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "\ud800"),
        ("amount", Decimal("NaN")),
        ("amount", Decimal("sNaN")),
        ("amount", Decimal("-Infinity")),
        ("amount", Decimal("9223372036854775808.1")),
        pytest.param("amount", 10**6000, id="int of 6001 digits"),
        ("amount", -(2**63) - 1),
        ("date", datetime.datetime(2026, 5, 4, tzinfo=datetime.timezone(datetime.timedelta(seconds=1)))),
    ],
)
def test_a_value_that_cannot_be_written_exactly_is_rejected_by_name(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"^InitialTransaction\.{field}: expected "):
        made(**{field: value})


def test_an_end_of_consent_with_a_zone_is_rejected() -> None:
    aware = datetime.datetime(2027, 1, 1, tzinfo=datetime.UTC)
    with pytest.raises(ValueError, match=r"^Connection\.consent_expires_at: expected datetime without a zone$"):
        connections_update().connection.replace(consent_expires_at=aware)


def test_subclasses_of_what_is_expected_are_taken_by_their_value() -> None:
    class Text(str):
        def __str__(self) -> str:
            return "another text"

    class Amount(Decimal):
        def __str__(self) -> str:
            return "\ud800"

    class Count(int):
        def __str__(self) -> str:
            return "7"

    assert made(id=Text("it-2")).id == "it-2"
    assert made(amount=Amount("1.50")).amount == Decimal("1.50")
    assert made(amount=Count(3)).amount == 3
    assert connections_update().customer.replace(connections_on=Count(3)).connections_on == 3


def test_an_object_that_calls_itself_a_decimal_is_rejected() -> None:
    class Pretender:
        def __getattribute__(self, name: str) -> Any:
            raise KeyError(name)

    with pytest.raises(TypeError, match=r"expected decimal\.Decimal or int, found Pretender"):
        made(amount=Pretender())


def test_a_datetime_with_a_strange_offset_is_rejected() -> None:
    class Strange(datetime.datetime):
        def utcoffset(self) -> Any:
            return "two hours"

    with pytest.raises(ValueError, match=r"^InitialTransaction\.date: expected datetime with an offset"):
        made(date=Strange(2026, 5, 4, tzinfo=datetime.UTC))


@pytest.mark.parametrize("exponent", [0, 3, 18, 33, -3, -18, -38])
def test_an_amount_of_any_scale_comes_back_as_it_went_in(exponent: int) -> None:
    amount = Decimal(12345).scaleb(exponent)
    assert made(amount=amount).amount.as_tuple() == amount.as_tuple()


@pytest.mark.parametrize("text", ["2027-03-01T00:00:00", "0001-01-01T00:00:00.000001", "9999-12-31T23:59:59.999999"])
def test_a_date_time_of_any_year_comes_back_as_it_went_in(text: str) -> None:
    moment = datetime.datetime.fromisoformat(text)
    connection = connections_update().connection.replace(consent_expires_at=moment)
    assert connection.consent_expires_at == moment
    assert made(date=moment).date == moment
    for minutes in (0, 1439, -1439):
        aware = moment.replace(tzinfo=datetime.timezone(datetime.timedelta(minutes=minutes)))
        assert made(date=aware).date.isoformat() == aware.isoformat()


def test_equal_amounts_and_instants_make_equal_objects() -> None:
    one = transaction_with(b"19.90", b"19.9")
    two = transaction_with(b"2026-05-04T10:15:30.000Z", b"2026-05-04T12:15:30+02:00")
    transaction = transaction_update().initial_transaction
    assert one == two == transaction
    assert hash(one) == hash(two) == hash(transaction)


def test_objects_have_no_order() -> None:
    account: Any = Account(id="a", account_hash=None)
    with pytest.raises(TypeError, match="not supported"):
        _ = account < account
