# SPDX-License-Identifier: MIT
"""Whole archives at once: is_clean, diagnose_lines and Tracker.apply_lines agree with what is found one by one."""

from __future__ import annotations

import collections
import threading

import pytest

import bankhook
from bankhook.testing import samples


def archive(faults: float = 0.05, events: int = 3000, seed: int = 3) -> bytes:
    """A history with faults, and blank lines."""
    deliveries = bankhook.Sandbox(seed=seed, members=20, faults=faults).deliveries(events)
    return b"".join(delivery.payload + (b"\n\n" if delivery.number % 7 == 0 else b"\r\n") for delivery in deliveries)


def test_a_payload_is_clean_exactly_if_diagnose_finds_nothing() -> None:
    for sample in samples.all():
        assert bankhook.is_clean(sample.payload) == (not sample.findings), sample.name


def test_a_delivery_is_clean_exactly_if_diagnose_finds_nothing() -> None:
    answers = collections.Counter[bool]()
    for delivery in bankhook.Sandbox(seed=11, faults=0.15).deliveries(4000):
        is_clean = bankhook.is_clean(delivery.payload)
        answers[is_clean] += 1
        assert is_clean == (not bankhook.diagnose(delivery.payload))
    assert min(answers[True], answers[False]) > 500


def test_a_payload_with_a_byte_changed_is_clean_exactly_if_diagnose_finds_nothing() -> None:
    for sample in samples.valid()[:6]:
        payload = bytearray(sample.payload)
        for place, byte in enumerate(sample.payload[:600]):
            for other in b'",:{}n0 ':
                payload[place] = other
                assert bankhook.is_clean(bytes(payload)) == (not bankhook.diagnose(bytes(payload)))
            payload[place] = byte


def test_the_unclean_lines_are_those_in_which_diagnose_finds_something() -> None:
    text = archive()
    report = bankhook.diagnose_lines(text)
    lines = text.split(b"\n")[:-1]
    expected = [number for number, line in enumerate(lines, 1) if line.strip() and bankhook.diagnose(line)]
    assert [line.line for line in report.unclean] == expected
    assert report.lines == len(lines)
    for line in report.unclean:
        assert line.raw == lines[line.line - 1].removesuffix(b"\r")
        assert text[line.offset :].startswith(line.raw)
        assert line.column == 0
        assert line.findings == bankhook.diagnose(line.raw)


def test_lines_beyond_the_limit_are_judged_and_counted_and_not_listed() -> None:
    text = archive()
    everything = bankhook.diagnose_lines(text)
    assert everything.unclean_lines == len(everything.unclean) > 9
    for limit in (0, 1, 9, 10**6):
        limited = bankhook.diagnose_lines(text, limit=limit)
        assert limited.unclean == everything.unclean[:limit]
        assert limited.replace(unclean=()) == everything.replace(unclean=())
    for wrong in ("1", True, 1.5):
        with pytest.raises(TypeError, match=r"diagnose_lines: limit: expected int, found"):
            bankhook.diagnose_lines(b"", limit=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"diagnose_lines: limit: expected 0 or more"):
        bankhook.diagnose_lines(text, limit=-1)


def test_an_archive_without_events_has_none_of_each_listed_name() -> None:
    assert bankhook.diagnose_lines(b"").events == {
        "bank_connections_update_v2": 0,
        "initial_transaction_update": 0,
        None: 0,
    }
    assert bankhook.Tracker().apply_lines(b"").events == bankhook.diagnose_lines(b"\n").events


def test_events_are_counted_by_their_names() -> None:
    text = archive()
    parsed = bankhook.parse_lines(text, on_error="collect")
    names = collections.Counter(event.event for event in parsed)
    report = bankhook.diagnose_lines(text)
    listed = {name: count for name, count in report.events.items() if name is not None}
    assert listed == {name: names[name] for name in listed}
    assert report.events[None] == names.total() - sum(listed.values()) > 0
    assert report.rejected == len(parsed.rejected)


