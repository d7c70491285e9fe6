# SPDX-License-Identifier: MIT
"""diagnose says everything that is wrong with a payload, and raises nothing for it."""

from __future__ import annotations

import json
import mmap
from typing import Any

import pytest

import bankhook
from bankhook import Evidence, ParseError, diagnose, rules
from bankhook.types import Finding, Severity
from python.parsed import DATA, archive, listed_findings, payload

REJECTED = {rule.id for rule in rules if rule.severity == Severity.ERROR}
LISTED = listed_findings()


def row_of(finding: Finding) -> dict[str, str]:
    """A finding as a row of the list of findings."""
    steps = json.dumps(finding.steps, separators=(",", ":"))
    return {name: str(value) for name, value in finding.to_dict().items()} | {"steps": steps}


@pytest.mark.parametrize("name", LISTED)
def test_every_shared_payload_has_the_findings_of_its_list(name: str) -> None:
    assert [row_of(finding) for finding in diagnose((DATA / name).read_bytes())] == LISTED[name]


@pytest.mark.parametrize("name", LISTED)
def test_parse_fails_exactly_where_diagnose_finds_what_is_rejected(name: str) -> None:
    text = (DATA / name).read_bytes()
    rejected = [finding for finding in diagnose(text) if finding.rule in REJECTED]
    if rejected:
        with pytest.raises(ParseError) as caught:
            bankhook.parse(text)
        assert caught.value.findings == diagnose(text)
        assert caught.value.finding == rejected[0]
    else:
        bankhook.parse(text)


def test_a_clean_payload_has_no_findings() -> None:
    assert diagnose(payload("connection_created")) == ()


def test_a_finding_has_all_its_parts() -> None:
    (finding,) = diagnose(payload("transaction_created").replace(b"19.90", b"true"))
    assert finding == Finding(
        rule="fields_have_their_type",
        evidence=Evidence.STATED,
        section="2.4",
        severity=Severity.ERROR,
        steps=("initialTransaction", "amount"),
        path="$.initialTransaction.amount",
        offset=160,
        line=1,
        column=161,
        expected="number",
        found="boolean",
    )
    assert finding.message == "expected number, found boolean"


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, lambda text: text.decode()])
def test_it_takes_what_parse_takes(wrap: Any) -> None:
    text = payload("unknown_values")
    assert diagnose(wrap(text)) == diagnose(text)


def test_it_takes_a_mapped_file() -> None:
    path = DATA / "valid" / "unknown_values.json"
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert len(diagnose(mapped)) == 3


@pytest.mark.parametrize("given", [None, 5, [], object()])
def test_anything_else_is_a_type_error_that_names_the_function(given: Any) -> None:
    with pytest.raises(TypeError, match=rf"diagnose\(\) expects .*, found {type(given).__name__}"):
        diagnose(given)


def test_any_bytes_are_diagnosed_and_nothing_is_raised() -> None:
    text = payload("connection_updated_with_accounts")
    for size in range(len(text)):
        diagnose(text[:size])
        diagnose(text[size:])
    for at in range(len(text)):
        diagnose(text[:at] + b"\xff" + text[at + 1 :])
    for line in archive():
        diagnose(line)


def test_a_name_that_is_no_utf8_can_be_read() -> None:
    found = diagnose(b'{"event":"x","\xff":tru}')
    assert [finding.rule for finding in found] == ["event_is_listed", "text_is_utf8", "payload_is_json_object"]
    for finding in found:
        finding.path.encode()


def test_findings_are_bounded_and_say_so() -> None:
    found = diagnose(b'{"event":"x"' + b",1" * 1000)
    assert len(found) == 101
    assert found[-1].rule == "findings_are_bounded"


def test_findings_hold_findings_only() -> None:
    found = bankhook.diagnose(b"[]")
    assert bankhook.types.Findings(found) == found
    for wrong in ([1], "text"):
        with pytest.raises(TypeError, match="expected objects of Finding"):
            bankhook.types.Findings(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected the payload as bytes or None, found str"):
        bankhook.types.Findings(found, "[]")  # type: ignore[arg-type]
