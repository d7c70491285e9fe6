# SPDX-License-Identifier: MIT
"""`bankhook check` for programs of continuous integration, and its counts by what is not listed."""

from __future__ import annotations

import json
import re
import urllib.parse
from pathlib import Path

import pytest

import bankhook
from bankhook.testing import samples
from cli.command import clean_archive, faulty_archive, objects, run


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "an archive: 100%, of May.ndjson"
    path.write_bytes(faulty_archive())
    return path


def test_a_sarif_log_has_the_findings_of_json(faulty: Path) -> None:
    log = json.loads(run("check", "--output-format", "sarif", "--limit", "1", faulty).out)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    (run_,) = log["runs"]
    rules = run_["tool"]["driver"]["rules"]
    *expected, _ = objects(run("check", "--json", faulty))
    assert len(run_["results"]) == len(expected) > 1
    for result, finding in zip(run_["results"], expected, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["rule"]
        assert result["level"] == finding["severity"]
        assert result["message"]["text"].startswith(f"{finding['path']}: ")
        (place,) = result["locations"]
        physical = place["physicalLocation"]
        assert physical["region"] == {"startLine": finding["line"], "startColumn": finding["column"]}
        assert urllib.parse.unquote(physical["artifactLocation"]["uri"]) == f"file://{faulty}"
    assert run_["invocations"] == [{"executionSuccessful": True}]


def test_a_sarif_log_is_whole_without_findings_and_with_a_file_that_cannot_be_read() -> None:
    clean = run("check", "--output-format", "sarif", "-", stdin=clean_archive())
    assert (clean.status, json.loads(clean.out)["runs"][0]["results"]) == (0, [])
    unreadable = run("check", "--output-format", "sarif", "/nowhere", "-", stdin=clean_archive())
    assert unreadable.status == 2
    assert json.loads(unreadable.out)["runs"][0]["invocations"] == [{"executionSuccessful": False}]


def test_github_gets_a_command_for_each_finding_and_the_counts_after_them(faulty: Path) -> None:
    done = run("check", "--output-format", "github", faulty)
    found = re.findall(r"^::(error|warning) file=(.*?),line=(\d+),col=(\d+),title=(\w+)::(\$.*)$", done.out, re.MULTILINE)
    *expected, summary = objects(run("check", "--json", faulty))
    assert [(severity, int(line), int(column), rule) for severity, _, line, column, rule, _ in found] == [
        (one["severity"], one["line"], one["column"], one["rule"]) for one in expected
    ]
    assert {file for _, file, *_ in found} == {str(faulty).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")}
    assert f"{summary['findings']} findings in" in done.out


def test_json_is_the_name_of_a_format_too(faulty: Path) -> None:
    assert run("check", "--output-format", "json", faulty).out == run("check", "--json", faulty).out


def test_what_is_not_listed_is_counted_by_place_and_by_value() -> None:
    payload = samples.valid()[0].payload
    event = bankhook.parse(payload)
    assert not isinstance(event, bankhook.UnknownEvent)
    other = payload.replace(f'"eventType":"{event.event_type}"'.encode(), b'"eventType":"paused"')
    unknown = b'{"event":"loyalty_points"}'
    extra = payload.replace(b'"customer":{', b'"customer":{"tier":"gold",')
    archive = b"\n".join([other, other, unknown, extra])
    options = ("check", "--json", "-")
    hidden = {(one["path"], one["count"]) for one in objects(run(*options, stdin=archive))[-1]["unlisted"]}
    assert {("$.eventType", 2), ("$.event", 1), ("$.customer.tier", 1)} <= hidden
    assert all("value" not in one for one in objects(run(*options, stdin=archive))[-1]["unlisted"])
    shown = objects(run(*options, "--show-values", stdin=archive))[-1]["unlisted"]
    assert {one["path"]: one.get("value") for one in shown} == {
        "$.eventType": "paused",
        "$.event": "loyalty_points",
        "$.customer.tier": None,
    }
    assert re.search(r'^ +2  \$\.eventType "paused"$', run("check", "--show-values", "-", stdin=archive).out, re.MULTILINE)
    assert "paused" not in run("check", "-q", "-", stdin=archive).out


def test_an_unlisted_value_of_a_line_that_is_not_an_event_is_counted_by_its_place() -> None:
    payload = samples.valid()[0].payload.replace(b'"eventType":"', b'"eventType":"x').replace(b'"customer":', b'"custome":')
    found = objects(run("check", "--json", "--show-values", "-", stdin=payload))[-1]["unlisted"]
    assert {"rule": "values_are_listed", "path": "$.eventType", "count": 1} in found
