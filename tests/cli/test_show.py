# SPDX-License-Identifier: MIT
"""`bankhook show`: one event as a tree, in the specification's order."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import bankhook
from bankhook.inbox import salvage
from bankhook.testing import samples
from cli.command import objects, run, shaped


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "archive.ndjson"
    path.write_bytes(samples.archive())
    return path


@pytest.mark.slow
def test_every_line_can_be_shown(archive: Path) -> None:
    for number, line in enumerate(samples.archive().splitlines(), 1):
        done = run("show", "--json", archive, "--line", str(number))
        (shown,) = objects(done)
        findings = bankhook.diagnose(line)
        assert shown["line"] == number
        assert [finding["rule"] for finding in shown["findings"]] == [finding.rule for finding in findings]
        assert done.status == (1 if findings else 0)


def test_fields_are_in_the_order_of_the_specification(archive: Path) -> None:
    out = run("show", archive, "--line", "3").out
    names = (
        "event ",
        "eventType",
        "customer",
        "externalId",
        "initialTransaction",
        "amount",
        "storeExternalId",
        "status",
    )
    places = [out.index(name) for name in names]
    assert places == sorted(places)


@pytest.mark.parametrize("place", ["", ":4", ":4:", ":"])
def test_a_place_as_check_prints_it_is_a_file_and_a_line(archive: Path, place: str) -> None:
    """`check` prints FILE:LINE:COLUMN, `track` FILE:LINE:, and both can be pasted."""
    assert run("show", f"{archive}:3{place}") == run("show", archive, "--line", "3")


@pytest.mark.parametrize("indent", [None, 2])
def test_the_place_of_a_finding_is_that_of_its_event_though_others_are_on_the_line(
    tmp_path: Path, indent: int | None
) -> None:
    path, bodies = tmp_path / "messages.json", [line.decode() for line in samples.archive().splitlines() if line]
    path.write_text(json.dumps({"Records": [{"body": one} for one in bodies]}, indent=indent))
    at = ("--at", "Records[].body")
    found = [one for one in objects(run("check", "--json", *at, path)) if "rule" in one]
    assert len({(one["line"], one["column"]) for one in found}) > 5
    for one in found:
        (shown,) = objects(run("show", "--json", *at, f"{path}:{one['line']}:{one['column']}"))
        assert (one["rule"], one["path"]) in {(finding["rule"], finding["path"]) for finding in shown["findings"]}


def test_a_file_whose_name_looks_like_a_place_is_that_file(archive: Path) -> None:
    named = archive.with_name(f"{archive.name}:3")
    named.write_bytes(archive.read_bytes().splitlines()[0])
    assert run("show", named).out == run("show", archive, "--line", "1").out.replace(str(archive), str(named))
    missing = run("show", f"{archive}.missing:3")
    assert (missing.status, "missing:3: no such file" in missing.err) == (2, True)


def test_an_event_is_found_by_what_it_is_about(archive: Path) -> None:
    events = list(bankhook.parse_lines(archive, on_error="collect"))
    (first, *_) = [event for event in events if isinstance(event, bankhook.InitialTransactionUpdate)]
    id_ = first.initial_transaction.id
    (shown,) = objects(run("show", "--json", archive, "--id", id_))
    assert shown["event"]["initialTransaction"]["id"] == id_
    everything = objects(run("show", "--json", "--all", archive, "--id", id_))
    expected = [number for number, line in enumerate(samples.archive().splitlines(), 1) if salvage(line).transaction == id_]
    assert [one["line"] for one in everything] == expected
    assert None in [one["event"] for one in everything], "what is not an event is found, too"


def test_a_broken_rule_is_beside_its_field(archive: Path) -> None:
    out = run("show", archive, "--line", "14").out
    (line,) = [line for line in out.splitlines() if "eventType" in line and "←" in line]
    assert "values_are_listed (6.3, stated)" in line


def test_an_object_that_is_not_an_event_is_a_tree_with_its_findings() -> None:
    line = b'{"event":"initial_transaction_update","more":[],"initialTransaction":{"id":"it-1","amount":"19.90"}}\n'
    done = run("show", "-", "--line", "1", stdin=line)
    assert done.status == 1
    assert done.out.startswith(
        """<stdin>:1  not an event
├── event  "initial_transaction_update"
├── more  []  ← fields_are_listed (6.3, assumed)
└── initialTransaction
    ├── id  "it-1"
    └── amount  "19.90"  ← fields_have_their_type (2.4, stated)
