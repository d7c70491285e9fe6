# SPDX-License-Identifier: MIT
"""Arguments of a tracker that are wrong are errors that say what is expected."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest

import bankhook
from bankhook import Tracker


@pytest.mark.parametrize("name", ["connection", "transaction"])
def test_what_is_asked_for_by_two_ids_says_which_is_missing(name: str) -> None:
    ask = getattr(Tracker(), name)
    for given, message in ((), "misses arguments: member_id, id"), (("m",), "misses arguments: id"), ("abc", "found 3"):
        with pytest.raises(TypeError, match=rf"^Tracker\.{name}\(\) .*{message}"):
            ask(*given)
    with pytest.raises(TypeError, match=rf"^Tracker\.{name}\(\) takes no keyword arguments"):
        ask(member_id="m", id="i")
    sandbox = bankhook.Sandbox(1, members=1)
    assert not Tracker().apply(sandbox.create_connection(sandbox.member(0))).became("created")


@pytest.mark.parametrize("wrong", [b"{}", None, "event", 5, Tracker])
def test_errors_for_wrong_arguments_say_what_is_expected(wrong: Any) -> None:
    tracker = Tracker()
    for method in (tracker.peek, tracker.apply):
        with pytest.raises(TypeError, match="expected an event, found"):
            method(wrong)
    with pytest.raises(TypeError):
        tracker.merge(wrong)
    with pytest.raises(TypeError):
        tracker.consents_ending_before(wrong)


@pytest.mark.parametrize("option", ["connection_lifecycle", "transaction_lifecycle", "status_from", "take_create", "order"])
@pytest.mark.parametrize("wrong", [b"{}", 5, Tracker])
def test_a_wrong_option_is_an_error(option: str, wrong: Any) -> None:
    made: Any = Tracker
    with pytest.raises(TypeError):
        made(**{option: wrong})


def test_moment_with_a_zone_is_rejected() -> None:
    with pytest.raises((TypeError, ValueError)):
        Tracker().consents_ending_before(datetime.datetime(2027, 3, 1, tzinfo=datetime.UTC))


def test_half_a_surrogate_pair_is_not_a_member() -> None:
    assert "\ud800" not in bankhook.Tracker()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda of: of.connections(), "Tracker.connections() is called without its object"),
        (lambda of: of.snapshot(5), "Tracker.snapshot: expected Tracker, found int"),
        (lambda of: of.timeline(), "unbound method Tracker.timeline() needs an argument"),
        (lambda of: of().connections("a", "b"), "Tracker.connections() takes at most 1 argument (2 given)"),
        (lambda of: of().transactions("a", "b"), "Tracker.transactions() takes at most 1 positional argument (2 given)"),
        (
            lambda of: of().transactions("a", member_id="b"),
            "argument for Tracker.transactions() given by name ('member_id') and position (1)",
        ),
        (lambda of: of().accounts(), "Tracker.accounts() missing required argument 'member_id' (pos 1)"),
        (lambda of: of().transactions(status=1), "Tracker.transactions: status: expected str, found int"),
        (lambda of: of().merge(), "Tracker.merge() takes exactly 1 positional argument (0 given)"),
        (lambda of: of().merge(None), "Tracker.merge: expected Tracker, found NoneType"),
    ],
)
def test_what_is_wrong_with_a_call_is_reported_without_its_arguments(call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(TypeError) as raised:
        call(Tracker)
    assert str(raised.value) == message
