# SPDX-License-Identifier: MIT
"""check says which rules between its fields an event breaks; the catalogue says what each rule rests on."""

from __future__ import annotations

from typing import Any

import pytest

import bankhook
from bankhook import Evidence, TransactionStatus, check, rules
from bankhook.types import Rule
from python.parsed import connections_update, payload, transaction_update, unknown_event


def test_an_event_that_keeps_all_rules_has_no_findings() -> None:
    assert check(connections_update()) == ()
    assert check(transaction_update()) == ()


def test_a_finding_of_a_parsed_event_has_its_place_in_raw() -> None:
    event = transaction_update("broken_rules")
    for finding in check(event):
        assert finding.offset is not None
        assert 0 < finding.offset < len(event.raw)
        assert (finding.line, finding.column) == (1, finding.offset + 1)
    assert event.raw[check(event)[0].offset :].startswith(b'"validated"')


def test_check_finds_what_diagnose_finds_between_fields() -> None:
    event = transaction_update("broken_rules")
    assert check(event) == bankhook.diagnose(event.raw)


def test_a_finding_of_an_event_made_in_python_has_no_place() -> None:
    event = transaction_update().replace(event_type=TransactionStatus.VALIDATED)
    (finding,) = check(event)
    assert finding.rule == "status_equals_event_type"
    assert (finding.offset, finding.line, finding.column) == (None, None, None)
    assert finding.path == "$.initialTransaction.status"


def test_check_looks_at_what_the_event_says_and_not_at_its_payload() -> None:
    """Spec 9 does not mention further fields: only the payload shows them."""
    assert check(bankhook.parse(payload("unlisted_members"))) == ()


def test_an_event_that_is_not_listed_is_a_finding() -> None:
    (finding,) = check(unknown_event())
    assert (finding.rule, finding.path) == ("event_is_listed", "$.event")


@pytest.mark.parametrize("given", [None, b"{}", transaction_update().initial_transaction, connections_update().connection])
def test_anything_but_an_event_is_a_type_error(given: Any) -> None:
    with pytest.raises(TypeError, match=rf"check\(\) expects an event, found .*{type(given).__name__}$"):
        check(given)


def test_the_catalogue_holds_every_rule_once() -> None:
    assert all(type(rule) is Rule for rule in rules)
    assert len({rule.id for rule in rules}) == len(rules) > 20
    assert {rule.evidence for rule in rules} == set(Evidence)
    assert all(rule.sentence and rule.section for rule in rules)


def test_every_finding_names_a_rule_of_the_catalogue_with_its_evidence() -> None:
    evidence = {rule.id: rule.evidence for rule in rules}
    for name in ("broken_rules", "unknown_values", "unknown_event"):
        for finding in bankhook.diagnose(payload(name)):
            assert finding.evidence is evidence[finding.rule]
