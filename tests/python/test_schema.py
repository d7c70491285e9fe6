# SPDX-License-Identifier: MIT
"""The schemas say what the specification says, rule by rule; tests/validators asks others about all the samples."""

from __future__ import annotations

import json
from typing import Any, get_args

import jsonschema
import pytest

import bankhook
from python.parsed import payload

EVENTS = [cls for cls in get_args(bankhook.AnyEvent) if cls is not bankhook.UnknownEvent]
CLASSES = {bankhook.json_schema(cls)["properties"]["event"]["const"]: cls for cls in EVENTS}


def validator(cls: type) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(bankhook.json_schema(cls))  # formats are not looked at: patterns say it all


def transaction_event(**changes: object) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(payload("transaction_validated"))
    event["initialTransaction"] |= changes
    return event


@pytest.mark.parametrize("cls", [*CLASSES.values(), bankhook.Account, bankhook.Connection, bankhook.Customer])
def test_a_schema_is_a_schema(cls: type) -> None:
    schema = bankhook.json_schema(cls)
    assert schema["title"] == cls.__name__
    jsonschema.Draft202012Validator.check_schema(schema)


def test_unlisted_fields_are_allowed_but_not_on_the_customer_of_a_transaction() -> None:
    check = validator(bankhook.InitialTransactionUpdate)
    assert check.is_valid(transaction_event(fromTheFuture=1))
    event = transaction_event()
    event["customer"]["connectionsOn"] = 1
    assert not check.is_valid(event)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "created"},
        {"storeExternalId": None},
        {"storeExternalId": None, "placeId": "p"},
        {"storeName": "s"},
        {"rejectionReason": "other"},
        {"transactionDate": "2026-02-30"},
        {"transactionDate": "2026-2-03"},
        {"transactionDate": "2023-02-29"},
        {"date": "2026-02-30T10:15:30Z"},
        {"date": "2026-W19-1T10:15:30"},
        {"date": "2026-05-04T25:15:30Z"},
        {"date": "2026-05-04 10:15:30"},
        {"amount": "19.90"},
        {"transactionId": 7},
    ],
    ids=str,
)
def test_what_breaks_the_specification_is_rejected(changes: dict[str, object]) -> None:
    check = validator(bankhook.InitialTransactionUpdate)
    assert check.is_valid(transaction_event())
    assert not check.is_valid(transaction_event(**changes))


def test_a_status_that_differs_is_found_at_its_place() -> None:
    (error,) = validator(bankhook.InitialTransactionUpdate).iter_errors(transaction_event(status="created"))
    assert error.json_path == "$.initialTransaction.status"


def test_a_rejected_transaction_needs_a_reason() -> None:
    check = validator(bankhook.InitialTransactionUpdate)
    event = transaction_event(status="rejected", rejectionReason="purchaseNotFound", transactionId=None)
    event["eventType"] = "rejected"
    assert check.is_valid(event)
    event["initialTransaction"]["rejectionReason"] = None
    assert not check.is_valid(event)


def test_the_messages_of_the_document_are_the_events() -> None:
    document = bankhook.asyncapi()
    assert document["asyncapi"] == "3.0.0"
    assert set(document["components"]["messages"]) == set(CLASSES)
    assert set(document["channels"]["webhook"]["messages"]) == set(CLASSES)
    for schema in document["components"]["schemas"].values():
        assert schema["type"] == "object"


@pytest.mark.parametrize("wrong", [int, bankhook.UnknownEvent, "Account", None])
def test_only_classes_of_the_library_have_a_schema(wrong: Any) -> None:
    with pytest.raises(TypeError, match="json_schema"):
        bankhook.json_schema(wrong)
