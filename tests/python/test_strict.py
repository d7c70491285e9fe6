# SPDX-License-Identifier: MIT
"""parse(strict=True) rejects also what the specification says is wrong; what is assumed or an example is taken."""

from __future__ import annotations

from typing import Any

import pytest

import bankhook
from bankhook import Evidence, ParseError, parse
from python.parsed import DATA, listed_findings, payload

TAKEN = [name for name in listed_findings() if not name.startswith("invalid/")]


@pytest.mark.parametrize("name", TAKEN)
def test_strict_rejects_a_payload_exactly_for_what_is_stated(name: str) -> None:
    text = (DATA / name).read_bytes()
    stated = [finding for finding in bankhook.diagnose(text) if finding.evidence is Evidence.STATED]
    if not stated:
        assert parse(text, strict=True) == parse(text)
        return
    with pytest.raises(ParseError) as caught:
        parse(text, strict=True)
    assert caught.value.finding == stated[0]
    assert caught.value.findings == bankhook.diagnose(text)
    parse(text)
    parse(text, strict=False)


def test_a_stated_rule_is_not_hidden_by_the_bound_of_findings() -> None:
    more = b"".join(b'"n%d":0,' % number for number in range(200))
    text = payload("unknown_values").replace(b"{", b"{" + more, 1)
    with pytest.raises(ParseError) as caught:
        parse(text, strict=True)
    assert caught.value.finding.rule == "values_are_listed"


def test_unlisted_fields_are_accepted() -> None:
    """Spec 9: how payloads may grow is not shown, so this rule is ours."""
    parse(payload("transaction_created").replace(b"{", b'{"more":1,', 1), strict=True)


def test_a_payload_that_is_not_an_event_is_rejected_in_both_modes() -> None:
    for strict in (True, False):
        with pytest.raises(ParseError):
            parse(b"{}", strict=strict)


def test_strict_is_a_keyword_and_any_truth_value() -> None:
    anything: Any = parse
    text = payload("transaction_created")
    assert anything(text, strict=1) == anything(text, strict=[]) == parse(text)
    with pytest.raises(TypeError, match="one positional argument"):
        anything(text, True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'strikt'"):
        anything(text, strikt=True)
    with pytest.raises(TypeError):
        anything(strict=True)


def test_a_truth_value_that_raises_is_raised() -> None:
    class Undecided:
        def __bool__(self) -> bool:
            raise KeyError("undecided")

    anything: Any = parse
    with pytest.raises(KeyError, match="undecided"):
        anything(payload("transaction_created"), strict=Undecided())
