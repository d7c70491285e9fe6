# SPDX-License-Identifier: MIT
"""One word has one colour in every view; evidence shows in the line alone, and nobody has to tell red from green."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from bankhook import Sandbox, Tracker, diagnose, rules
from bankhook._render.hues import HUES, INK
from bankhook.types import Severity
from python.parsed import connections_update, payload, transaction_update
from python.shown import Shown


def views() -> list[Any]:
    """Objects of each kind that show states."""
    sandbox, tracker = Sandbox(seed=7, members=2), Tracker()
    purchase = sandbox.send_initial_transaction(sandbox.member(0))
    connection = sandbox.create_connection(sandbox.member(0))
    events = (purchase, sandbox.reject(purchase.initial_transaction, "purchaseNotFound"), connection, purchase)
    gone = sandbox.delete_connection(connection)
    tracker.apply(sandbox.validate(sandbox.send_initial_transaction(sandbox.member(0))))
    outcomes = [tracker.apply(event) for event in (*events, gone)]
    return [
        transaction_update(),
        connections_update(),
        *outcomes,
        tracker,
        tracker.timeline(sandbox.member(0).id),
    ]


def test_a_word_has_one_hue_in_every_view() -> None:
    hues = dict[str, set[str]]()
    for view in views():
        for names, text in Shown(view).classes:
            if "bh-pill" in names.split():
                word = re.sub(r"^[\d,]+ ", "", text)
                hues.setdefault(word, set()).add(
                    " ".join(sorted(set(names.split()) & {f"bh-{hue}" for hue in (*HUES, "plain")}))
                )
    assert {"created", "validated", "rejected", "deleted", "stated", "assumed"} <= hues.keys()
    assert {word: found for word, found in hues.items() if len(found) > 1} == {}
    assert hues["created"] == {"bh-new"}
    assert all(hues[evidence] == {"bh-plain"} for evidence in ("stated", "assumed"))


def channels(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels(colour)]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("hue", HUES)
def test_a_hue_can_be_seen_on_white_and_on_black(hue: str) -> None:
    own = luminance(HUES[hue])
    assert 1.05 / (own + 0.05) >= 3
    assert (own + 0.05) / 0.05 >= 3


def test_texts_of_a_picture_can_be_read_on_white_and_on_black() -> None:
    own = luminance(INK)
    assert min(1.05 / (own + 0.05), (own + 0.05) / 0.05) >= 4.4


def as_seen_without_red(colour: str) -> tuple[float, float]:
    """Yellow against blue, and lightness: what is left to somebody who sees no difference of red and green."""
    red, green, blue = channels(colour)
    return (red + green) / 2 - blue, luminance(colour)


def test_states_differ_for_those_who_do_not_see_red_and_green() -> None:
    seen = {hue: as_seen_without_red(HUES[hue]) for hue in ("good", "bad", "new")}
    for one, other in itertools.combinations(seen.values(), 2):
        assert max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 0.1


def test_a_finding_says_whether_parse_rejects_it_and_where_a_missing_field_belongs() -> None:
    text = payload("transaction_created")
    shown = Shown(diagnose(text.replace(b'"status"', b'"statu0"', 1)))
    assert "parse rejects it" in shown.of("bad")
    assert "parse accepts it" in shown.of("warn")
    assert "add status here" in shown.of("mark")
    without = Shown(diagnose(text.replace(b'"customer"', b'"custome"', 1)))
    assert "add customer here" in without.of("mark")
    severities = {rule.severity for rule in rules if rule.id in shown.text}
    assert severities == {Severity.ERROR, Severity.WARNING}
