# SPDX-License-Identifier: MIT
"""Memory holds the trackers of a bounded number of members; the others are in the database, and come back unchanged."""

from __future__ import annotations

from collections.abc import Collection

import bankhook
from bankhook.inbox._members import Trackers
from inbox.history import payloads


class Stored:
    """What a database would hold."""

    def __init__(self) -> None:
        self.snapshots: dict[str, bytes] = {}
        self.loaded = list[str]()

    def load(self, members: Collection[str]) -> list[tuple[str, bytes]]:
        self.loaded += members
        return [(member, self.snapshots[member]) for member in members if member in self.snapshots]


def test_no_more_members_are_in_use_than_the_limit_and_the_state_is_that_of_one_tracker() -> None:
    stored, whole = Stored(), bankhook.Tracker()
    trackers = Trackers(stored.load, bankhook.Tracker(), limit=10)
    for body in payloads(600, members=100):
        event = bankhook.parse(body)
        assert not isinstance(event, bankhook.UnknownEvent)
        member = event.customer.id
        trackers.prepare([member])
        assert trackers.of(member).peek(event) == whole.apply(event)
        trackers.change(member).apply(event)
        stored.snapshots.update(trackers.snapshots())
        trackers.keep()
        assert len(trackers) <= 10
    assert len(stored.snapshots) == len(whole) > 50
    merged = bankhook.Tracker()
    for snapshot in stored.snapshots.values():
        merged.merge(bankhook.Tracker.restore(snapshot))
    assert merged == whole


def test_members_in_use_are_not_loaded_again_and_the_least_recently_used_goes_first() -> None:
    stored = Stored()
    trackers = Trackers(stored.load, bankhook.Tracker(), limit=2)
    for member in "abacab":
        trackers.prepare([member])
        trackers.of(member)
        trackers.keep()
    assert stored.loaded == ["a", "b", "c", "b"]


def test_what_was_not_stored_is_forgotten() -> None:
    stored = Stored()
    trackers = Trackers(stored.load, bankhook.Tracker())
    event = bankhook.parse(payloads(1)[0])
    trackers.prepare(["m", "n"])
    trackers.change("m").apply(event)
    trackers.forget()
    assert [*trackers.snapshots()] == []
    trackers.prepare(["m", "n"])
    assert stored.loaded == ["m", "n", "m"]
    assert len(trackers.of("m")) == 0


def test_the_options_of_the_handlers_tracker_are_those_of_every_member() -> None:
    stored = Stored()
    stored.snapshots["old"] = bankhook.Tracker().snapshot()
    trackers = Trackers(stored.load, bankhook.Tracker(accept_late=True, unlist=False))
    trackers.prepare(["old", "new"])
    for member in ("old", "new"):
        assert (trackers.of(member).accept_late, trackers.of(member).unlist) == (True, False)
