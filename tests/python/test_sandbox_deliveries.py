# SPDX-License-Identifier: MIT
"""Histories of the sandbox: the same for the same seed, lazy, clean without faults, and labelled with them."""

from __future__ import annotations

import gc
from collections import Counter

import pytest

from bankhook import ParseError, Sandbox, UnknownEvent, parse
from bankhook.sandbox import Delivery, DetectedBy, Fault, FaultKind, Faults


def test_the_same_seed_gives_the_same_deliveries() -> None:
    assert list(Sandbox(5, faults=0.05).deliveries(500)) == list(Sandbox(5, faults=0.05).deliveries(500))
    assert list(Sandbox(5).deliveries(20)) != list(Sandbox(6).deliveries(20))


def test_without_faults_every_delivery_is_its_event() -> None:
    for number, delivery in enumerate(Sandbox(5).deliveries(2_000)):
        assert delivery.number == number
        assert delivery.fault is None
        assert delivery.payload is delivery.original
        assert not isinstance(parse(delivery.payload), UnknownEvent)


def test_deliveries_are_made_when_they_are_asked_for() -> None:
    sandbox = Sandbox(5)
    deliveries = sandbox.deliveries()
    assert sandbox.event_count == 0
    next(deliveries)
    assert sandbox.event_count == 1
    assert list(sandbox.deliveries(0)) == []


def test_two_iterators_share_one_history() -> None:
    sandbox = Sandbox(5)
    first, second = sandbox.deliveries(), sandbox.deliveries()
    assert [next(first).number, next(second).number, next(first).number] == [0, 1, 2]


def test_faults_change_what_is_delivered_and_never_the_events() -> None:
    clean = [delivery.payload for delivery in Sandbox(5).deliveries(3_000)]
    for delivery in Sandbox(5, faults={"drop": 0.1, "mutate": 0.1, "reorder": 0.2}).deliveries(2_000):
        assert delivery.original == clean[delivery.number]


def test_every_touched_delivery_has_its_label() -> None:
    kinds = Counter[FaultKind]()
    for delivery in Sandbox(5, faults=0.05).deliveries(5_000):
        if delivery.fault is not None and delivery.fault.number == delivery.number:
            kinds[delivery.fault.kind] += 1
        else:
            assert delivery.payload == delivery.original
    assert set(kinds) == set(FaultKind) - {FaultKind.DROP}


def test_a_cut_payload_is_labelled_and_rejected() -> None:
    for delivery in Sandbox(5, faults=Faults(truncate=1)).deliveries(200):
        assert delivery.fault is not None
        assert delivery.fault.detectable in ("payload_is_json_object", "text_is_utf8")  # or inside of a character
        assert delivery.fault.offset == len(delivery.payload)
        assert delivery.original.startswith(delivery.payload)
        with pytest.raises(ParseError):
            parse(delivery.payload)


def test_a_duplicate_at_once_is_labelled_as_a_repeat() -> None:
    before = b""
    for delivery in Sandbox(5, faults=Faults(duplicate=1), lateness=0).deliveries(200):
        if delivery.fault is not None:
            assert (delivery.fault.kind, delivery.fault.detected_by) == (FaultKind.DUPLICATE, DetectedBy.REPEAT)
            assert delivery.fault.detectable == "repeat"
            assert delivery.payload == before
        before = delivery.payload


def test_a_drop_is_labelled_where_it_shows() -> None:
    found = [each.fault for each in Sandbox(5, faults=Faults(drop=0.3)).deliveries(2_000) if each.fault is not None]
    assert {fault.kind for fault in found} == {FaultKind.DROP}
    assert {fault.detectable for fault in found} == {"lifecycle"}


def test_a_label_without_a_sign_promises_nothing() -> None:
    fault = Fault(FaultKind.MUTATE, 3, "one byte replaced", "", 7, 0, DetectedBy.NOTHING, None)
    assert fault.detectable is None
    assert fault.replace(detected_by=DetectedBy.LIFECYCLE).detectable == "lifecycle"


def test_deliveries_are_matched_by_their_fields() -> None:
    match next(Sandbox(5).deliveries(1)):
        case Delivery(payload=payload, number=0, fault=None):
            assert payload.startswith(b'{"event"')
        case other:
            pytest.fail(f"{other!r}")


@pytest.mark.slow
def test_memory_stays_flat_over_a_long_history() -> None:
    sandbox = Sandbox(5, 10, faults=0.05)
    for _ in sandbox.deliveries(20_000):
        pass
    gc.collect()
    before = len(gc.get_objects())
    for _ in sandbox.deliveries(20_000):
        pass
    gc.collect()
    assert abs(len(gc.get_objects()) - before) < 100
