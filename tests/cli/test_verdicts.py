# SPDX-License-Identifier: MIT
"""The verdicts of `bankhook track`: for readers who meet the words for the first time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bankhook
from bankhook.cli.tracked import _MEANINGS
from cli.command import objects, run

BROKEN = ("contradicts", "unspecified")
RULES = {rule.id: rule for rule in bankhook.rules}
TRIGGERS = {
    str(trigger)
    for lifecycle in (bankhook.transaction_lifecycle, bankhook.connection_lifecycle)
    for trigger in lifecycle.triggers
}


def faulty_history() -> bytes:
    """A history with faults, and an event that contradicts the specification."""
    deliveries = bankhook.Sandbox(seed=0, faults=0.02).deliveries(1000)
    sandbox = bankhook.Sandbox(seed=1)
    created = sandbox.send_initial_transaction(sandbox.member(0)).raw
    wrong = created.replace(b'"status":"created"', b'"status":"validated"')
    return b"".join(delivery.payload + b"\n" for delivery in deliveries) + wrong + b"\n"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("verdicts") / "history.ndjson"
    path.write_bytes(faulty_history())
    return path


@pytest.fixture(scope="module")
def section(archive: Path) -> list[str]:
    """The lines of the section."""
    return run("track", archive).out.partition("\nVerdicts\n")[2].partition("\n\n")[0].splitlines()


def rows(section: list[str]) -> dict[str, list[str]]:
    """The reasons by their verdict."""
    found: dict[str, list[str]] = {}
    reasons: list[str] = []
    for line in section:
        if head := re.match(r"  (\w+) \(", line):
            reasons = found.setdefault(head[1], [])
        elif re.match(r" +[\d,]+  ", line):
            reasons.append(line)
    return found


def test_each_verdict_is_explained_and_counted_before_its_reasons(archive: Path, section: list[str]) -> None:
    assert set(_MEANINGS) == set(map(str, bankhook.Verdict))
    counts = objects(run("track", "--json", archive))[-1]["verdicts"]
    assert list(rows(section)) == list(_MEANINGS)
    for verdict, meaning in _MEANINGS.items():
        noun = "event" if counts[verdict] == 1 else "events"
        assert f"  {verdict} ({counts[verdict]} {noun}): {meaning}" in section
        assert sum(int(line.split()[0]) for line in rows(section)[verdict]) == counts[verdict]


def test_a_reason_that_is_a_rule_has_its_id_and_says_whether_it_is_broken(section: list[str]) -> None:
    found = {True: 0, False: 0}
    for verdict, lines in rows(section).items():
        for line in lines:
            if rule := re.search(r" (breaks|by) the rule (\w+): ", line):
                assert (rule[1] == "breaks") is (verdict in BROKEN)
                assert RULES[rule[2]].sentence in line
                found[verdict in BROKEN] += 1
    assert found[True] > 3 and found[False] > 0


def test_whatever_is_named_as_a_reason_is_explained_by_the_command_that_the_section_names(section: list[str]) -> None:
    named = {name for line in section for name in re.findall(r"\bby (\w+) \[|the rule (\w+):", line)}
    names = {one or other for one, other in named}
    assert "store_set_up" in names and names <= {*RULES, *TRIGGERS}
    assert section[-1] == "  `bankhook rule ID` explains a rule, `bankhook lifecycle` what is named after `by`"
    for rule in names & {*RULES}:
        assert run("rule", rule).out.startswith(f"{rule}\n")


def test_a_place_is_named_with_its_file_if_there_are_several(archive: Path) -> None:
    assert ", first at line 11 (see" in run("track", archive).out
    assert f", first at {archive}:11 (see" in run("track", archive, archive).out


def test_what_is_reported_of_one_member_says_that_lines_could_not_be_read(archive: Path) -> None:
    (member, *_) = [row["member"] for row in objects(run("track", "--json", archive)) if row["type"] == "member"]
    rejected = objects(run("track", "--json", archive))[-1]["rejected"]
    assert rejected > 1
    last = run("track", "--member", member, archive).out.splitlines()[-1]
    words = "lines are not events, first at line 11 (see bankhook check): they may have been about this member"
    assert last == f"{rejected} {words}"


def test_a_personal_value_is_hidden_even_if_it_is_a_word_that_another_field_lists(tmp_path: Path) -> None:
    sandbox = bankhook.Sandbox(seed=1, members=1)
    created = sandbox.create_connection(sandbox.member(0))
    updated = sandbox.create_accounts(created.connection.id)
    words = ["a", "updated", "listed", "update", "validated", "purchaseNotFound"]
    history = [
        event.replace(customer=event.customer.replace(external_id=word))
        for event, word in zip([created, *[updated] * 5], words, strict=True)
    ]
    (tmp_path / "a.ndjson").write_bytes(b"".join(event.to_json() + b"\n" for event in history))
    shown = run("track", "--changes", tmp_path / "a.ndjson").out
    assert shown.count("externalId changed (--show-values shows it)") == 5
    outcomes = [one for one in objects(run("track", "--json", "--changes", tmp_path / "a.ndjson")) if "verdict" in one]
    changes = [change for one in outcomes for change in one["changes"] if change["field"] == "externalId"]
    assert len(changes) == 5
    assert not any({"before", "after"} & {*change} for change in changes)


def test_what_a_connection_lacked_is_absent_where_events_know_no_null(tmp_path: Path) -> None:
    """Its first event has not come: eventType, which no event has as null, is known from now on."""
    sandbox = bankhook.Sandbox(seed=1, members=1)
    first, second = (sandbox.create_connection(sandbox.member(0)) for _ in range(2))
    update = sandbox.create_accounts(first.connection.id)
    (tmp_path / "a.ndjson").write_bytes(second.to_json() + b"\n" + update.to_json() + b"\n")
    assert f"eventType: absent → {update.event_type}" in run("track", "--changes", tmp_path / "a.ndjson").out