"""
    )
    assert done.out.count("^") == len(bankhook.diagnose(line))


@pytest.mark.parametrize(
    "line", [b"[1.5]", b'"text"', b"null", b"[[]]", b"{\xff", b"{" * 5000], ids=lambda line: repr(line)[:8]
)
def test_a_line_that_is_no_object_is_shown_with_a_sentence(line: bytes) -> None:
    done = run("show", "-", stdin=line + b"\n")
    assert done.status == 1
    assert done.out.splitlines()[0] == "<stdin>:1 is not an event"
    assert "^" in done.out


def test_what_is_cut_is_shown_with_the_ids_that_could_be_read() -> None:
    done = run("show", "-", stdin=b'{"event":"initial_transaction_update","initialTransaction":{"id":"it-1\x7f"\n')
    sentence = "is not an event; it contains event initial_transaction_update, transaction it-1\ufffd"
    assert done.out.splitlines()[0] == f"<stdin>:1 {sentence}"


@pytest.mark.parametrize("name", ["initial_transaction_update", "an_event_of_the_future"])
def test_a_repeated_field_is_shown_with_its_last_value(name: str) -> None:
    out = run("show", "-", stdin=b'{"event":"%s","a":{"x":1},"b":{"x":1,"y":{},"x":[2]},"a":3}\n' % name.encode()).out
    tree = [re.sub(r"  ←.*", "", line) for line in out.partition("\n\n")[0].splitlines()[2:]]
    assert tree == ["├── a  3", "└── b", "    ├── x", "    │   └── [0]  2", "    └── y  {}"]


def test_an_event_that_is_nested_as_deep_as_parse_goes_is_shown() -> None:
    done = run("show", "-", stdin=b'{"event":"deep","a":' + b"[" * 1022 + b"]" * 1022 + b"}\n")
    assert done.out.startswith("<stdin>:1  deep\n")
    assert done.err == ""


@pytest.mark.parametrize("encoding", ["utf-16-be", "utf-32-be"])
def test_text_in_another_encoding_is_no_tree(encoding: str, tmp_path: Path) -> None:
    lines = b'{"event":"other"}\n' * 500  # a file that starts with such text is a binary file
    (tmp_path / "a.ndjson").write_bytes(lines + '{"event":"hidden"}'.encode(encoding))
    done = run("show", tmp_path / "a.ndjson", "--line", "501")
    assert done.status == 1
    assert done.out.splitlines()[0] == f"{tmp_path}/a.ndjson:501 is not an event"
    assert "─ event" not in done.out


def test_an_unknown_id_suggests_the_closest_one(archive: Path) -> None:
    done = run("show", archive, "--id", "it-00O1")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"bankhook: {archive}: there is no event about it-00O1; did you mean 'it-0001'?\n"
    assert "did you mean" not in run("show", archive, "--id", "nobody").err


@pytest.mark.parametrize(
    ("option", "value", "missing"), [("--line", "99", "line 99 with an event"), ("--id", "nobody", "event about nobody")]
)
def test_an_event_that_is_not_there_is_reported(archive: Path, option: str, value: str, missing: str) -> None:
    done = run("show", archive, option, value)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"bankhook: {archive}: there is no {missing}\n"


def test_a_payload_over_several_lines_is_shown(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'{\n "event":\n"other"}\n')
    assert "other" in run("show", tmp_path / "a.json").out


@pytest.mark.parametrize("before", ["", "[", '["é", ', '[{"event":"é"}, ', "[\n  ", '[{"event":\n"é"}, '], ids=repr)
@pytest.mark.parametrize("indent", [None, 2])
def test_line_and_column_are_those_of_an_editor(before: str, indent: int | None) -> None:
    sandbox = bankhook.Sandbox(seed=1)
    event: dict[str, Any] = {**sandbox.create_connection(sandbox.member(0)).to_wire(), "more": 1}
    text = before + json.dumps(event, indent=indent) + ("]" if before else "")
    place = text.index('"more"')
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    shown = run("show", "-", "--id", event["customer"]["id"], stdin=text.encode())
    assert f"<stdin>:{line}:{column}: warning: $.more: unknown field [fields_are_listed, " in shown.out
    (checked,) = [
        found for found in objects(run("check", "--json", "-", stdin=text.encode())) if found.get("path") == "$.more"
    ]
    assert (checked["line"], checked["column"]) == (line, column)


def test_what_is_printed_has_the_shape_that_schema_prints(archive: Path) -> None:
    shaped("shown", objects(run("show", "--json", archive, "--line", "14")))


def test_numbers_keep_their_digits() -> None:
    event = bankhook.Sandbox(seed=1).send_initial_transaction(
        bankhook.Sandbox(seed=1).member(0),
        amount=Decimal("19.90"),
        transaction_date=date(2026, 1, 2),
        store_external_id="a",
    )
    assert '"amount":19.90,' in run("show", "--json", "-", stdin=event.raw).out
    assert "amount  19.90\n" in run("show", "-", stdin=event.raw).out
