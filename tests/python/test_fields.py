# SPDX-License-Identifier: MIT
"""`fields` gives what the specification's tables say of each field; the tables stand in `tests/docs/fields.tsv`."""

from __future__ import annotations

import re
from typing import Any

import pytest

import bankhook
from bankhook import ABSENT, fields
from docs.tables import field_rows
from python.parsed import one_of_each

CLASSES: dict[str, type] = {
    "2.1": bankhook.ConnectedCustomer,
    "2.2": bankhook.Connection,
    "2.3": bankhook.Account,
    "2.4": bankhook.InitialTransaction,
}
ROWS = [row for row in field_rows() if row.type != "value"]


@pytest.mark.parametrize("section", CLASSES)
def test_the_fields_of_a_class_are_the_rows_of_its_table(section: str) -> None:
    rows = [row for row in ROWS if row.section == section]
    found = fields(CLASSES[section])
    assert [(field.wire_name, field.required, field.nullable) for field in found] == [
        (row.field, row.required.startswith("yes"), row.type.endswith(" or null")) for row in rows
    ]
    assert [field.name for field in found] == [re.sub("([A-Z])", r"_\1", row.field).lower() for row in rows]
    assert {field.section for field in found} == {section}


def test_the_store_of_a_transaction_is_given_in_one_of_two_ways() -> None:
    """Spec 2.4: the id of the store may be null; the place and the name are optional."""
    found = {field.wire_name: field for field in fields(bankhook.InitialTransaction)}
    store = [found[name] for name in ("storeExternalId", "placeId", "storeName")]
    assert [(field.required, field.nullable) for field in store] == [(True, True), (False, False), (False, False)]
    assert [field.type for field in store] == ["str | None", "str | Absent", "str | Absent"]


def test_a_field_has_the_words_of_its_table() -> None:
    """Spec 2.2 and 2.3."""
    bank = next(field for field in fields(bankhook.Connection) if field.name == "bank")
    assert bank.meaning == "Name of the bank of this connection"
    account = next(field for field in fields(bankhook.Connection) if field.name == "accounts")
    assert (account.type, account.meaning) == (
        "tuple[Account, ...]",
        "Bank accounts linked to the connection; may be empty",
    )


@pytest.mark.parametrize("event", bankhook.AnyEvent.__args__, ids=lambda cls: cls.__name__)
def test_an_event_starts_with_its_name(event: type) -> None:
    """Spec 6."""
    first = fields(event)[0]
    assert (first.name, first.wire_name, first.required, first.nullable) == ("event", "event", True, False)


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
def test_each_field_can_be_read_and_is_in_the_json_under_its_name(value: Any) -> None:
    wire = value.to_wire()
    for field in fields(type(value)):
        given = getattr(value, field.name)
        assert given is not ABSENT or not field.required
        assert given is not None or field.nullable
        if field.name != "raw":
            assert (field.wire_name in wire) == (given is not ABSENT)


def test_a_field_is_a_record_of_its_own() -> None:
    first = fields(bankhook.Account)[0]
    assert first == bankhook.types.Field(
        name="id",
        wire_name="id",
        type="str",
        required=True,
        nullable=False,
        section="2.3",
        meaning="Bank account id assigned by the service",
        values=(),
    )
    (status,) = [field for field in fields(bankhook.InitialTransaction) if field.name == "status"]
    assert status.values == tuple(bankhook.TransactionStatus)


@pytest.mark.parametrize(
    "other", [None, "Account", object, bankhook.types.Finding, bankhook.Account(id="a", account_hash=None)]
)
def test_anything_but_such_a_class_is_a_type_error(other: Any) -> None:
    with pytest.raises(TypeError, match=r"fields\(\) expects the class of an event or of a resource"):
        fields(other)


def test_the_error_tells_a_class_from_an_object() -> None:
    with pytest.raises(TypeError, match="found the class Outcome"):
        fields(bankhook.types.Outcome)
    with pytest.raises(TypeError, match=r"found an object of bankhook\.Account"):
        fields(bankhook.Account(id="a", account_hash=None))  # type: ignore[arg-type]
