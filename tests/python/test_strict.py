# SPDX-License-Identifier: MIT
"""parse(strict=True) rejects also what the specification says is wrong; what is assumed or an example is taken."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import Evidence, InitialTransaction, InitialTransactionUpdate, ParseError, parse
from python.parsed import DATA, listed_findings, payload, transaction_with

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


@pytest.mark.parametrize("digits", range(1, 10))
def test_a_consent_of_other_than_four_fraction_digits_is_accepted_and_reported(digits: int) -> None:
    """Spec 2.2 spells four; that there may be no others is assumed."""
    text = payload("connection_created").strip().replace(b"09:30:00.0000", b"09:30:00." + b"7" * digits)
    event = parse(text, strict=True)
    assert event.to_json() == parse(text).to_json() == text
    rules = [] if digits == 4 else 2 * [("consent_has_four_fraction_digits", "assumed", "warning")]
    assert [(finding.rule, finding.evidence, finding.severity) for finding in bankhook.diagnose(text)] == rules
    assert bankhook.is_clean(text) is (digits == 4)
    report = bankhook.diagnose_lines(text + b"\n" + text)
    assert ([one.line for one in report.unclean], report.rejected) == ([] if digits == 4 else [1, 2], 0)
    assert bankhook.check(event) == ()


@pytest.mark.parametrize(
    ("fraction", "rule", "evidence"),
    [
        ("", "fields_have_their_form", Evidence.STATED),
        (".", "fields_have_their_form", Evidence.STATED),
        (".0000000000", "consent_can_be_read", Evidence.ASSUMED),
    ],
)
def test_a_consent_of_no_or_of_too_many_fraction_digits_is_rejected(fraction: str, rule: str, evidence: Evidence) -> None:
    """Spec 2.2: the form `YYYY-MM-DD HH:MM:SS.ffff` has a fraction; how long it may be is not stated."""
    text = payload("connection_created").replace(b"09:30:00.0000", b"09:30:00" + fraction.encode(), 1)
    for strict in (True, False):
        with pytest.raises(ParseError) as caught:
            parse(text, strict=strict)
        assert caught.value.finding.rule == rule
        assert caught.value.finding.evidence is evidence


@pytest.mark.parametrize("day", ["2023-02-29", "2026-02-30", "2026-13-01", "0000-01-01"])
def test_a_day_that_does_not_exist_is_rejected_by_an_assumed_rule(day: str) -> None:
    """Spec 2.4 gives the form `YYYY-MM-DD` and no more."""
    for before, after in (("2026-05-03", day), ("2026-05-04T", f"{day}T")):
        text = payload("transaction_created").replace(before.encode(), after.encode())
        for strict in (True, False):
            with pytest.raises(ParseError) as caught:
                parse(text, strict=strict)
            assert caught.value.finding.rule == "days_and_times_exist"
            assert caught.value.finding.evidence is Evidence.ASSUMED


@pytest.mark.parametrize("no_json", ["NaN", "+5", ".5", "5.", "01", "-Infinity", ""])
def test_an_amount_that_is_not_json_is_a_finding_about_json(no_json: str) -> None:
    """Spec 1: a payload is a JSON object; RFC 8259 has none of these numbers."""
    text = payload("transaction_created").replace(b"19.90", no_json.encode())
    assert [finding.rule for finding in bankhook.diagnose(text)] == ["payload_is_json_object"]
    with pytest.raises(ParseError):
        parse(text)


def test_an_amount_has_a_sign_of_64_bits_and_a_count_has_none() -> None:
    """Spec 8 shows no limits; these are the library's."""
    for number, is_amount in ((2**63 - 1, True), (2**63, False)):
        text = payload("transaction_created").replace(b"19.90", str(number).encode())
        assert [finding.rule for finding in bankhook.diagnose(text)] == ([] if is_amount else ["numbers_can_be_held"])
    for number, is_count in ((2**64 - 1, True), (2**64, False)):
        text = payload("connection_created").replace(b'"connectionsOn":1', b'"connectionsOn":' + str(number).encode())
        assert [finding.rule for finding in bankhook.diagnose(text)] == ([] if is_count else ["numbers_can_be_held"])
    (sentence,) = (rule.sentence for rule in bankhook.rules if rule.id == "numbers_can_be_held")
    assert sentence.startswith("the digits of an amount fit a 64-bit integer with a sign, and a count one without")


@pytest.mark.parametrize(
    ("within", "beyond"),
    [("1e37", "1e38"), ("1e-38", "1e-39"), ("-9223372036854775807e19", "-9223372036854775807e20"), ("0e37", "0e38"),
     ("0E-38", "0e50"), ("0." + "0" * 37 + "1", "0." + "0" * 38 + "1"), ("0.00e3", "1e2000000"), ("10e36", "1E-2000000")],
)  # fmt: skip
def test_an_amount_has_at_most_38_digits_without_its_exponent(within: str, beyond: str) -> None:
    """Spec 8 shows no limits: more is short to write, and too large to calculate with. A count has its value."""
    amount = Decimal(within)
    bought = transaction_with(b"19.90", within.encode())
    assert bought.amount.as_tuple() == amount.as_tuple()
    assert bought.replace(amount=amount) == bought == InitialTransaction.from_dict(bought.to_dict() | {"amount": amount})
    text = payload("transaction_created").replace(b"19.90", beyond.encode())
    (finding,) = bankhook.diagnose(text)
    assert (finding.rule, finding.evidence, finding.severity) == ("numbers_can_be_held", Evidence.ASSUMED, "error")
    assert "exponent" in finding.message and "more digits" not in finding.message
    assert text[finding.offset or 0 :].startswith(beyond.encode())
    for reader in (parse, bankhook.select("customer.id"), InitialTransactionUpdate.from_json):
        with pytest.raises(ParseError) as caught:
            reader(text)
        assert caught.value.finding == finding
    makes: list[Callable[[], object]] = [
        lambda: bought.replace(amount=Decimal(beyond)),
        lambda: InitialTransaction.from_dict(bought.to_dict() | {"amount": Decimal(beyond)}),
    ]
    for make in makes:
        with pytest.raises(ValueError, match=r"InitialTransaction\.amount: .*exponent"):
            make()
    with pytest.raises(ParseError, match="exponent"):
        InitialTransaction.from_wire(bought.to_wire(number=Decimal) | {"amount": Decimal(beyond)})
    count = payload("connection_created").replace(b'"connectionsOn":1', b'"connectionsOn":0e50')
    assert parse(count).customer.connections_on == 0  # type: ignore[union-attr]
    (rule,) = (rule for rule in bankhook.rules if rule.id == "numbers_can_be_held")
    assert "exponent" in rule.sentence


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
