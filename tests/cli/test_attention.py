# SPDX-License-Identifier: MIT
"""`bankhook track`: whose consent has ended by which clock, and what a list lacks."""

from __future__ import annotations

import re

import bankhook
from cli.command import run


def test_consents_end_by_the_clock_that_is_asked_for() -> None:
    sandbox = bankhook.Sandbox(seed=1, members=2, consent_presence="always")
    consent = re.sub(
        rb'("consentExpiresAt":\s*")[^"]+',
        rb"\g<1>2002-05-07 01:00:00.0000",
        sandbox.create_connection(sandbox.member(0)).raw,
    )
    purchase = sandbox.send_initial_transaction(sandbox.member(1)).to_wire()
    purchase["initialTransaction"]["date"] = "2002-05-06T23:30:00Z"
    archive = bankhook.InitialTransactionUpdate.from_wire(purchase).to_json() + b"\n" + consent
    for zone, has_ended in (("UTC", False), ("Europe/Berlin", True), ("America/New_York", False)):
        out = run("track", "--zone", zone, "-", stdin=archive).out
        assert (f" {zone}, the latest `date` of a transaction (--ending DATE: by that day)\n" in out) == has_ended
        assert ("whose consent ends before" in out) == (not has_ended)
    wrong = run("track", "--zone", "Berlin", "-", stdin=archive)
    assert (wrong.status, wrong.out) == (2, "")
    assert "expected a zone such as Europe/Berlin" in wrong.err


def test_a_connection_that_became_unlisted_needs_attention() -> None:
    sandbox, tracker = bankhook.Sandbox(seed=1, members=1), bankhook.Tracker()
    first = sandbox.create_connection(sandbox.member(0))
    second = sandbox.create_connection(sandbox.member(0))
    left = second.replace(customer=second.customer.replace(connections=[second.connection]))
    for event in (first, left):
        tracker.apply(event)
    assert [one.state for one in tracker.connections()].count(bankhook.types.ConnectionState.UNLISTED) == 1
    out = run("track", "-", stdin=first.to_json() + b"\n" + left.to_json() + b"\n").out
    attention = out.partition("\nNeeds attention\n")[2]
    assert "\n  1 connection that the latest list lacks (unlisted)\n" in "\n" + attention
    assert f"\n    {first.connection.id} of {sandbox.member(0).id}\n" in attention


def test_a_place_field_that_has_no_name_yet_is_a_remark() -> None:
    sandbox = bankhook.Sandbox(seed=3, members=1)
    created = [sandbox.send_initial_transaction(sandbox.member(0)) for _ in range(40)]
    in_the_field = [one.raw for one in created if one.initial_transaction.store_external_id is None]
    named = b"\n".join(in_the_field)
    remark = f"{len(in_the_field)} events have no place: if the field has another name, BANKHOOK_PLACE_ID=NAME gives it"
    for archive, is_shown in ((named.replace(b'"placeId"', b'"mapPlaceId"'), True), (named, False)):
        out = run("track", "-", stdin=archive).out
        assert (remark in " ".join(out.partition("\nNeeds attention\n")[2].split())) == is_shown
