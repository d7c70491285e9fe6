# SPDX-License-Identifier: MIT
"""`bankhook track`: what a tracker makes of an archive."""

from __future__ import annotations

import collections
import re
from pathlib import Path

import pytest

import bankhook
from bankhook.testing import samples
from cli.command import clean_archive, objects, run, shaped


def history() -> bytes:
    """Return a purchase that is created, delivered twice, rejected, and created again too late."""
    sandbox = bankhook.Sandbox(seed=1, members=2)
    created = sandbox.send_initial_transaction(sandbox.member(0))
    rejected = sandbox.reject(created.initial_transaction, "purchaseNotFound")
    connected = sandbox.create_connection(sandbox.member(1))
    lines = (created.raw, created.raw, rejected.raw, created.raw, connected.raw)
    return b"".join(line + b"\n" for line in lines)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "history.ndjson"
    path.write_bytes(history())
    return path


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
def test_a_date_that_utc_does_not_have_is_no_time_to_judge_an_archive_by(date: str, tmp_path: Path) -> None:
    path = tmp_path / "history.ndjson"
    path.write_bytes(re.sub(rb'"date":"[^"]*"', b'"date":"%b"' % date.encode(), history()))
    done = run("track", path)
    assert (done.status, done.err) == (0, "") and "member" in done.out


def test_the_summary_counts_the_outcomes_of_a_tracker(archive: Path) -> None:
    tracker = bankhook.Tracker()
    outcomes = [tracker.apply(event) for event in bankhook.parse_lines(archive, on_error="collect")]
    summary = objects(run("track", "--json", archive))[-1]
    assert summary["verdicts"] == dict(collections.Counter(str(outcome.verdict) for outcome in outcomes).most_common())
    assert summary["changes"] == dict(
        collections.Counter(change.label for outcome in outcomes for change in outcome.changes).most_common()
    )
    assert (summary["repeats"], summary["not_accepted"], summary["members"]) == (1, 1, 2)


def test_a_contradiction_is_reported_with_its_reason_and_section(archive: Path) -> None:
    lines = archive.read_bytes().splitlines(keepends=True)
    archive.write_bytes(lines[0] + lines[2].replace(b'"status":"rejected"', b'"status":"validated"'))
    done = run("track", archive)
    printed = done.out.splitlines()
    (head,) = [line for line in printed if line.startswith(str(archive))]
    assert head.startswith(f"{archive}:2: initial_transaction_update rejected of ")
    rule = "status_equals_event_type: initialTransaction.status equals eventType"
    assert f"  breaks the rule {rule}, so it is ignored [contradicts, section 6.3]" in printed
    assert done.status == 1


def test_a_late_event_is_no_contradiction_and_says_why_it_is_not_accepted(archive: Path) -> None:
    done = run("track", "--changes", archive)
    lines = done.out.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith(f"{archive}:4:")]
    assert "initial_transaction_update created of " in lines[at]
    assert (
        lines[at + 1] == "  late or a repeat: created after rejected, so it is ignored [unspecified, section 3.1, assumed]"
    )
    assert done.status == 0


def test_changes_are_reported_for_every_event(archive: Path) -> None:
    printed = objects(run("track", "--json", "--changes", archive))
    outcomes = [value for value in printed if value["type"] == "outcome"]
    assert [outcome["line"] for outcome in outcomes] == [1, 2, 3, 4, 5]
    assert [outcome["repeat"] for outcome in outcomes] == [False, True, False, False, False]
    (status,) = [change for change in outcomes[2]["changes"] if change["field"] == "status"]
    assert (status["before"], status["after"]) == ("created", "rejected")


def test_texts_are_redacted_unless_they_are_asked_for(archive: Path) -> None:
    lines = history().splitlines(keepends=True)
    text = b"".join(
        line.replace(b"customer-000001", b"customer-777777") if b'"rejected"' in line else line for line in lines
    )
    shown = [run("track", "--changes", *options, "-", stdin=text).out for options in ([], ["--show-values"])]
    assert [("customer-777777" in out, "status: created → rejected" in out) for out in shown] == [
        (False, True),
        (True, True),
    ]


