# SPDX-License-Identifier: MIT
"""Every field says what the specification's table says of it: `fields.tsv` has the words of those tables, one a line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import bankhook
from docs.tables import Field, field_rows

ROOT = Path(__file__).resolve().parents[2]


ROWS = field_rows()
FIELDS = [row for row in ROWS if row.type != "value"]
REASONS = [row for row in ROWS if row.type == "value"]
EVENTS: list[type] = [bankhook.BankConnectionsUpdateV2, bankhook.InitialTransactionUpdate]
CLASSES: dict[str, list[type]] = {
    "2.1": [bankhook.ConnectedCustomer],
    "2.2": [bankhook.Connection],
    "2.3": [bankhook.Account],
    "2.4": [bankhook.InitialTransaction],
    "6.1": EVENTS,
    "6.2": EVENTS[:1],
    "6.3": EVENTS[1:],
}
IN_PLACE_OF_A_MEANING = [row for row in FIELDS if row.has_no_meaning]


def schemas(row: Field) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The schema of each class that has the field, and of the field in it."""
    wholes = [bankhook.json_schema(cls) for cls in CLASSES[row.section]]
    return [(whole, whole["properties"][row.field]) for whole in wholes]


def words_of(text: str) -> list[str]:
    """The clauses of a meaning, without what stands in parentheses: that points elsewhere, or names the type."""
    return [clause.strip().lower() for clause in re.split(r"; |\. ", re.sub(r" \([^)]*\)", "", text))]


def type_of(shape: dict[str, Any]) -> str:
    """The type of a field as the specification's tables write it."""
    if "$ref" in shape:
        return "object"
    if shape["type"] == "array":
        return f"array of {shape['items']['$ref'].rpartition('/')[2]}"
    types = [shape["type"]] if isinstance(shape["type"], str) else shape["type"]
    return " or ".join(types).replace("integer", "number")


def test_the_table_has_each_field_of_each_class_in_order() -> None:
    for section, classes in CLASSES.items():
        names = [row.field for row in FIELDS if row.section == section]
        for cls in classes:
            assert list(bankhook.json_schema(cls)["properties"])[: len(names)] == names
        if section != "6.1":
            assert len(classes) == 1 and len(bankhook.json_schema(classes[0])["properties"]) == len(names)


@pytest.mark.parametrize("row", [row for row in FIELDS if row not in IN_PLACE_OF_A_MEANING], ids=str)
def test_a_field_means_what_its_table_says_with_all_its_conditions(row: Field) -> None:
    for _, shape in schemas(row):
        said = words_of(shape["description"])
        assert [clause for clause in words_of(row.meaning) if clause not in said] == []


@pytest.mark.parametrize("row", FIELDS, ids=str)
def test_a_field_has_the_type_of_its_table(row: Field) -> None:
    for _, shape in schemas(row):
        assert type_of(shape) == row.type


@pytest.mark.parametrize("row", [row for row in FIELDS if row.required != "-"], ids=str)
def test_a_field_is_required_exactly_where_its_table_says_so(row: Field) -> None:
    for whole, _ in schemas(row):
        assert (row.field in whole["required"]) is row.required.startswith("yes")
    if row.required == "yes (in bank-connection events only)":
        assert row.field not in bankhook.json_schema(bankhook.Customer)["properties"]


@pytest.mark.parametrize("row", IN_PLACE_OF_A_MEANING, ids=str)
def test_a_field_of_an_event_has_the_values_or_the_fields_that_its_table_writes(row: Field) -> None:
    ((whole, shape),) = schemas(row)
    if row.field == "customer":
        properties = whole["$defs"][shape["$ref"].rpartition("/")[2]]["properties"]
        (clause,) = words_of(row.meaning)
        assert [name for name in properties if re.search(rf"\b{name.lower()}\b", clause)] == list(properties)
        known = {each.field for each in FIELDS}
        assert set(re.findall(r"\w+", row.meaning.partition(" (")[0])) & known == properties.keys()
    else:
        assert re.findall(r"`(\w+)`", row.meaning) == (shape.get("enum") or [shape["const"]])


@pytest.mark.parametrize("row", REASONS, ids=str)
def test_a_reason_means_what_its_table_says(row: Field) -> None:
    assert bankhook.RejectionReason(row.field).__doc__ == f"{row.meaning}."
    said = f"`{row.field}`: {row.meaning}"
    (field,) = (each for each in bankhook.fields(bankhook.InitialTransaction) if each.name == "rejection_reason")
    shape = bankhook.json_schema(bankhook.InitialTransaction)["properties"]["rejectionReason"]
    page = (ROOT / "docs/reference/fields.md").read_text(encoding="utf-8")
    for text in (field.meaning, shape["description"], page, bankhook.InitialTransaction.rejection_reason.__doc__ or ""):
        assert said in text


def test_the_table_of_reasons_has_all_of_them() -> None:
    assert [row.field for row in REASONS] == list(bankhook.RejectionReason)


@pytest.mark.parametrize(("event", "words"), [(EVENTS[0], "must have"), (EVENTS[1], "nice to have")])
def test_an_event_carries_the_priority_label_of_its_section(event: type, words: str) -> None:
    assert words_of(bankhook.json_schema(event)["description"])[-1] == f"priority label: {words}"
    assert f"priority label: {words}" in (event.__doc__ or "")


def test_the_first_event_names_every_trigger_of_its_section() -> None:
    said = bankhook.json_schema(bankhook.BankConnectionsUpdateV2)["description"]
    for trigger in ("created", "desynchronised", "resynchronised", "deleted", "disabled", "accounts changed"):
        assert trigger in said
