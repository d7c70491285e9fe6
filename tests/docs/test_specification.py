# SPDX-License-Identifier: MIT
"""The map of the specification is complete, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import bankhook
from docs.specification import Row, faults, rows
from docs.tables import field_rows, gaps

ROOT = Path(__file__).resolve().parents[2]
ROWS = rows(ROOT / "docs" / "reference" / "specification.md")

SECTIONS = ("0", "1", "2", "2.1", "2.2", "2.3", "2.4", "3.1", "3.2", "4", "5", "6", "6.1", "6.2", "6.3", "7", "8", "9")
# Which class holds the fields that a table of the specification lists; 6.2 and 6.3 list those of 6.1 again.
TABLES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "2.1": (bankhook.ConnectedCustomer, ()),
    "2.2": (bankhook.Connection, ()),
    "2.3": (bankhook.Account, ()),
    "2.4": (bankhook.InitialTransaction, ()),
    "6.2": (bankhook.BankConnectionsUpdateV2, ("event", "event_type", "customer")),
    "6.3": (bankhook.InitialTransactionUpdate, ("event", "event_type", "customer")),
}


def snake(wire_name: str) -> str:
    """The name that a field has in a struct."""
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), wire_name)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.section}: {row.statement[:50]}")
def test_a_row_names_code_and_tests_that_exist(row: Row) -> None:
    assert faults(row) == []


@pytest.mark.parametrize("section", SECTIONS)
def test_no_section_is_missing(section: str) -> None:
    assert any(row.section == section for row in ROWS)


def test_sections_come_in_the_order_of_the_specification() -> None:
    assert list(dict.fromkeys(row.section for row in ROWS)) == list(SECTIONS)


def test_every_field_of_the_specification_has_a_row_and_a_place_in_a_struct() -> None:
    fields = [(row.section, snake(row.field)) for row in field_rows() if row.type != "value" and not row.has_no_meaning]
    bound = [("6.1", name) for name in ("event", "event_type", "customer")]
    for section, (table, listed_before) in TABLES.items():
        bound += [(section, name) for name in vars(table)["__match_args__"] if name not in listed_before]
    assert sorted(bound) == sorted(fields)
    named = {(row.section, link.name.split("::")[-1]) for row in ROWS for link in row.code}
    assert [field for field in fields if field not in named] == []


def test_every_place_of_not_shown_has_a_row_in_order() -> None:
    assert [row.section for row in ROWS if row.is_open] == [section for section, _ in gaps()]


def test_every_priority_label_has_a_row_in_its_section() -> None:
    for section, label in (("6.2", "must have"), ("6.3", "nice to have")):
        assert any(row.section == section and f"Priority label: {label}" in row.statement for row in ROWS)


def test_every_rule_that_the_specification_carries_has_a_row() -> None:
    """What is assumed has its entry in the open questions instead: see test_open_questions.py."""
    named = {link.name.removeprefix("RuleId::") for row in ROWS for link in row.code if link.name.startswith("RuleId::")}
    assert {rule.id for rule in bankhook.rules if rule.evidence != "assumed"} - named == set()


def test_every_row_of_the_lifecycles_lies_in_a_section_that_has_a_row_for_it() -> None:
    for lifecycle, name in (
        (bankhook.transaction_lifecycle, "transaction_lifecycle"),
        (bankhook.connection_lifecycle, "connection_lifecycle"),
    ):
        sections = {row.section for row in ROWS if any(link.name == name for link in row.code)}
        found = {row.section for row in (*lifecycle.transitions, *lifecycle.final_states)}
        assert found <= sections


def test_a_row_that_names_what_does_not_exist_is_a_fault(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    (tmp_path / "code.hpp").write_text("struct Account { int id; };  // ghost\n", encoding="utf-8")
    page.write_text(
        "## 2.3 Account\n\n| statement | code | tests |\n|---|---|---|\n"
        "| id | [Account::id][code] [Account::ghost][code] | [a test][gone] |\n\n[code]: code.hpp\n[gone]: gone.cpp\n",
        encoding="utf-8",
    )
    (row,) = rows(page)
    assert "code.hpp has no Account::ghost" in faults(row)
    assert len(faults(row)) == 3
