# SPDX-License-Identifier: MIT
"""A member's timeline: what it holds, and a picture that is well-formed whatever the texts are."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

import bankhook
from bankhook import ABSENT, Tracker
from bankhook.types import Timeline
from installed import need_packages
from python.parsed import connections_update, transaction_update
from python.shown import Shown

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"


def tracker_with(bank: str) -> Tracker:
    tracker = Tracker()
    update = connections_update()
    own = update.connection.replace(bank=bank)
    tracker.apply(update.replace(connection=own))
    tracker.apply(transaction_update())
    return tracker


def picture_of(timeline: Timeline) -> ElementTree.Element:
    need_packages("altair", "vl_convert")
    text = timeline.to_svg()
    assert text is not None
    assert "http" not in text.replace("http://www.w3.org", "")
    return ElementTree.fromstring(text)


def marks(picture: ElementTree.Element, kind: str) -> int:
    """How many bars or points Vega has drawn."""
    groups = [group for group in picture.iter(f"{SVG}g") if f"mark-{kind} role-mark" in group.get("class", "")]
    return sum(len(group) for group in groups)


def test_timeline_shows_each_connection_and_transaction() -> None:
    timeline = tracker_with("Banque Exemple").timeline("member-0001")
    assert (len(timeline.connections), len(timeline.transactions)) == (1, 1)
    assert timeline.member_id == "member-0001"
    assert "member-0001" in Shown(timeline).text
    picture = picture_of(timeline)
    assert (marks(picture, "rect"), marks(picture, "symbol")) == (1, 1)
    assert "Banque Exemple" in [text.text for text in picture.iter(f"{SVG}text")]


def test_connections_of_one_bank_have_a_row_each() -> None:
    update = connections_update()
    names = [f"con-{number}" for number in range(3)]
    connections = [update.connection.replace(id=name) for name in names]
    tracker = Tracker()
    tracker.apply(update.replace(connection=connections[0], customer=update.customer.replace(connections=connections)))
    picture = picture_of(tracker.timeline("member-0001"))
    assert marks(picture, "rect") == 3
    bank = update.connection.bank
    assert {bank, f"{bank} (2)", f"{bank} (3)"} <= {text.text for text in picture.iter(f"{SVG}text")}


def test_text_of_a_payload_is_text_in_the_picture() -> None:
    hostile = "<script>&\"']]>"
    timeline = tracker_with(hostile).timeline("member-0001")
    picture = picture_of(timeline)
    assert hostile in [text.text for text in picture.iter(f"{SVG}text")]
    assert picture.find(f".//{SVG}script") is None
    assert hostile in Shown(timeline).text


def test_a_consent_without_an_end_is_open_and_says_so() -> None:
    """Spec 2.2: consentExpiresAt is optional."""
    need_packages("altair", "vl_convert")
    tracker = Tracker()
    update = connections_update()
    tracker.apply(update.replace(connection=update.connection.replace(consent_expires_at=ABSENT)))
    shown = Shown(tracker.timeline("member-0001"))
    assert "Pale: no end of the consent is given." in shown.text
    assert "absent" in shown.of("absent")
    assert 'fill-opacity="0.5"' in shown.html


def test_a_connection_that_is_gone_is_outlined_because_no_event_says_when() -> None:
    """Spec 6.2 and 2.1: events have no time."""
    sandbox, tracker = bankhook.Sandbox(seed=1, members=1), Tracker()
    first = sandbox.create_connection(sandbox.member(0))
    for event in (first, sandbox.delete_connection(first), sandbox.create_connection(sandbox.member(0))):
        tracker.apply(event)
    other = sandbox.create_connection(sandbox.member(0))
    alone = (other.connection,)
    tracker.apply(other.replace(customer=other.customer.replace(connections=alone)))
    timeline = tracker.timeline(sandbox.member(0).id)
    assert sorted(str(one.state) for one in timeline.connections) == ["created", "deleted", "unlisted"]
    rows = [row for rows in timeline.chart().to_dict()["datasets"].values() for row in rows]
    ends = {row["state"]: row["end"] for row in rows}
    assert (ends.pop("deleted"), ends.pop("unlisted")) == ("unknown", "unknown")
    assert "unknown" not in ends.values()
    shown = Shown(timeline)
    assert "Dashed outline: deleted or unlisted" in shown.text
    assert sorted(re.findall(r'fill-opacity="([\d.]+)" stroke="#\w+"', shown.html)) == ["0.15", "0.15", "0.5"]


def test_an_unknown_member_has_an_empty_timeline() -> None:
    timeline = Tracker().timeline("nobody")
    assert (timeline.connections, timeline.transactions) == ((), ())
    assert "Nothing is tracked for this member." in Shown(timeline).text
    picture_of(timeline)


def test_an_axis_of_hours_names_both_days_if_it_crosses_midnight() -> None:
    event, titles = transaction_update(), []
    for time in (b"2026-05-04T10:15:30.000Z", b"2026-05-04T00:00:19.000Z"):
        tracker = Tracker()
        date = event.initial_transaction.to_json().rsplit(b'"date":"', 1)[1].split(b'"')[0]
        tracker.apply(bankhook.parse(event.raw.replace(date, time)))
        titles += [text.text for text in picture_of(tracker.timeline("member-0001")).iter(f"{SVG}text")]
    assert "2026-05-04, UTC" in titles
    assert "2026-05-03 to 2026-05-04, UTC" in titles


def test_moments_at_the_ends_of_the_calendar_are_drawn() -> None:
    tracker = Tracker()
    text = transaction_update().raw
    for year, offset in ((b"0001-01-01", b"+23:59"), (b"9999-12-31", b"-23:59")):
        event = bankhook.parse(text)
        assert isinstance(event, bankhook.InitialTransactionUpdate)
        date = event.initial_transaction.to_json().rsplit(b'"date":"', 1)[1].split(b'"')[0]
        moved = bankhook.parse(text.replace(date, year + b"T23:59:59" + offset).replace(b"it-0001", b"it-" + year))
        tracker.apply(moved)
    assert marks(picture_of(tracker.timeline("member-0001")), "symbol") == 2


def test_thousands_of_transactions_are_drawn_in_part_and_counted_in_full() -> None:
    need_packages("altair", "vl_convert")
    tracker = Tracker()
    event = transaction_update()
    for number in range(6_000):
        tracker.apply(event.replace(initial_transaction=event.initial_transaction.replace(id=f"it-{number}")))
    shown = Shown(tracker.timeline("member-0001"))
    assert "6,000 transactions" in shown.text
    assert "5,900 more earlier transactions" in shown.text
    assert "Only the last 1,000 of 6,000 transactions are drawn." in shown.text
    assert len(shown.html) < 1_000_000


def test_the_chart_is_there_to_go_on_from() -> None:
    chart = tracker_with("Banque Exemple").timeline("member-0001").chart()
    assert chart.properties(title="mine").to_dict()["title"] == "mine"


def test_repr_names_no_one() -> None:
    assert repr(tracker_with("x").timeline("member-0001")) == "<bankhook.types.Timeline of 1 connections, 1 transactions>"


def test_an_error_about_arguments_names_the_method() -> None:
    ask: Any = tracker_with("Banque").timeline
    for arguments, missing in [((), "missing 1 required positional argument: 'member_id'"), (("a", "b"), "takes 2 ")]:
        with pytest.raises(TypeError, match=rf"^Tracker\.timeline\(\) {missing}"):
            ask(*arguments)
