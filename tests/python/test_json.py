# SPDX-License-Identifier: MIT
"""to_json, to_dict and raw: what goes in comes out."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import Account, BankConnectionsUpdateV2, Connection, InitialTransactionUpdate, ParseError, UnknownEvent
from python.parsed import DATA, connections_update, one_of_each, rows, transaction_update


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_raw_is_the_payload_byte_for_byte(row: dict[str, str]) -> None:
    text = (DATA / "valid" / row["file"]).read_bytes()
    assert bankhook.parse(text).raw is text
    assert bankhook.parse(text.decode()).raw == text


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_what_is_written_reads_as_an_equal_event(row: dict[str, str]) -> None:
    text = (DATA / "valid" / row["file"]).read_bytes().rstrip(b"\n")
    event = bankhook.parse(text)
    assert type(event.to_json()) is bytes
    assert bankhook.parse(event.to_json()) == event
    if row["canonical"] == "yes":
        assert event.to_json() == text


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
def test_json_has_the_fields_by_their_names_on_the_wire(value: Any) -> None:
    written = json.loads(value.to_json())
    names = [name for name in value.to_dict() if name != "raw"]
    for name in names:
        first, *others = name.split("_")
        assert first + "".join(other.capitalize() for other in others) in written


def test_an_event_that_was_made_here_gives_its_json_as_raw() -> None:
    event = transaction_update().replace(event_type="validated")
    assert event.raw == event.to_json()
    assert bankhook.parse(event.raw) == event


def test_text_is_escaped_where_json_asks_for_it() -> None:
    text = 'quote " backslash \\ line \n tab \t zero \0 bell \x07 é 漢 \U0001f600'
    account = Account(id=text, account_hash=None)
    assert json.loads(account.to_json()) == {"id": text, "accountHash": None}


@pytest.mark.parametrize(
    "text",
    ["", "é", "\x7f\x80", "\xbf\xc0\xff", "Société Générale", "a" * 63 + "é", "é" * 70, "é\u0100", "é漢", "\U0001f600é"],
)
def test_text_of_any_letters_is_the_str_that_json_gives(text: str) -> None:
    account = Account.from_json(json.dumps({"id": text, "accountHash": text}, ensure_ascii=False))
    assert account.id == text
    assert {text: 1}[account.id] == 1
    assert account.id.encode() == text.encode()
    assert account.to_dict() == {"id": text, "account_hash": text}


def test_absent_fields_are_left_out_and_null_ones_are_not() -> None:
    connection = Connection(
        id="conn-1",
        error_code=None,
        error_message=None,
        bank="Banque Exemple",
        transactions_eligible_from_date=datetime.date(2026, 1, 15),
        accounts=[],
    )
    assert connection.to_json() == (
        b'{"id":"conn-1","errorCode":null,"errorMessage":null,"bank":"Banque Exemple",'
        b'"transactionsEligibleFromDate":"2026-01-15","accounts":[]}'
    )
    assert list(connection.to_dict()) == [
        "id",
        "error_code",
        "error_message",
        "bank",
        "transactions_eligible_from_date",
        "accounts",
    ]


def test_date_times_are_written_in_the_forms_of_the_specification() -> None:
    """Spec 2.2 shows four fraction digits and no zone; spec 2.4 an ISO 8601 date-time."""
    connection = connections_update().connection
    written = connection.replace(consent_expires_at=datetime.datetime(2027, 1, 2, 3, 4, 5)).to_json()
    assert b'"consentExpiresAt":"2027-01-02 03:04:05.0000"' in written
    finer = connection.replace(consent_expires_at=datetime.datetime(2027, 1, 2, 3, 4, 5, 123456)).to_json()
    assert b'"consentExpiresAt":"2027-01-02 03:04:05.123456"' in finer
    transaction = transaction_update().initial_transaction
    for zone, text in ((datetime.UTC, "Z"), (datetime.timezone(datetime.timedelta(hours=2)), "+02:00"), (None, "")):
        changed = transaction.replace(date=datetime.datetime(2026, 5, 4, 10, 15, 30, tzinfo=zone))
        assert f'"date":"2026-05-04T10:15:30{text}"'.encode() in changed.to_json()


@pytest.mark.parametrize(("amount", "text"), [(Decimal("19.90"), b"19.90"), (125, b"125"), (Decimal("1E+2"), b"1e2")])
def test_an_amount_is_written_with_its_digits(amount: Decimal | int, text: bytes) -> None:
    written = transaction_update().initial_transaction.replace(amount=amount).to_json()
    assert b'"amount":' + text + b"," in written


def test_to_dict_goes_all_the_way_down() -> None:
    event = connections_update()
    plain = event.to_dict()
    assert list(plain) == ["event", *type(event).__match_args__]
    assert plain["customer"]["connections"][0]["accounts"][1] == {"id": "acc-0002", "account_hash": None}
    assert plain["connection"] == event.connection.to_dict()
    assert type(plain["customer"]["connections"]) is list
    assert plain["connection"]["transactions_eligible_from_date"] == datetime.date(2026, 1, 15)


def test_to_dict_gives_a_new_dict_each_time() -> None:
    event = transaction_update()
    event.to_dict()["customer"]["id"] = "changed"
    assert event.customer.id == "member-0001"


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("form", [bytes, bytearray, memoryview, lambda json: json.decode()])
def test_json_comes_back_as_an_object_of_its_class(value: Any, form: Callable[[bytes], Any]) -> None:
    back = type(value).from_json(form(value.to_json()))
    assert type(back) is type(value)
    assert back == value


@pytest.mark.parametrize("cls", [InitialTransactionUpdate, UnknownEvent])
def test_the_json_of_another_event_is_rejected(cls: Any) -> None:
    with pytest.raises(ParseError) as caught:
        cls.from_json(connections_update().to_json())
    assert caught.value.finding.rule == "event_is_listed"
    assert caught.value.path == "$.event"


def test_what_is_wrong_with_the_json_of_a_resource_has_its_place() -> None:
    with pytest.raises(ParseError) as caught:
        Account.from_json(b'{"id": 5, "accountHash": null}')
    assert (caught.value.path, caught.value.offset) == ("$.id", 7)


def test_only_text_and_bytes_are_json() -> None:
    message = r"BankConnectionsUpdateV2\.from_json\(\) expects bytes, bytearray, memoryview, mmap or str, found dict"
    with pytest.raises(TypeError, match=message):
        BankConnectionsUpdateV2.from_json({})  # type: ignore[arg-type]
