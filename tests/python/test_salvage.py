# SPDX-License-Identifier: MIT
"""salvage gives the ids that a damaged payload still has, raises nothing, and invents nothing."""

from __future__ import annotations

import mmap
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import bankhook
from bankhook.inbox import Salvaged, salvage
from bankhook.testing import samples

CUT = b'{"event":"initial_transaction_update","customer":{"id":"mem-1","externalId":"ext-1"},"initialTransaction":{"id":"t'
OF_CUT = Salvaged(event="initial_transaction_update", member="mem-1", external_id="ext-1")


def ids_of(event: bankhook.AnyEvent) -> Salvaged:
    """The ids of an event that was parsed."""
    match event:
        case bankhook.BankConnectionsUpdateV2(event=name, customer=customer, connection=connection):
            return Salvaged(name, customer.id, customer.external_id, connection.id, None)
        case bankhook.InitialTransactionUpdate(event=name, customer=customer, initial_transaction=purchase):
            return Salvaged(name, customer.id, customer.external_id, None, purchase.id)
        case bankhook.UnknownEvent(event=name):
            return Salvaged(name)


@pytest.mark.parametrize("sample", samples.valid(), ids=str)
def test_every_id_of_an_event_is_salvaged(sample: samples.Sample) -> None:
    event = bankhook.parse(sample.payload)
    salvaged = salvage(sample.payload)
    if isinstance(event, bankhook.UnknownEvent):
        assert salvaged.event == event.event
    else:
        assert salvaged == ids_of(event)


@pytest.mark.parametrize("sample", samples.invalid(), ids=str)
def test_a_payload_that_is_rejected_raises_nothing(sample: samples.Sample) -> None:
    assert isinstance(salvage(sample.payload), Salvaged)


def test_every_type_that_parse_takes_is_taken(tmp_path: Path) -> None:
    (path := tmp_path / "payload").write_bytes(CUT)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for payload in (CUT, bytearray(CUT), memoryview(CUT), CUT.decode(), mapped):
            assert salvage(payload) == OF_CUT


def test_another_type_is_an_error_that_names_the_type() -> None:
    with pytest.raises(TypeError, match=r"salvage.* found int"):
        salvage(7)  # type: ignore[arg-type]


def test_a_lone_surrogate_is_no_id_and_raises_nothing() -> None:
    assert salvage('{"customer":{"id":"\ud800","externalId":"e-1"}}') == Salvaged(external_id="e-1")


@given(st.binary() | st.text(st.characters()))
def test_no_payload_raises_anything(payload: bytes | str) -> None:
    assert isinstance(salvage(payload), Salvaged)


def test_a_large_payload_is_read_without_the_interpreter() -> None:
    payload = CUT + b"x" * 2_000_000
    assert salvage(payload) == OF_CUT
    assert salvage(b"[" * 2_000_000) == Salvaged()


def damaged(kind: str, count: int = 4_000) -> list[bankhook.sandbox.Delivery]:
    """The deliveries of a history that were damaged so that parse rejects them."""
    deliveries = bankhook.Sandbox(seed=11, faults={kind: 0.5}).deliveries(count)
    return [one for one in deliveries if one.fault is not None and not parses(one.payload)]


def parses(payload: bytes) -> bool:
    try:
        bankhook.parse(payload)
    except bankhook.ParseError:
        return False
    return True


@pytest.mark.parametrize(("kind", "share"), [("truncate", 0.45), ("mutate", 0.75)])
def test_at_least_this_share_of_rejected_purchases_names_its_transaction(kind: str, share: float) -> None:
    """A cut is anywhere, and the id in the middle of the payload: half of them cannot name it."""
    rejected = named = 0
    for delivery in damaged(kind):
        transaction = ids_of(bankhook.parse(delivery.original)).transaction
        rejected += transaction is not None
        named += transaction is not None and salvage(delivery.payload).transaction == transaction
    assert rejected > 300
    assert named >= share * rejected


def test_no_delivery_that_was_cut_names_a_wrong_id() -> None:
    for delivery in damaged("truncate"):
        original = ids_of(bankhook.parse(delivery.original)).to_dict()
        for name, text in salvage(delivery.payload).to_dict().items():
            assert text in (None, original[name])


def test_a_delivery_with_a_changed_byte_names_at_most_one_wrong_id() -> None:
    for delivery in damaged("mutate"):
        original = ids_of(bankhook.parse(delivery.original)).to_dict()
        wrong = [name for name, text in salvage(delivery.payload).to_dict().items() if text not in (None, original[name])]
        assert len(wrong) <= 1