def test_one_member_can_be_tracked(archive: Path) -> None:
    member = bankhook.Sandbox(seed=1, members=2).member(1).id
    printed = objects(run("track", "--json", "--member", member, archive))
    assert [value["line"] for value in printed if value["type"] == "outcome"] == [5]
    assert [value["member"] for value in printed if value["type"] == "member"] == [member]


def test_one_member_is_shown_alone_and_with_its_dates(archive: Path) -> None:
    sandbox = bankhook.Sandbox(seed=1, members=2)
    purchase = sandbox.send_initial_transaction(sandbox.member(0)).initial_transaction
    out = run("track", "--member", sandbox.member(0).id, archive).out
    assert sandbox.member(1).id not in out
    assert "Verdicts" not in out and "Members" not in out
    dates = f"purchase of {purchase.transaction_date}, created {purchase.to_wire()['date']}"
    assert f"transaction {purchase.id}: rejected, because of purchaseNotFound, {dates}" in out
    assert str(purchase.amount) not in out


def test_a_member_without_events_is_an_error(archive: Path) -> None:
    done = run("track", "--member", "nobody", archive)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"bankhook: {archive}: no event is about the member nobody\n"
    member = bankhook.Sandbox(seed=1, members=2).member(1).id
    close = run("track", "--member", f"{member}9", archive).err
    assert close == f"bankhook: {archive}: no event is about the member {member}9; did you mean {member!r}?\n"


def test_a_member_is_found_by_either_id(archive: Path) -> None:
    member = bankhook.Sandbox(seed=1, members=2).member(1)
    for options in ([], ["--json"], ["--changes"]):
        own, external = (run("track", *options, "--member", id_, archive) for id_ in (member.id, member.external_id))
        assert own == external
        assert member.id in own.out


def ending_in(year: bytes, payload: bytes) -> bytes:
    """The payload with consents that end in this year, whatever day it is today."""
    return re.sub(rb'("consentExpiresAt":\s*")\d{4}', rb"\g<1>" + year, payload)


def test_what_needs_attention_comes_first_and_names_whom_to_look_at() -> None:
    sandbox = bankhook.Sandbox(seed=1, members=3, accounts_at_creation="none")
    purchase = sandbox.send_initial_transaction(sandbox.member(0))
    broken = sandbox.desynchronise(sandbox.create_accounts(sandbox.create_connection(sandbox.member(1))))
    waiting = sandbox.create_connection(sandbox.member(2))
    lines = b"".join(ending_in(b"2998", event.raw) + b"\n" for event in (purchase, broken, waiting))
    ends = "2998" + broken.connection.to_wire()["consentExpiresAt"][4:]
    miscounted = waiting.replace(event_type="update", customer=waiting.customer.replace(connections_on=5))
    out = run("track", "--ending", "2999-01-01", "-", stdin=lines + ending_in(b"2998", miscounted.to_json()) + b"\n").out
    for text in (
        f"1 member whose counts differ from the connections tracked\n    {waiting.customer.id} (on/off 5/0, tracked 1)\n",
        f"1 connection in error\n    {broken.connection.id} of {broken.customer.id} ({broken.connection.error_code})\n",
        "2 connections whose consent ends before 2999-01-01\n",
        f"{broken.connection.id} of {broken.customer.id} ({ends})\n",
        f"1 transaction neither validated nor rejected\n    {purchase.initial_transaction.id} of {purchase.customer.id} (",
        f"1 connection without accounts so far\n    {waiting.connection.id} of {waiting.customer.id}\n",
    ):
        assert text in out[out.index("Needs attention") : out.index("Members")]
    assert "consent" not in run("track", "--ending", "2000-01-01", "-", stdin=lines).out


