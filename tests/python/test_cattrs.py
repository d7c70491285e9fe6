# SPDX-License-Identifier: MIT
"""bankhook.integrations.cattrs with cattrs itself: what converters structure, reject and unstructure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import cattrs
import pytest
from cattrs.preconf.json import make_converter

import bankhook
from bankhook.integrations.cattrs import configure
from python.parsed import DATA, connections_update, one_of_each, payload, rows, transaction_update, unknown_event

CONVERTER = configure(cattrs.Converter())
ANY: Any = bankhook.AnyEvent


@dataclass
class Delivery:
    """What a consumer may keep of a delivery."""

    attempt: int
    event: bankhook.AnyEvent
    accounts: list[bankhook.Account]
    before: bankhook.AnyEvent | None = None
    bank: bankhook.Connection | None = None


def exact(text: bytes) -> Any:
    """The wire form without a lost digit."""
    return json.loads(text, parse_float=Decimal)


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_bytes_and_dicts_are_structured_as_parse_does(row: dict[str, str]) -> None:
    text = (DATA / "valid" / row["file"]).read_bytes()
    event = bankhook.parse(text)
    assert CONVERTER.structure(text, ANY) == event
    assert CONVERTER.structure(text, ANY).raw is text
    assert CONVERTER.structure(exact(text), ANY).to_dict().keys() == event.to_dict().keys()
    if not isinstance(event, bankhook.UnknownEvent):
        assert CONVERTER.structure(exact(text), ANY) == event


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
def test_every_class_comes_back_from_what_it_is_unstructured_to(value: Any) -> None:
    plain = CONVERTER.unstructure(value)
    assert plain == exact(value.to_json())
    back = CONVERTER.structure(plain, type(value))
    assert type(back) is type(value)
    assert CONVERTER.structure(value, type(value)) is value
    if not isinstance(value, bankhook.UnknownEvent):
        assert back == value
        assert back.to_json() == value.to_json()


def test_events_and_resources_can_be_fields_of_other_classes() -> None:
    account = connections_update().connection.accounts[0]
    before = transaction_update()
    delivery = Delivery(1, transaction_update(), [account], before, connections_update().connection)
    plain = CONVERTER.unstructure(delivery)
    assert plain["event"]["initialTransaction"]["amount"] == Decimal("19.90")
    assert str(plain["event"]["initialTransaction"]["amount"]) == "19.90"
    assert CONVERTER.structure(plain, Delivery) == delivery
    alone = Delivery(1, transaction_update(), [])
    assert CONVERTER.structure(CONVERTER.unstructure(alone), Delivery) == alone


def test_a_converter_that_writes_json_takes_floats() -> None:
    converter = configure(make_converter(), number=float)
    delivery = Delivery(1, transaction_update(), [])
    text = converter.dumps(delivery)
    assert '"amount": 19.9,' in text
    assert converter.loads(text, Delivery) == delivery


@pytest.mark.parametrize("row", rows("invalid"), ids=lambda row: row["file"])
def test_what_parse_rejects_is_rejected_with_all_findings(row: dict[str, str]) -> None:
    text = (DATA / "invalid" / row["file"]).read_bytes()
    with pytest.raises(bankhook.ParseError) as caught:
        CONVERTER.structure(text, ANY)
    assert caught.value.findings == bankhook.diagnose(text)


def test_a_rejection_inside_of_another_class_is_in_the_group_of_errors() -> None:
    plain = CONVERTER.unstructure(Delivery(1, transaction_update(), []))
    plain["event"]["eventType"] = 7
    with pytest.raises(cattrs.ClassValidationError) as caught:
        CONVERTER.structure(plain, Delivery)
    (error,) = caught.value.exceptions
    assert isinstance(error, bankhook.ParseError)
    (finding,) = error.findings
    assert (finding.path, finding.message) == ("$.eventType", "expected string, found number")
    assert (finding.offset, finding.line, finding.column) == (None, None, None)
    assert str(error) == "$.eventType: expected string, found number"


def test_another_class_is_rejected() -> None:
    for source in (connections_update(), connections_update().raw, exact(connections_update().raw), unknown_event()):
        with pytest.raises(bankhook.ParseError, match="expected InitialTransactionUpdate"):
            CONVERTER.structure(source, bankhook.InitialTransactionUpdate)
    with pytest.raises(bankhook.ParseError):
        CONVERTER.structure(None, ANY)


@pytest.mark.parametrize("truth", [True, 1])
def test_strictly_a_stated_rule_is_kept(truth: Any) -> None:
    strict = configure(cattrs.Converter(), strict=truth)
    text = payload("transaction_created").replace(b'"status":"created"', b'"status":"validated"')
    assert CONVERTER.structure(text, ANY) == bankhook.parse(text)
    with pytest.raises(bankhook.ParseError, match="expected"):
        strict.structure(text, ANY)


def test_a_converter_that_was_not_configured_does_not_know_events() -> None:
    with pytest.raises(cattrs.StructureHandlerNotFoundError):
        cattrs.Converter().structure(payload("transaction_created"), bankhook.InitialTransactionUpdate)
