# SPDX-License-Identifier: MIT
"""Nesting is bounded once, and what is just below the bound can be shown like anything else."""

from __future__ import annotations

import pytest

import bankhook
from bankhook import ParseError, parse
from cli.command import run
from python.parsed import payload

PLACES = {
    "in an unlisted field": payload("transaction_created").replace(b"{", b'{"more":<deep>,', 1),
    "in the customer": payload("transaction_created").replace(b'"customer":{', b'"customer":{"more":<deep>,', 1),
    "after escapes": payload("transaction_created")
    .replace(b"_transaction_", b"_tr\\u0061nsaction_", 1)
    .replace(b'"customer":{', b'"customer":{"more":<deep>,', 1),
    "in an unknown event": b'{"event":"x","y":{"z":<deep>}}',
}


def nested(place: bytes, depth: int) -> bytes:
    """The payload with so many brackets open at once."""
    before = place[: place.index(b"<deep>")]
    levels = depth - (before.count(b"{") - before.count(b"}"))
    return place.replace(b"<deep>", b"[" * levels + b"]" * levels)


@pytest.mark.parametrize("depth", [1023, 1024, 1025, 1026, 2000])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_parse_and_diagnose_agree_on_what_is_nested_too_deeply(place: bytes, depth: int) -> None:
    text = nested(place, depth)
    rules = [finding.rule for finding in bankhook.diagnose(text)]
    assert ("nesting_is_bounded" in rules) == (depth > 1024)
    if depth <= 1024:
        assert parse(text).raw == text
        return
    for strict in (False, True):
        with pytest.raises(ParseError) as caught:
            parse(text, strict=strict)
        assert caught.value.finding.rule == "nesting_is_bounded"


@pytest.mark.parametrize("depth", [900, 990, 1024])
def test_an_unknown_event_of_any_depth_can_be_shown(depth: int) -> None:
    event = parse(nested(PLACES["in an unknown event"], depth))
    assert repr(event).startswith("UnknownEvent(")
    assert "UnknownEvent" in event._repr_html_()
    assert event.to_dict()["event"] == "x"
    assert event.to_json() == event.raw
    wire = event.to_wire()
    assert wire["event"] == "x"
    assert bankhook.UnknownEvent.from_wire(wire).to_json() == event.to_json()


@pytest.mark.parametrize("depth", [10, 20, 900, 1024])
def test_the_command_shows_an_unknown_event_of_any_depth(depth: int) -> None:
    done = run("show", "-", stdin=nested(PLACES["in an unknown event"], depth))
    assert done.status == 1  # its name is not listed
    assert ("deeper, see --json" in done.out) == (depth > 12)
    assert "Traceback" not in done.err


def test_the_command_shows_a_number_of_any_length() -> None:
    done = run("show", "-", stdin=b'{"event":"x","y":' + b"1" * 5000 + b"}")
    assert done.status == 1 and "y  1111" in done.out
    assert "Traceback" not in done.err