def test_a_consent_that_has_ended_is_not_counted_as_one_that_ends_soon() -> None:
    sandbox = bankhook.Sandbox(seed=1, members=2)
    ended, ends = (
        ending_in(year, sandbox.create_connection(member).raw)
        for year, member in zip((b"2001", b"2998"), sandbox.members, strict=True)
    )
    out = run("track", "--ending", "2999-01-01", "-", stdin=ended + b"\n" + ends + b"\n").out
    hint = r"\(--ending DATE: by that day; no event names a zone, --zone NAME takes another than UTC\)"
    now = rf"\d{{4}}-\d\d-\d\d \d\d:\d\d UTC, now {hint}"
    assert re.search(rf"\n  1 connection whose consent has ended as of {now}\n", out)
    assert "\n  1 connection whose consent ends before 2999-01-01\n" in out


def test_what_has_ended_is_judged_by_the_latest_date_of_the_archive() -> None:
    sandbox = bankhook.Sandbox(seed=1, members=12)
    created = [sandbox.create_connection(member).raw for member in sandbox.members]
    given = [raw for raw in created if b"consentExpiresAt" in raw]
    consents = [ending_in(year, raw) for year, raw in zip((b"2001", b"2003", b"2998"), given, strict=False)]
    for date, ended in (("2002-05-06T23:30:00-02:00", 1), ("9998-05-06T10:00:00Z", 2)):
        purchase = sandbox.send_initial_transaction(sandbox.member(0)).to_wire()
        purchase["initialTransaction"]["date"] = date
        dated = bankhook.InitialTransactionUpdate.from_wire(purchase).to_json()
        out = run("track", "--ending", "2999-01-01", "-", stdin=b"\n".join([dated, *consents])).out
        as_of = "2002-05-07 01:30 UTC, the latest `date`" if ended == 1 else r"20\d\d-\d\d-\d\d \d\d:\d\d UTC, now"
        assert re.search(rf"\n  {ended} connections? whose consent has ended as of {as_of}", out)


def test_a_connection_that_is_listed_after_its_delete_needs_attention() -> None:
    sandbox = bankhook.Sandbox(seed=1, members=1)
    member = sandbox.member(0)
    created, other = (sandbox.create_connection(member) for _ in range(2))
    deleted = sandbox.delete_connection(created.connection.id)
    again = other.replace(event_type="update")  # its list is older than the delete
    lines = b"".join(event.to_json() + b"\n" for event in (created, other, deleted, again))
    assert "\n  1 event lists a connection after its delete, first at line 4\n" in run("track", "-", stdin=lines).out


def test_an_event_that_is_not_applied_is_counted() -> None:
    sandbox = bankhook.Sandbox(seed=1, members=1)
    created = sandbox.send_initial_transaction(sandbox.member(0))
    validated = sandbox.validate(created.initial_transaction.id)
    lines = validated.raw + b"\n" + created.raw + b"\n"
    assert ", 1 not applied" in run("track", "-", stdin=lines).out


def test_a_file_that_is_not_there_is_an_error_without_a_report(tmp_path: Path) -> None:
    done = run("track", tmp_path / "none")
    assert (done.status, done.out) == (2, "")
    assert "none" in done.err


def test_an_error_code_is_shown_and_its_message_is_not(archive: Path) -> None:
    sandbox = bankhook.Sandbox(seed=1, members=1)
    created = sandbox.create_accounts(sandbox.create_connection(sandbox.member(0)))
    broken = sandbox.desynchronise(created)
    out = run("track", "--changes", "-", stdin=created.raw + b"\n" + broken.raw + b"\n").out
    assert f"errorCode: null → {broken.connection.error_code}\n" in out
    assert broken.connection.error_message and broken.connection.error_message not in out


