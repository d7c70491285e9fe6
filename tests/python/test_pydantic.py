# SPDX-License-Identifier: MIT
"""bankhook.integrations.pydantic with pydantic itself: what models read, reject, write and say of themselves."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

import bankhook
from bankhook.integrations.pydantic import Payload, StrictPayload
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

PAYLOAD: Any = Payload  # to be asked for a class that a checker does not know
ANY = TypeAdapter[bankhook.AnyEvent](Payload[bankhook.AnyEvent])


class Delivery(BaseModel):
    """What a consumer may keep of a delivery."""

    attempt: int
    event: Payload[bankhook.AnyEvent]
    accounts: list[Payload[bankhook.Account]] = []
    before: Payload[bankhook.InitialTransactionUpdate] | None = None


def errors_of(adapter: TypeAdapter[Any], source: object) -> list[Any]:
    """What pydantic lists of a source that it rejects."""
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python(source)
    return list(caught.value.errors())


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_bytes_are_parsed_as_parse_does(row: dict[str, str]) -> None:
    text = (DATA / "valid" / row["file"]).read_bytes()
    event = ANY.validate_python(text)
    assert event == bankhook.parse(text)
    assert event.raw is text
    for other in (bytearray(text), memoryview(text), text.decode()):
        assert ANY.validate_python(other) == event


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_dicts_give_the_same_event(row: dict[str, str]) -> None:
    text = (DATA / "valid" / row["file"]).read_bytes()
    event = ANY.validate_python(json.loads(text, parse_float=Decimal))
    assert type(event) is type(bankhook.parse(text))
    if not isinstance(event, bankhook.UnknownEvent):
        assert event == bankhook.parse(text)
        assert event.to_json() == bankhook.parse(text).to_json()


@pytest.mark.parametrize("row", rows("invalid"), ids=lambda row: row["file"])
def test_what_parse_rejects_is_rejected_with_all_findings(row: dict[str, str]) -> None:
    text = (DATA / "invalid" / row["file"]).read_bytes()
    said = errors_of(ANY, text)
    findings = bankhook.diagnose(text)
    assert [error["type"] for error in said] == [finding.rule for finding in findings]
    for error, finding in zip(said, findings, strict=True):
        assert error["msg"] == finding.message
        assert error["ctx"]["path"] == finding.path
        assert (error["ctx"]["offset"], error["ctx"]["line"]) == (finding.offset, finding.line)


def test_an_object_of_the_library_is_taken_unchanged() -> None:
    for event in (connections_update(), transaction_update(), unknown_event()):
        assert ANY.validate_python(event) is event
    account = connections_update().connection.accounts[0]
    assert Delivery(attempt=1, event=unknown_event(), accounts=[account]).accounts[0] is account


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
def test_every_class_can_be_a_field(value: Any) -> None:
    adapter = TypeAdapter[Any](PAYLOAD[type(value)])
    assert adapter.validate_python(value) is value
    assert adapter.validate_python(value.to_json()) == value
    assert adapter.validate_json(value.to_json()) == value or type(value) is bankhook.UnknownEvent
    assert adapter.dump_python(value) is value


def test_a_finding_in_a_model_is_placed_below_its_field() -> None:
    with pytest.raises(ValidationError) as caught:
        Delivery.model_validate({"attempt": 1, "event": payload("transaction_created"), "accounts": [b'{"id":1}']})
    assert [(error["loc"], error["type"]) for error in caught.value.errors()] == [
        (("accounts", 0, "id"), "fields_have_their_type"),
        (("accounts", 0, "accountHash"), "required_fields_are_present"),
    ]


def test_a_place_in_an_array_is_a_number() -> None:
    text = payload("connection_updated_with_accounts")
    at = text.rindex(b'"accountHash":null')
    (error,) = errors_of(ANY, text[:at] + b'"accountHash":1' + text[at + len(b'"accountHash":null') :])
    assert error["loc"] == ("connection", "accounts", 1, "accountHash")


def test_findings_of_a_dict_have_no_offset_because_there_was_no_text() -> None:
    broken = {**json.loads(payload("transaction_created")), "eventType": 7}
    (error,) = errors_of(ANY, broken)
    assert error["loc"] == ("eventType",)
    assert error["ctx"].keys() == {"evidence", "section", "severity", "path", "expected", "found"}


def test_no_error_holds_a_value_of_the_payload() -> None:
    for broken in (payload("transaction_created"), json.loads(payload("transaction_created"))):
        if isinstance(broken, bytes):
            broken = broken.replace(b'"transactionId":null', b'"transactionId":4711')
        else:
            broken["initialTransaction"]["transactionId"] = 4711
        with pytest.raises(ValidationError) as caught:
            Delivery.model_validate({"attempt": 1, "event": broken})
        said = str(caught.value) + caught.value.json() + repr(caught.value.errors())
        for personal in ("4711", "member-0001", "cust-1", "it-0001", "19.9"):
            assert personal not in said


@pytest.mark.parametrize("source", [None, 5, 1.5, True, [], {}, {"event": {1, 2}}, object(), {"event": float("nan")}])
def test_a_value_that_is_not_a_payload_is_rejected_with_errors(source: object) -> None:
    assert errors_of(ANY, source)


def test_what_holds_itself_or_is_nested_too_deeply_is_rejected() -> None:
    circle: dict[str, object] = {}
    circle["event"] = circle
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert errors_of(ANY, circle)
    assert errors_of(ANY, {"event": deep})


def test_another_event_than_the_annotation_names_is_rejected() -> None:
    adapter = TypeAdapter(Payload[bankhook.InitialTransactionUpdate])
    for source in (connections_update(), connections_update().raw, json.loads(connections_update().raw)):
        (error,) = errors_of(adapter, source)
        assert error["type"] == "event_is_listed"
        assert error["loc"] == ("event",)
    (error,) = errors_of(adapter, connections_update().connection)
    assert error["msg"] == "expected InitialTransactionUpdate, found Connection"
    listed = TypeAdapter[Any](Payload[bankhook.InitialTransactionUpdate | bankhook.BankConnectionsUpdateV2])
    assert listed.validate_python(payload("transaction_created")) == transaction_update()
    assert errors_of(listed, payload("unknown_event"))


def test_strictly_a_stated_rule_is_kept() -> None:
    strict = TypeAdapter[Any](StrictPayload[bankhook.AnyEvent])
    text = payload("transaction_created").replace(b'"status":"created"', b'"status":"validated"')
    assert ANY.validate_python(text)
    for source in (text, json.loads(text), bankhook.parse(text)):
        assert "status_equals_event_type" in [error["type"] for error in errors_of(strict, source)]
    assert strict.validate_python(payload("transaction_created")) == transaction_update()


@pytest.mark.parametrize("annotation", [int, bankhook.Account | bankhook.Customer, bankhook.AnyEvent | None])
def test_only_classes_and_unions_of_events_can_be_annotated(annotation: Any) -> None:
    with pytest.raises(TypeError, match="class of bankhook"):
        TypeAdapter(PAYLOAD[annotation])


def test_json_read_by_pydantic_loses_a_zero_and_decimals_do_not() -> None:
    text = b'{"attempt":1,"event":' + payload("transaction_created") + b"}"
    read = Delivery.model_validate_json(text).event
    exact = Delivery.model_validate(json.loads(text, parse_float=Decimal)).event
    assert isinstance(read, bankhook.InitialTransactionUpdate)
    assert isinstance(exact, bankhook.InitialTransactionUpdate)
    assert read == exact == transaction_update()
    assert (str(read.initial_transaction.amount), str(exact.initial_transaction.amount)) == ("19.9", "19.90")


def test_pydantic_s_own_json_has_the_fields_of_the_payload() -> None:
    for event in (connections_update(), transaction_update()):
        assert json.loads(ANY.dump_json(event)) == json.loads(event.to_json())
        assert ANY.dump_python(event, mode="json") == json.loads(event.to_json())


def test_an_amount_that_no_float_holds_is_an_error_and_no_rounding() -> None:
    event = bankhook.parse(payload("transaction_created").replace(b"19.90", b"0.1234567890123456789"))
    with pytest.raises(PydanticSerializationError, match="found more digits"):
        ANY.dump_json(event)


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_the_schema_has_one_definition_a_class_and_holds_for_the_samples(mode: Any) -> None:
    schema = Delivery.model_json_schema(mode=mode)
    assert schema["$defs"].keys() == NAMES_IN_EVENTS
    validator = jsonschema.Draft202012Validator(schema)
    for name in ("transaction_created", "connection_updated_with_accounts", "unknown_event"):
        validator.validate({"attempt": 1, "event": json.loads(payload(name)), "accounts": [], "before": None})
    for part in (5, {}, {"event": "initial_transaction_update"}):
        assert not validator.is_valid({"attempt": 1, "event": part, "accounts": [], "before": None})


def test_the_schema_of_a_class_is_that_of_the_library() -> None:
    for cls in (bankhook.BankConnectionsUpdateV2, bankhook.InitialTransactionUpdate):
        theirs = TypeAdapter[Any](PAYLOAD[cls]).json_schema()
        ours = bankhook.json_schema(cls)
        assert {name: theirs[name] for name in ours if name != "$schema"} == {
            name: part for name, part in ours.items() if name != "$schema"
        }
