# SPDX-License-Identifier: MIT
"""`bankhook check`: its findings, its counts and its exit status."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import bankhook
from bankhook.testing import samples
from cli import zst
from cli.command import clean_archive, faulty_archive, objects, run, shaped


def findings_of(archive: bytes) -> list[tuple[int, str, int | None]]:
    """Return line, rule and column of everything that `diagnose` finds."""
    return [
        (number, finding.rule, finding.column)
        for number, line in enumerate(archive.split(b"\n"), 1)
        if line.strip()
        for finding in bankhook.diagnose(line)
    ]


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "archive.ndjson"
    path.write_bytes(faulty_archive())
    return path


def test_a_clean_archive_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "clean.ndjson"
    path.write_bytes(clean_archive())
    done = run("check", path)
    assert (done.status, done.err) == (0, "")
    assert re.fullmatch(r"OK: \d+ events, no problems\n", done.out)


def test_each_finding_is_a_line_in_the_form_of_compilers(faulty: Path) -> None:
    done = run("check", faulty)
    heads = re.findall(
        r"^(.*?):(\d+):(\d+): (?:error|warning): \$\S*: .* \[(\w+), section [\d.]+, \w+\]$", done.out, re.MULTILINE
    )
    assert done.status == 1
    assert [(int(line), rule, int(column)) for _, line, column, rule in heads] == findings_of(faulty_archive())
    assert {file for file, *_ in heads} == {str(faulty)}


def test_the_summary_names_the_sections_of_the_findings() -> None:
    payload = b'{"event":"initial_transaction_update","eventType":7,"customer":{"id":1},"initialTransaction":{"id":2}}\n'
    done = run("check", "-", stdin=payload)
    sections: dict[str, set[str]] = {}
    for finding in bankhook.diagnose(payload):
        sections.setdefault(finding.rule, set()).add(finding.section)
    assert len(sections["fields_have_their_type"]) > 1
    printed = re.findall(r"^ +\d+  (\w+) \(\w+, (sections?) (.*)\)$", done.out, re.MULTILINE)
    assert {rule: set(listed.split(", ")) for rule, _, listed in printed} == sections
    assert {rule for rule, word, _ in printed if word == "sections"} == {
        rule for rule in sections if len(sections[rule]) > 1
    }


def test_a_caret_is_under_the_place() -> None:
    payload = b'{"event":"initial_transaction_update","eventType":7}\n'
    head, line, caret, *_ = run("check", "-", stdin=payload).out.splitlines()
    assert head.startswith("<stdin>:1:51: error: $.eventType: expected string, found number [fields_have_their_type, ")
    assert line == '  1 | {"event":"initial_transaction_update","eventType":·}'
    assert caret == "    | " + " " * 50 + "^"


def test_values_are_redacted_unless_they_are_asked_for(faulty: Path) -> None:
    assert "member-0002" not in run("check", faulty).out
    assert "member-0002" in run("check", "--show-values", faulty).out


def test_a_long_line_is_shown_in_part() -> None:
    payload = b'{"event":"initial_transaction_update","more":"' + b"x" * 5000 + b'","eventType":7}'
    out = run("check", "-", stdin=payload).out
    assert max(map(len, out.splitlines())) < 200
    assert "…" in out


def test_the_summary_counts_by_rule(faulty: Path) -> None:
    done = run("check", "--json", faulty)
    *findings, summary = objects(done)
    expected = [finding for line in faulty_archive().splitlines() for finding in bankhook.diagnose(line)]
    assert summary["type"] == "summary"
    assert summary["findings"] == len(findings) == len(expected) == sum(summary["rules"].values())
    assert summary["lines"] == faulty_archive().count(b"\n")
    printed = run("check", faulty).out
    for rule, count in summary["rules"].items():
        assert re.search(rf"^ +{count}  {rule} ", printed, re.MULTILINE)


def test_offsets_count_from_the_start_of_the_archive(faulty: Path) -> None:
    archive = faulty_archive()
    for finding in objects(run("check", "--json", faulty))[:-1]:
        line = archive.split(b"\n")[finding["line"] - 1]
        start = sum(len(one) + 1 for one in archive.split(b"\n")[: finding["line"] - 1])
        inside = next(f for f in bankhook.diagnose(line) if (f.rule, f.path) == (finding["rule"], finding["path"]))
        assert start + (inside.offset or 0) == finding["offset"]


@pytest.mark.parametrize(("name", "pack"), [("a.gz", gzip.compress), ("a.zst", zst.compress)])
def test_compressed_archives_are_read_as_they_are(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    archive = faulty_archive()
    (tmp_path / name).write_bytes(pack(archive[:1000]) + pack(archive[1000:]))
    done = run("check", "--json", tmp_path / name)
    assert (done.status, done.err) == (1, "")
    assert [(f["line"], f["rule"], f["column"]) for f in objects(done)[:-1]] == findings_of(archive)


def test_standard_input_is_a_dash(faulty: Path) -> None:
    from_file, from_input = run("check", faulty), run("check", "-", stdin=faulty_archive())
    assert from_input.out == from_file.out.replace(str(faulty), "<stdin>")
    assert from_input.status == from_file.status


def test_several_files_are_checked_one_by_one(faulty: Path, tmp_path: Path) -> None:
    clean = tmp_path / "clean.ndjson"
    clean.write_bytes(clean_archive())
    done = run("check", "--json", clean, faulty)
    assert objects(done)[-1]["files"] == 2
    assert {finding["file"] for finding in objects(done)[:-1]} == {str(faulty)}


def test_strict_means_the_same_as_for_parse(faulty: Path) -> None:
    def rejected(*, strict: bool) -> int:
        count = 0
        for line in faulty_archive().splitlines():
            try:
                bankhook.parse(line, strict=strict)
            except bankhook.ParseError:
                count += 1
        return count

    for options, strict in (([], False), (["--strict"], True)):
        found = objects(run("check", "--json", *options, faulty))[:-1]
        assert len({finding["line"] for finding in found if finding["severity"] == "error"}) == rejected(strict=strict)


def test_errors_only_leaves_the_rest_out() -> None:
    other = b'{"event":"other"}\n'
    assert run("check", "-", stdin=other).status == 1
    done = run("check", "--errors", "-", stdin=other)
    assert done.status == 0
    assert done.out.startswith("OK: ")


def test_the_limit_applies_to_what_is_shown_and_not_to_what_is_counted() -> None:
    done = run("check", "--limit", "2", "-", stdin=b"{}\n" * 50)
    assert len(re.findall(r"^<stdin>:", done.out, re.MULTILINE)) == 2
    assert "48 more findings not shown" in done.out
    assert "50 findings in 50 of 50 events; 50 events cannot be parsed" in done.out
    assert run("check", "--limit", "0", "-q", "-", stdin=b"{}\n" * 50).out.count("<stdin>:") == 50


def test_quiet_prints_one_line_per_finding(faulty: Path) -> None:
    assert len(run("check", "-q", faulty).out.splitlines()) == len(findings_of(faulty_archive()))


def test_a_payload_over_several_lines_is_one_payload(tmp_path: Path) -> None:
    path = tmp_path / "pretty.json"
    path.write_bytes(b'{\n  "event": "initial_transaction_update",\n  "eventType": 7\n}\n')
    done = run("check", "--json", path)
    assert {(f["line"], f["rule"]) for f in objects(done)[:-1] if f["path"] == "$.eventType"} == {
        (3, "fields_have_their_type")
    }
    expected = [(f.line, f.column, f.rule) for f in bankhook.diagnose(path.read_bytes())]
    assert [(f["line"], f["column"], f["rule"]) for f in objects(done)[:-1]] == expected


def test_an_array_is_checked_element_by_element() -> None:
    archive = b'[{"event":7}, {"a":1,"event":8},\n  {"event":9}\n]\n'
    found = objects(run("check", "--json", "--errors", "-", stdin=archive))
    places = {(f["line"], f["column"], f["offset"]) for f in found[:-1] if f["path"] == "$.event"}
    assert places == {(1, 11, 10), (1, 30, 29), (2, 12, 44)}
    assert (found[-1]["lines"], found[-1]["rejected"]) == (3, 3)


def test_the_command_and_the_library_count_an_archive_alike(tmp_path: Path) -> None:
    payload = b'{\n "event": "other",\n "n": 1\n}'
    array = b"[" + payload + b"," + payload + b",]"
    for archive in (payload, payload * 2, payload + b"\n" + payload, array, b"\xef\xbb\xbf{}"):
        path = tmp_path / "pretty.json"
        path.write_bytes(archive)
        lines = bankhook.parse_lines(path, on_error="collect")
        events = list(lines)
        summary = objects(run("check", "--json", path))[-1]
        assert (summary["unlisted_events"], summary["rejected"]) == (len(events), len(lines.rejected))
        assert summary["lines"] == bankhook.diagnose_lines(path).lines


def test_blank_lines_and_other_line_endings_count() -> None:
    found = objects(run("check", "--json", "-", stdin=b"\r\n\n{}\r\n\n[]"))
    assert [finding["line"] for finding in found[:-1]] == [3, 5]
    assert found[-1]["lines"] == 5


def test_nothing_is_printed_that_a_terminal_would_act_on() -> None:
    out = run("check", "-", stdin=b'{"event":"x","\\u001b[31m":1,"a\\nb":[1,}\n').out
    assert "\x1b" not in out


def test_what_is_printed_has_the_shape_that_schema_prints(faulty: Path) -> None:
    shaped("findings", objects(run("check", "--json", faulty, "/nowhere")))


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
@pytest.mark.parametrize("command", ["check", "track", "show"])
def test_json_output_is_valid_in_every_encoding_and_harmless_to_a_terminal(command: str, encoding: str) -> None:
    hostile = "\x9b31m\u202e\u200f\u061c\u2028\x7fé😀"
    payload = samples.valid()[0].payload.replace(b'"id":"', f'"{hostile}":1,"id":"{hostile}'.encode())
    env = {"PYTHONIOENCODING": encoding}
    options = {"check": (), "track": ("--changes", "--show-values"), "show": ()}[command]
    done = run(command, "--json", *options, "-", stdin=payload + b"\n", env=env)
    text = json.dumps([json.loads(line) for line in done.out.split("\n")[:-1]])
    path = r"\u009b31m\u202e\u200f\u061c\u2028\u007fé😀"  # as RFC 9535 writes a name
    assert json.dumps(path if command == "check" else hostile)[1:-1] in text
    assert not set(hostile[:-2]) & set(done.out) - set("31m")


@pytest.mark.parametrize("arguments", [["check", "--show-values"], ["track", "--changes", "--show-values"], ["show"]])
def test_marks_of_writing_direction_are_replaced(arguments: list[str]) -> None:
    marks = "\u061c\u200e\u200f\u202e\u2066"
    payload = samples.valid()[0].payload.replace(b'"id":"', f'"{marks}":1,"id":"{marks}'.encode())
    done = run(*arguments, "-", stdin=payload + b"\n")
    assert "\N{REPLACEMENT CHARACTER}" in done.out
    assert not set(marks) & set(done.out)