def test_the_members_are_listed_with_what_there_is_of_each(archive: Path) -> None:
    out = run("track", archive).out.partition("\nMembers\n")[2]
    for row in objects(run("track", "--json", archive)):
        if row["type"] == "member":
            (line,) = re.findall(rf"^  {row['member']} (.+)", out, re.MULTILINE)
            service = re.search(r" \(service: (\d+) on, (\d+) off\)", line)
            assert (service and tuple(map(int, service.groups()))) == (
                None if row["connections_on"] is None else (row["connections_on"], row["connections_off"])
            )
            facts = {name.strip(): int(count) for count, name in re.findall(r"(?:^|, )(\d+) ([a-z ]+)", line)}
            assert facts.get("connections", facts.get("connection")) == row["connections"]
            assert facts.get("accounts", facts.get("account")) == row["accounts"]
            assert facts.get("deleted", 0) == row["deleted"]
            assert all(facts[status] == count for status, count in row["transactions"].items())


def test_tracking_continues_from_a_snapshot(archive: Path, tmp_path: Path) -> None:
    first, second = clean_archive(), history()
    (tmp_path / "first.ndjson").write_bytes(first)
    at_once = objects(run("track", "--json", "--members", "0", tmp_path / "first.ndjson", archive))
    assert run("track", "--snapshot", tmp_path / "state", "-", stdin=first).status in (0, 1)
    later = objects(run("track", "--json", "--members", "0", "--snapshot", tmp_path / "state", "-", stdin=second))
    rows = [[value for value in printed if value["type"] == "member"] for printed in (at_once, later)]
    assert rows[0] == rows[1]
    assert bankhook.Tracker.restore((tmp_path / "state").read_bytes()) is not None
    assert not (tmp_path / "state.new").exists()


def test_no_snapshot_is_written_if_a_file_could_not_be_read(archive: Path, tmp_path: Path) -> None:
    assert run("track", "--snapshot", tmp_path / "state", archive, tmp_path / "none").status == 2
    assert not (tmp_path / "state").exists()


def test_lines_that_are_not_events_are_counted_and_left_out() -> None:
    done = run("track", "-", stdin=b"\n{}\n" + history())
    assert "1 line is not an event, first at line 2 " in done.out
    assert done.status == 1


def test_a_clean_archive_is_fine() -> None:
    assert run("track", "-", stdin=clean_archive()).status == 0


def test_a_day_without_faults_is_specified_or_assumed(tmp_path: Path) -> None:
    """Spec 3.1: which state precedes validated and rejected is not shown, so those steps are assumed; nothing is unspecified."""
    day = tmp_path / "day.ndjson"
    assert run("simulate", "--events", "2000", "--output", day).status == 0
    done = run("track", "--json", day)
    (*members, summary) = objects(done)
    assert len(members) == summary["members"] > 20
    assert set(summary["verdicts"]) == {"specified", "assumed"}
    assert sum(summary["verdicts"].values()) == 2000
    assert done.status == 0


def test_what_is_printed_has_the_shape_that_schema_prints(archive: Path) -> None:
    shaped("outcomes", objects(run("track", "--json", "--changes", archive, "/nowhere")))


def test_the_shared_archive_is_tracked() -> None:
    done = run("track", "-", stdin=samples.archive())
    assert done.err == ""
    assert "Needs attention" in done.out


def test_values_are_printed_as_on_the_wire(tmp_path: Path) -> None:
    update = samples.get("connection_updated_with_accounts").payload.strip()
    before, after = "2026-03-01 10:11:18.5465", "2027-03-01 10:11:18.500"
    lines = [update.replace(b"2027-03-01 09:30:00.0000", text.encode()) for text in (before, after)]
    archive = tmp_path / "moved.ndjson"
    archive.write_bytes(b"\n".join(lines) + b"\n")
    assert f"consentExpiresAt: {before} → {after}\n" in run("track", "--changes", "--show-values", archive).out
    printed = objects(run("track", "--json", "--changes", "--show-values", archive))
    changes = [change for one in printed if one["type"] == "outcome" for change in one["changes"]]
    assert (before, after) in [(change.get("before"), change.get("after")) for change in changes]
    assert before in run("show", archive).out
    assert f'"consentExpiresAt":"{before}"' in run("show", "--json", archive).out
