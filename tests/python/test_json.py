# SPDX-License-Identifier: MIT
"""to_json, to_dict and raw: what goes in comes out."""

from __future__ import annotations

import copy
import datetime
import json
import pickle
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import Account, BankConnectionsUpdateV2, Connection, InitialTransactionUpdate, ParseError, UnknownEvent
from python.parsed import DATA, connections_update, one_of_each, payload, rows, transaction_update


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


def events_in_forms() -> list[bytes]:
    """Payloads as the writer has them, and in other forms: with blanks, escapes, unlisted fields, other digits."""
    written = [event.to_json() for event in bankhook.parse_lines(DATA / "archive.ndjson", on_error="collect")]
    written += [bankhook.parse(delivery.payload).to_json() for delivery in bankhook.Sandbox(3, members=5).deliveries(40)]
    valid = [(DATA / "valid" / row["file"]).read_bytes() for row in rows("valid")]
    spaced = [json.dumps(json.loads(text, parse_float=Decimal), default=float).encode() for text in written]
    unlisted = [text.replace(b"}", b',"x":1}') for text in written]
    digits = [re.sub(rb'"amount":([0-9.]+)', rb'"amount":\1e0', text) for text in written]
    escaped = [text.replace(b"a", b"\\u0061") for text in written]
    return [*written, *valid, *spaced, *unlisted, *digits, *escaped]


def made_of_fields(event: bankhook.AnyEvent) -> bankhook.AnyEvent:
    """The event that its fields make, which never saw the payload."""
    if isinstance(event, UnknownEvent):
        return UnknownEvent(raw=event.raw)
    fields = [field.name for field in bankhook.fields(type(event)) if field.name != "event"]
    return type(event)(**{name: getattr(event, name) for name in fields})


def test_an_event_its_copies_and_one_made_of_its_fields_are_the_same_bytes() -> None:
    for text in events_in_forms():
        event = bankhook.parse(text)
        (line,) = bankhook.parse_lines(event.to_json() + b"\n")
        for other in (copy.copy(event), pickle.loads(pickle.dumps(event)), bankhook.parse(event.to_json()), line):
            assert other.to_json() == event.to_json()
        made = made_of_fields(event)  # with the digits of a datetime
        again = bankhook.parse(made.to_json())
        assert isinstance(made, UnknownEvent) or again == made
        assert made_of_fields(again).to_json() == again.to_json() == made.to_json()
        assert pickle.loads(pickle.dumps(made)).to_json() == made.to_json()


def test_a_payload_that_would_be_written_alike_is_the_answer_itself() -> None:
    count = 0
    for text in events_in_forms():
        event = bankhook.parse(text)
        fresh = pickle.loads(pickle.dumps(event)).replace() if not isinstance(event, UnknownEvent) else event
        assert fresh.to_json() == event.to_json()
        count += event.to_json() is text
        assert event.to_json() is not text or text == fresh.to_json()
    assert count > 40
    text = payload("transaction_created").strip()
    assert bankhook.parse(text).to_json() is text
    assert bankhook.parse(b"\xef\xbb\xbf" + text).to_json() == text
    assert bankhook.parse(bytearray(text)).to_json() == text
    assert bankhook.parse(text + b"\n").to_json() == text
    assert [line.to_json() for line in bankhook.parse_lines(text + b" \r\n" + text)] == [text, text]


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
