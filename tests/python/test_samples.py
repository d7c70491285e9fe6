# SPDX-License-Identifier: MIT
"""The payloads that the package is tested with, in three groups, each with the findings expected of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import bankhook
from bankhook import Evidence, ParseError, _payloads
from bankhook.testing import samples
from bankhook.testing.samples import Sample
from python.parsed import DATA, archive, listed_findings, rows


@pytest.mark.parametrize("sample", samples.valid(), ids=str)
def test_a_valid_sample_is_an_event_even_for_a_strict_reader(sample: Sample) -> None:
    event = bankhook.parse(sample.payload, strict=True)
    assert event.event == sample.event
    assert getattr(event, "event_type", None) == sample.event_type
    assert bankhook.check(event) == ()


@pytest.mark.parametrize("sample", samples.rule_breaking(), ids=str)
def test_a_rule_breaking_sample_is_an_event_with_findings(sample: Sample) -> None:
    event = bankhook.parse(sample.payload)
    assert event.event == sample.event
    assert getattr(event, "event_type", None) == sample.event_type
    assert sample.findings
    assert set(bankhook.check(event)) <= set(sample.findings)


@pytest.mark.parametrize("sample", samples.invalid(), ids=str)
def test_an_invalid_sample_is_rejected_for_one_of_its_findings(sample: Sample) -> None:
    assert sample.event is None
    assert sample.event_type is None
    with pytest.raises(ParseError) as caught:
        bankhook.parse(sample.payload)
    assert caught.value.finding in sample.findings


def test_every_payload_of_the_tests_is_a_sample() -> None:
    files = {path.stem: path.read_bytes() for path in DATA.glob("*/*.json")}
    assert {sample.name: sample.payload for sample in samples.all()} == files
    assert len(list(DATA.glob("*/*.json"))) == len(files), "two samples of one name"
    listed = {Path(file).stem: len(findings) for file, findings in listed_findings().items()}
    assert {sample.name: len(sample.findings) for sample in samples.all()} == listed


def test_the_events_of_the_samples_are_those_of_the_list() -> None:
    for row in rows("valid"):
        sample = samples.get(row["file"].removesuffix(".json"))
        assert (sample.event, sample.event_type or "") == (row["event"], row["event_type"])
    assert {sample.name for sample in samples.invalid()} == {row["file"].removesuffix(".json") for row in rows("invalid")}


def test_each_sample_is_in_one_group_and_the_groups_are_sorted() -> None:
    groups = (samples.valid(), samples.rule_breaking(), samples.invalid())
    assert samples.all() == tuple(sample for group in groups for sample in group)
    for group in groups:
        names = [sample.name for sample in group]
        assert names == sorted(set(names))
        assert len(names) > 10


def test_the_samples_cover_all_events_all_their_types_and_every_evidence() -> None:
    kinds = {(sample.event, sample.event_type) for sample in samples.valid()}
    events = [
        bankhook.json_schema(cls)["properties"] for cls in get_args(bankhook.AnyEvent) if cls is not bankhook.UnknownEvent
    ]
    assert kinds == {(one["event"]["const"], event_type) for one in events for event_type in one["eventType"]["enum"]}
    found = {finding.evidence for sample in samples.rule_breaking() for finding in sample.findings}
    assert found == set(Evidence)


def test_a_sample_is_got_by_its_name() -> None:
    sample = samples.get("transaction_created")
    assert str(sample) == "transaction_created"
    assert b'"created"' in sample.payload
    assert (sample.event, sample.event_type) == ("initial_transaction_update", "created")


def test_an_unknown_name_is_an_error_with_the_closest_name() -> None:
    with pytest.raises(KeyError, match="; did you mean 'transaction_created'"):
        samples.get("transaction_create")
    with pytest.raises(KeyError, match=r"samples\.all\(\)"):
        samples.get("§")


def test_the_archive_is_that_of_the_tests() -> None:
    assert samples.archive().splitlines() == archive()
    lines = bankhook.parse_lines(samples.archive(), on_error="collect")
    assert len(list(lines)) > 10
    assert lines.rejected


def test_the_samples_lie_in_the_package() -> None:
    package = Path(bankhook.__file__).parent
    code = "from bankhook._payloads import payload_folder; print(payload_folder())"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=package.anchor)
    assert Path(said.stdout.strip()) == package / "_samples"
    assert not list((package / "_samples").rglob("*.csv"))


def test_a_tree_that_is_not_installed_has_the_samples_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = DATA.parents[1] / "python" / "bankhook" / "_payloads.py"
    monkeypatch.setattr(_payloads, "__file__", str(source))
    monkeypatch.setattr("importlib.resources.files", lambda package: tmp_path)
    assert _payloads.payload_folder() == DATA
    samples.all.cache_clear()
    assert samples.get("transaction_created").payload == (DATA / "valid" / "transaction_created.json").read_bytes()
    samples.all.cache_clear()
