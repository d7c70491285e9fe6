# SPDX-License-Identifier: MIT
"""Findings show the payload's lines with the marked places, and no value of it."""

from __future__ import annotations

import copy
import pickle

import pytest

import bankhook
from bankhook import ParseError, check, diagnose, diagnose_lines, explain
from bankhook.types import Findings
from python.parsed import DATA, listed_findings, transaction_update
from python.shown import Shown, printed

TEXT = b'{\n  "event": "initial_transaction_update",\n  "eventType": 42\n}'
SECRET = "member-secret-4711"


def test_each_place_is_marked_in_its_line() -> None:
    shown = Shown(diagnose(TEXT))
    assert shown.of("mark") == ["··", "add customer here", "add initialTransaction here"]
    assert [line.strip() for line in shown.of("pre")] == [
        '"eventType": ··',
        "add customer here}",
        "add initialTransaction here}",
    ]


def test_a_whole_text_is_marked() -> None:
    event = transaction_update()
    broken = event.raw.replace(b'"created"', b'"validated"', 1)
    assert '"created"' in Shown(diagnose(broken)).of("mark")


@pytest.mark.parametrize("name", listed_findings())
def test_all_sample_payloads_are_shown_with_a_mark_for_each_place(name: str) -> None:
    payload = (DATA / name).read_bytes()
    findings = diagnose(payload)
    shown = Shown(findings)
    assert len(shown.of("finding")) == len(findings)
    assert len(shown.of("mark")) == sum(finding.line is not None for finding in findings)
    for finding in findings:
        assert finding.rule in shown.text
        assert f"section {finding.section}" in shown.text


def test_values_are_masked() -> None:
    broken = TEXT.replace(b"42", b'42, "customer": "%s"' % SECRET.encode())
    assert SECRET in explain(diagnose(broken), broken, show_values=True)
    assert SECRET not in Shown(diagnose(broken)).html


def test_the_evidence_of_a_finding_is_seen() -> None:
    broken = transaction_update().raw.replace(b'"amount"', b'"price"')
    shown = Shown(diagnose(broken))
    assert shown.of("head") == ["2 findings1 stated1 assumed"]


def test_names_of_a_payload_are_text_and_nothing_else() -> None:
    name = "</pre><script>alert(1)</script>\u202e"
    broken = transaction_update().raw.replace(b"{", b'{"%s":1,' % name.encode(), 1)
    shown = Shown(diagnose(broken))
    assert "<script>" in shown.text
    assert "\u202e" not in shown.html


def test_no_findings_are_said_to_be_none() -> None:
    assert Shown(check(transaction_update())).text == "no findings"


def test_many_findings_of_a_long_payload_are_bounded() -> None:
    findings = diagnose(b'{"event":"initial_transaction_update",' + b'"x":1,' * 100_000 + b'"y":0}')
    assert len(Shown(findings).html) < 150_000
    assert len(printed(findings)) < 5_000
    assert "899 more findings" in Shown(Findings(findings[:1] * 1_000)).text


def test_an_error_shows_all_its_findings_and_no_value() -> None:
    with pytest.raises(ParseError) as caught:
        bankhook.parse(TEXT.replace(b"42", b'42, "customer": "%s"' % SECRET.encode()))
    shown = Shown(caught.value)
    assert len(shown.of("finding")) == len(caught.value.findings)
    assert "bankhook.diagnose(payload)" in shown.text
    assert SECRET not in shown.html


def test_a_finding_and_a_rejected_line_show_themselves() -> None:
    assert "expected string, found number" in Shown(diagnose(TEXT)[0]).text
    lines = bankhook.parse_lines(transaction_update().raw.replace(b"\n", b" ") + b"\n[1]\n{\n", on_error="collect")
    assert len(list(lines)) == 1
    assert Shown(lines.rejected[0]).of("mark") == ["["]
    assert "2 lines rejected" in Shown(lines).text


def test_findings_are_a_tuple() -> None:
    findings = diagnose(TEXT)
    assert isinstance(findings, tuple)
    assert findings == tuple(findings)
    assert hash(findings) == hash(tuple(findings))
    assert repr(findings) == repr(tuple(findings))
    assert copy.copy(findings) is copy.deepcopy(findings) is findings


def test_neither_pickles_nor_slices_nor_reprs_hold_the_payload() -> None:
    broken = TEXT.replace(b"42", b'42, "customer": "%s"' % SECRET.encode())
    findings = diagnose(broken)
    assert SECRET.encode() not in pickle.dumps(findings)
    assert pickle.loads(pickle.dumps(findings)) == findings
    assert type(findings[:1]) is Findings
    assert findings[:1]._payload is None
    assert SECRET not in repr(findings)


REPORTED = [transaction_update().raw.replace(b"\n", b" "), b'{"event":7}', b'{"event":"%s"}' % SECRET.encode(), b"{"]


def test_a_report_on_lines_counts_findings_by_rule_and_shows_the_first_lines() -> None:
    report = diagnose_lines(b"\n".join(REPORTED))
    shown = Shown(report)
    assert shown.of("head")[0] == "LinesReportfindings in 3 of 4 events; 2 events cannot be parsed"
    rows = [row for row in shown.of("tr") if row.startswith("1")]
    assert [next(rule.id for rule in bankhook.rules if rule.id in row) for row in rows] == [
        "fields_have_their_type",
        "event_is_listed",
        "payload_is_json_object",
    ]
    assert [summary.partition("1")[0] for summary in shown.of("summary")] == ["line 2", "line 3", "line 4"]
    assert SECRET not in shown.html


def test_a_report_on_lines_is_printed_in_a_few_lines_and_its_repr_is_short() -> None:
    report = diagnose_lines(b"\n".join(REPORTED))
    assert printed(report).splitlines() == [
        "findings in 3 of 4 events; 2 events cannot be parsed",
        "       1  fields_have_their_type (stated, section 6.1)",
        "       1  event_is_listed (stated, section 1)",
        "       1  payload_is_json_object (stated, section 1)",
        "lines 2, 3, 4",
    ]
    many = diagnose_lines(b"{\n" * 2_000)
    assert printed(many).splitlines()[-1] == "lines 1, 2, 3, 4, 5, …, findings counted in 1,000 of 2,000 lines"
    assert repr(many).endswith("LineFindings(line=5, 1 bytes), … 1,995 more))")
    assert len(Shown(many).of("summary")) == 20
    assert Shown(many).of("note") == ["The findings of 1,000 of 2,000 lines are counted.", "… 1,980 more lines"]


def test_a_report_on_lines_without_findings_says_so() -> None:
    report = diagnose_lines(REPORTED[0])
    assert printed(report) == "OK: 1 event, no problems"
    assert Shown(report).text == "LinesReportOK: 1 event, no problems"