def test_many_threads_can_check_lines_at_once() -> None:
    text = archive()
    expected = bankhook.diagnose_lines(text)
    answers: list[bankhook.types.LinesReport] = []
    threads = [threading.Thread(target=lambda: answers.append(bankhook.diagnose_lines(text))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 8


def test_a_tracker_takes_lines_as_it_takes_events() -> None:
    text = archive()
    at_once, one_by_one = bankhook.Tracker(), bankhook.Tracker()
    followed = at_once.apply_lines(text, report="specified")
    outcomes = [one_by_one.apply(event) for event in bankhook.parse_lines(text, on_error="collect")]
    assert [line.outcome for line in followed.outcomes] == outcomes
    assert at_once == one_by_one
    assert followed.repeats == sum(outcome.repeat for outcome in outcomes)
    assert followed.not_accepted == sum(not outcome.accepted for outcome in outcomes)
    assert followed.changes == collections.Counter(change.label for outcome in outcomes for change in outcome.changes)
    verdict_counts = collections.Counter((outcome.verdict, outcome.reason, outcome.repeat) for outcome in outcomes)
    assert {(g.verdict, g.reason, g.repeat): g.events for g in followed.verdict_counts} == verdict_counts
    assert {event.raw for event in bankhook.parse_lines(text, on_error="collect")} == {
        line.raw.strip() for line in followed.outcomes
    }


def test_only_outcomes_that_matter_are_reported() -> None:
    text = archive()
    everything = bankhook.Tracker().apply_lines(text, report="specified").outcomes
    for least in bankhook.Verdict:
        worse = list(bankhook.Verdict)[list(bankhook.Verdict).index(least) :]
        reported = bankhook.Tracker().apply_lines(text, report=least).outcomes
        assert reported == tuple(one for one in everything if one.outcome.verdict in worse)


def test_the_events_of_one_member_are_reported() -> None:
    text = archive()
    member = bankhook.Sandbox(seed=3, members=20).member(4).id
    reported = bankhook.Tracker().apply_lines(text, member=member).outcomes
    assert reported
    for one in reported:
        event = bankhook.parse(one.raw)
        assert not isinstance(event, bankhook.UnknownEvent)
        assert event.customer.id == member


def test_outcomes_beyond_the_limit_are_applied_and_not_kept() -> None:
    text = archive(events=500)
    whole = bankhook.Tracker()
    everything = whole.apply_lines(text, report="specified")
    for limit in (0, 1, 9, 10**6):
        tracker = bankhook.Tracker()
        limited = tracker.apply_lines(text, report="specified", limit=limit)
        assert limited.outcomes == everything.outcomes[:limit]
        assert limited.replace(outcomes=()) == everything.replace(outcomes=())
        assert tracker == whole


def test_the_first_line_that_is_no_event_is_named() -> None:
    followed = bankhook.Tracker().apply_lines(b"\n{}\n[]\n")
    assert (followed.rejected, followed.first_rejected, followed.lines) == (2, 2, 3)
    assert bankhook.Tracker().apply_lines(b"").first_rejected is None


def test_what_an_archive_meant_is_shown_in_one_line() -> None:
    text = archive()
    applied = bankhook.Tracker().apply_lines(text)
    verdicts = collections.Counter[bankhook.Verdict]()
    for count in applied.verdict_counts:
        verdicts[count.verdict] += count.events
    assert len(verdicts) == len(bankhook.Verdict)
    shown = str(applied)
    assert "\n" not in shown
    assert f"{applied.lines:,} lines, {applied.rejected:,} rejected, {applied.repeats:,} repeats, " in shown
    assert all(f", {events:,} {verdict}" in shown for verdict, events in verdicts.items())
    assert shown.endswith(f"; {len(applied.outcomes):,} outcomes")


def test_wrong_arguments_say_what_was_expected() -> None:
    with pytest.raises(TypeError, match="diagnose_lines"):
        bankhook.diagnose_lines(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is_clean"):
        bankhook.is_clean(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="apply_lines"):
        bankhook.Tracker().apply_lines(object())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="limit: expected 0 or more"):
        bankhook.Tracker().apply_lines(b"{}", limit=-1)
    with pytest.raises(TypeError, match=r"Tracker\.apply_lines: member: expected str"):
        bankhook.Tracker().apply_lines(b"{}", member=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="specified, assumed, unspecified or contradicts"):
        bankhook.Tracker().apply_lines(b"{}", report="all")
