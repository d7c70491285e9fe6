# SPDX-License-Identifier: MIT
"""explain shows the line of the payload with a caret, and no value unless it is asked to."""

from __future__ import annotations

from typing import Any

import pytest

import bankhook
from bankhook import ParseError, check, diagnose, explain
from bankhook.types import Finding
from python.parsed import DATA, listed_findings, payload, transaction_update

TEXT = b'{\n  "event": "initial_transaction_update",\n  "eventType": 42\n}'


def test_a_finding_is_explained_with_its_line_and_a_caret() -> None:
    assert explain(diagnose(TEXT)[0], TEXT) == (
        "$.eventType: expected string, found number\n"
        "  rule: fields_have_their_type (stated, section 6.3)\n"
        " --> line 3, column 16\n"
        '  3 |   "eventType": ··\n'
        "    |                ^\n"
    )


def test_an_error_is_explained_with_all_its_findings() -> None:
    with pytest.raises(ParseError) as caught:
        bankhook.parse(TEXT)
    assert explain(caught.value, TEXT) == explain(diagnose(TEXT), TEXT)
    assert explain(caught.value, TEXT).count("^") == len(caught.value.findings) == 3


def test_any_iterable_of_findings_is_explained() -> None:
    found = diagnose(TEXT)
    assert explain(list(found), TEXT) == explain(iter(found), TEXT) == explain(found, TEXT)
    assert explain([], TEXT) == ""


def test_a_value_is_shown_to_those_who_ask_for_it() -> None:
    found = diagnose(TEXT)
    assert '"eventType": 42' in explain(found, TEXT, show_values=True)
    assert "42" not in explain(found, TEXT)


def test_a_finding_without_a_place_has_no_line() -> None:
    event = transaction_update().replace(event_type="validated")
    text = explain(check(event), event.raw)
    assert text.startswith("$.initialTransaction.status: ")
    assert "-->" not in text


def test_a_payload_that_is_no_utf8_is_explained() -> None:
    text = payload("transaction_created").replace(b"it-0001", b"\xff")
    assert "·" in explain(diagnose(text), text)
    assert "\ufffd" in explain(diagnose(text), text, show_values=True)


@pytest.mark.parametrize("name", listed_findings())
def test_every_shared_payload_is_explained_without_its_values(name: str) -> None:
    text = (DATA / name).read_bytes()
    said = explain(diagnose(text), text)
    for secret in ("member-0001", "it-0001", "tr-0002", "store-17", "19.90", "2026-05", "conn-", "acc-", "Banque"):
        assert secret not in said


@pytest.mark.parametrize("what", [5, None, [5], [None], "text", b"x", Finding])
def test_anything_else_is_a_type_error(what: Any) -> None:
    with pytest.raises(TypeError):
        explain(what, TEXT)


def test_a_finding_made_of_wrong_parts_is_an_error() -> None:
    parts: Any = diagnose(TEXT)[0]
    changes = ({"rule": 5}, {"offset": "x"}, {"offset": -1}, {"evidence": "stated"}, {"path": None}, {"line": 2**80})
    for change in changes:
        with pytest.raises((TypeError, OverflowError, ValueError)):
            explain(parts.replace(**change), TEXT)
    with pytest.raises(AttributeError):
        explain(object.__new__(Finding), TEXT)


def test_a_finding_of_a_rule_that_is_not_in_the_catalogue_is_a_value_error() -> None:
    finding = diagnose(b"{}")[0].replace(rule="no_such_rule")
    with pytest.raises(ValueError, match=r"Finding\.rule: expected the id of a rule"):
        explain(finding, b"{}")


def test_a_finding_of_another_payload_is_explained_without_harm() -> None:
    finding = diagnose(TEXT)[0].replace(offset=2**62, line=2**62, column=1)
    assert "--> line" in explain(finding, b"")
    assert "--> line" in explain([finding, *diagnose(TEXT)], TEXT)


def test_arguments_that_are_missing_or_too_many_are_type_errors() -> None:
    anything: Any = explain
    for arguments in ((), (diagnose(TEXT),), (diagnose(TEXT), TEXT, True)):
        with pytest.raises(TypeError):
            anything(*arguments)
    with pytest.raises(TypeError, match="explain"):
        anything(diagnose(TEXT), 5)
