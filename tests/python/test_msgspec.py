# SPDX-License-Identifier: MIT
"""bankhook.integrations.msgspec with msgspec itself: what its decoders read, reject and its encoders write."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import jsonschema
import msgspec
import pytest

import bankhook
from bankhook.integrations.msgspec import Event, dec_hook, enc_hook, enc_hook_of_builtins, schema_hook
from python.parsed import (
    DATA,
    NAMES_IN_EVENTS,
    connections_update,
    one_of_each,
    payload,
    rows,
    transaction_update,
    unknown_event,
)


class Delivery(msgspec.Struct):
    """What a consumer may keep of a delivery."""

    attempt: int
    event: Event
    accounts: list[bankhook.Account] = []
    before: bankhook.InitialTransactionUpdate | None = None


DECODER = msgspec.json.Decoder(Delivery, dec_hook=dec_hook, float_hook=Decimal)
ENCODER = msgspec.json.Encoder(enc_hook=enc_hook)


def delivery(event: bytes) -> bytes:
    """A delivery of an event as JSON."""
    return b'{"attempt":1,"event":' + event + b"}"


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_json_gives_the_event_that_parse_gives(row: dict[str, str]) -> None:
    text = (DATA / "valid" / row["file"]).read_bytes()
    event = DECODER.decode(delivery(text)).event
    assert type(event) is type(bankhook.parse(text))
    if not isinstance(event, bankhook.UnknownEvent):
        assert event == bankhook.parse(text)
        assert event.to_json() == bankhook.parse(text).to_json()


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
def test_every_class_is_written_as_its_own_json_and_read_again(value: Any) -> None:
    assert ENCODER.encode(value) == value.to_json()
    cls: Any = type(value)
    back = msgspec.json.decode(ENCODER.encode([value]), type=list[cls], dec_hook=dec_hook)[0]
    assert type(back) is type(value)
    assert back == value or isinstance(value, bankhook.UnknownEvent)


@pytest.mark.parametrize("amount", ["19.90", "125", "1e2", "0.1234567890123456789"])
def test_amounts_are_written_and_read_digit_for_digit(amount: str) -> None:
    event = bankhook.parse(payload("transaction_created").strip().replace(b"19.90", amount.encode()))
    text = ENCODER.encode(Delivery(1, event, list(connections_update().connection.accounts), transaction_update()))
    assert event.to_json() in text
    back = DECODER.decode(text)
    assert back.event == event
    assert back.event.to_json() == event.to_json()
    assert back.accounts == list(connections_update().connection.accounts)
    assert back.before == transaction_update()


def test_without_a_float_hook_a_zero_is_lost() -> None:
    read = msgspec.json.decode(delivery(payload("transaction_created")), type=Delivery, dec_hook=dec_hook)
    assert isinstance(read.event, bankhook.InitialTransactionUpdate)
    assert str(read.event.initial_transaction.amount) == "19.9"


def test_builtins_and_message_pack_hold_the_wire_form() -> None:
    whole = Delivery(1, transaction_update(), [], transaction_update())
    plain = msgspec.to_builtins(whole, enc_hook=enc_hook_of_builtins)
    assert plain["event"] == json.loads(transaction_update().raw)
    assert msgspec.convert(plain, Delivery, dec_hook=dec_hook) == whole
    packed = msgspec.msgpack.encode(whole, enc_hook=enc_hook_of_builtins)
    assert msgspec.msgpack.decode(packed, type=Delivery, dec_hook=dec_hook) == whole


def test_an_amount_that_no_float_holds_is_an_error_and_no_rounding() -> None:
    event = bankhook.parse(payload("transaction_created").replace(b"19.90", b"0.1234567890123456789"))
    with pytest.raises(ValueError, match="found more digits"):
        msgspec.to_builtins(event, enc_hook=enc_hook_of_builtins)


def test_bytes_in_message_pack_are_parsed_at_once() -> None:
    packed = msgspec.msgpack.encode({"attempt": 1, "event": payload("transaction_created")})
    event = msgspec.msgpack.decode(packed, type=Delivery, dec_hook=dec_hook).event
    assert event.raw == payload("transaction_created")


def test_a_rejection_has_the_path_of_the_field_and_all_findings() -> None:
    text = payload("transaction_created").replace(b'"amount":19.90', b'"amount":"x"').replace(b'"it-0001"', b"4711")
    with pytest.raises(
        msgspec.ValidationError, match=r"expected string, found number; findings in all: 2 - at `\$\.event`"
    ) as caught:
        DECODER.decode(delivery(text))
    error = caught.value.__cause__
    assert isinstance(error, bankhook.ParseError)
    assert [finding.path for finding in error.findings] == ["$.initialTransaction.id", "$.initialTransaction.amount"]
    assert "4711" not in str(caught.value)


def test_another_event_than_the_field_names_is_rejected() -> None:
    for event in (connections_update(), unknown_event()):
        with pytest.raises(msgspec.ValidationError, match="expected InitialTransactionUpdate"):
            DECODER.decode(b'{"attempt":1,"event":' + transaction_update().raw + b',"before":' + event.raw + b"}")


def test_the_type_of_fields_stands_for_every_event_and_for_nothing_else() -> None:
    kinds: Any = Event
    for value in one_of_each():
        assert isinstance(value, kinds) == hasattr(value, "raw")


def test_other_types_are_left_to_others() -> None:
    with pytest.raises(NotImplementedError):
        enc_hook(object())
    with pytest.raises(NotImplementedError):
        enc_hook_of_builtins({1})
    with pytest.raises(NotImplementedError):
        dec_hook(complex, 1)


def test_the_schema_is_whole_and_holds_for_the_samples() -> None:
    schema = msgspec.json.schema(Delivery, schema_hook=schema_hook)
    assert set(json.dumps(schema).split('"')).issuperset(NAMES_IN_EVENTS)
    validator = jsonschema.Draft202012Validator(schema)
    for name in ("transaction_created", "connection_updated_with_accounts", "unknown_event"):
        validator.validate({"attempt": 1, "event": json.loads(payload(name))})
    assert not validator.is_valid({"attempt": 1, "event": {"event": "initial_transaction_update"}})
