# SPDX-License-Identifier: MIT
"""`bankhook check` and its counts by day and by what is not listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bankhook
from bankhook.testing import samples
from cli.command import clean_archive, objects, run


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


@pytest.mark.parametrize("is_compressed", [False, True])
def test_events_and_findings_are_counted_by_the_day_of_the_purchase_before(tmp_path: Path, is_compressed: bool) -> None:
    path = tmp_path / ("days.ndjson.gz" if is_compressed else "days.ndjson")
    options = ("--pace", "15m", "--faults", "mutate=0.05", "--seed", "7")
    assert run("simulate", "-n", "2000", *options, "-o", path).status == 0
    day, events, findings = "unknown", dict[str, int](), dict[str, int]()
    lines = bankhook.parse_lines(path, on_error="collect")
    dated = {
        line: str(event.initial_transaction.date.date())
        for line, event in lines.numbered()
        if isinstance(event, bankhook.InitialTransactionUpdate) and event.event_type == "created"
    }
    unclean = {one.line: len(one.findings) for one in bankhook.diagnose_lines(path).unclean}
    counted = {line for line, _ in lines.numbered()} | unclean.keys()
    for line in sorted(counted):
        day = dated.get(line, day)
        events[day] = events.get(day, 0) + 1
        findings[day] = findings.get(day, 0) + unclean.get(line, 0)
    summary = objects(run("check", "--json", "--by-day", path))[-1]
    assert summary["events_by_day"] == events
    assert len(events) > 10
    assert summary["findings_by_day"] == {day: count for day, count in findings.items() if count}
    text = run("check", "--by-day", path).out
    for day, count in events.items():
        assert re.search(rf"^ +{day} +{count} events? +{findings[day]} findings?$", text, re.MULTILINE)


def test_days_are_counted_where_nothing_is_wrong() -> None:
    out = run("check", "--by-day", "-", stdin=clean_archive()).out
    assert out.startswith("OK: ")
    assert re.search(r"^ +2026-01-01 +\d+ events +0 findings$", out, re.MULTILINE)


@pytest.mark.parametrize("form", ['{"at":"%s","b":%s}', '{"at":"%s",\n"b":%s}', '{"b":%s,\n"at":"%s"}'])
@pytest.mark.parametrize("between", [",", ",\n", "\n"], ids=["one line", "lines", "no commas"])
def test_days_are_exact_however_the_envelopes_are_laid_out(form: str, between: str, tmp_path: Path) -> None:
    days, event = [f"2026-01-0{number}" for number in range(1, 5)], '{"event":"x"}'
    texts = [form % ((day, event) if form.startswith('{"at') else (event, day)) for day in days]
    path = tmp_path / "envelopes.json"
    path.write_text(between.join(texts) if between == "\n" else f"[{between.join(texts)}]")
    summary = objects(run("check", "--json", "--by-day", "--at", "b", "--received", "at", path))[-1]
    assert summary["events_by_day"] == summary["findings_by_day"] == dict.fromkeys(days, 1)


def test_days_are_exact_where_the_envelopes_have_the_time_of_receipt(tmp_path: Path) -> None:
    lines = clean_archive(30).splitlines()
    lines[3] = b'{"event":7}'
    days = [f"2026-05-{number // 4 + 1:02}" for number in range(len(lines))]
    path = tmp_path / "envelopes.ndjson"
    path.write_bytes(
        b"\n".join(
            b'{"at":{"time":"%sT10:00:00Z"},"body":%s}' % (day.encode(), line)
            for day, line in zip(days, lines, strict=True)
        )
    )
    options = ("check", "--by-day", "--at", "body", "--received", "at.time")
    summary = objects(run(*options, "--json", path))[-1]
    assert summary["events_by_day"] == {day: days.count(day) for day in days}
    assert summary["findings_by_day"] == {days[3]: summary["findings"]}
    for wrong, missing in (
        (["check", "--received", "at.time", path], "--by-day, --at\n"),
        ([*options, "-"], "files, because it reads them twice\n"),
    ):
        done = run(*wrong)
        assert (done.status, f"--received needs {missing}" in done.err) == (2, True)
