# SPDX-License-Identifier: MIT
"""A member's timeline: what it holds, and a picture that is well-formed whatever the texts are."""

from __future__ import annotations

from xml.etree import ElementTree

import bankhook
from bankhook import Tracker
from python.parsed import connections_update, transaction_update

SVG = "{http://www.w3.org/2000/svg}"


def tracker_with(bank: str) -> Tracker:
    tracker = Tracker()
    update = connections_update()
    own = update.connection.replace(bank=bank)
    tracker.apply(update.replace(connection=own))
    tracker.apply(transaction_update())
    return tracker


def test_timeline_shows_each_connection_and_transaction() -> None:
    tracker = tracker_with("Banque Exemple")
    timeline = tracker.timeline("member-0001")
    assert (len(timeline.connections), len(timeline.transactions)) == (1, 1)
    picture = ElementTree.fromstring(timeline._repr_svg_())
    assert len(picture.findall(f"{SVG}rect")) == 1
    assert len(picture.findall(f"{SVG}circle")) == 1
    assert "Banque Exemple" in [text.text for text in picture.findall(f"{SVG}text")]


def test_text_of_a_payload_is_text_in_the_picture() -> None:
    hostile = "<script>&\"']]>"
    picture = ElementTree.fromstring(tracker_with(hostile).timeline("member-0001")._repr_svg_())
    assert hostile in [text.text for text in picture.findall(f"{SVG}text")]
    assert picture.find(f".//{SVG}script") is None


def test_member_that_is_not_held_has_an_empty_timeline() -> None:
    timeline = Tracker().timeline("nobody")
    assert (timeline.connections, timeline.transactions) == ((), ())
    ElementTree.fromstring(timeline._repr_svg_())


def test_moments_at_the_ends_of_the_calendar_are_drawn() -> None:
    tracker = Tracker()
    text = transaction_update().raw
    for year, offset in ((b"0001-01-01", b"+23:59"), (b"9999-12-31", b"-23:59")):
        event = bankhook.parse(text)
        assert isinstance(event, bankhook.InitialTransactionUpdate)
        date = event.initial_transaction.to_json().rsplit(b'"date":"', 1)[1].split(b'"')[0]
        moved = bankhook.parse(text.replace(date, year + b"T23:59:59" + offset).replace(b"it-0001", b"it-" + year))
        tracker.apply(moved)
    ElementTree.fromstring(tracker.timeline("member-0001")._repr_svg_())


def test_repr_names_no_one() -> None:
    assert repr(tracker_with("x").timeline("member-0001")) == "<bankhook.Timeline of 1 connections, 1 transactions>"
