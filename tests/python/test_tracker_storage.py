# SPDX-License-Identifier: MIT
"""Trackers are stored, copied, compared, merged and shared between threads."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
import threading
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest

import bankhook
from bankhook import Tracker, _core
from bankhook.types import MergeError, SnapshotError
from python.parsed import archive, transaction_update


def followed(limit: int | None = None) -> Tracker:
    """A tracker that took the sample archive."""
    tracker = Tracker()
    for line in archive()[:limit]:
        try:
            tracker.apply(bankhook.parse(line))
        except bankhook.ParseError:
            continue
    return tracker


def of_member(member: str, key: str) -> bankhook.InitialTransactionUpdate:
    event = transaction_update()
    return event.replace(
        customer=event.customer.replace(id=member),
        initial_transaction=event.initial_transaction.replace(id=key),
    )


def test_snapshot_gives_an_equal_tracker() -> None:
    tracker = followed()
    for buffer in (tracker.snapshot(), bytearray(tracker.snapshot()), memoryview(tracker.snapshot())):
        restored = Tracker.restore(buffer)
        assert restored == tracker
        assert restored.snapshot() == tracker.snapshot()
    assert Tracker.restore(Tracker().snapshot()) == Tracker() != tracker


@pytest.mark.parametrize("day", [date.min, date.max, date(2024, 2, 29)], ids=str)
@pytest.mark.parametrize("text", ["", '\0\n"\\', "é\u2028\U0010ffff", "x" * 300], ids=ascii)
def test_what_was_made_by_hand_can_be_restored(day: date, text: str) -> None:
    account = bankhook.Account(id=text, account_hash=text)
    connection = bankhook.Connection(
        id=text,
        error_code=text,
        error_message=text,
        bank=text,
        transactions_eligible_from_date=day,
        consent_expires_at=datetime.combine(day, time.max),
        accounts=[account],
    )
    customer = bankhook.ConnectedCustomer(
        id=text, external_id=text, connections_on=0, connections_off=2**64 - 1, connections=[connection]
    )
    opened = bankhook.BankConnectionsUpdateV2(
        event_type="create",
        connection=connection,
        customer=customer,
        shopping_hub_id=text,
        shopping_hub_external_id=text,
    )
    bought = transaction_update()
    for amount in (Decimal(0), Decimal(-(2**63)), Decimal("1E-38"), Decimal("7E+37")):
        made = bought.initial_transaction.replace(
            id=text + str(amount), amount=amount, transaction_date=day, date=datetime.combine(day, time.max, UTC)
        )
        tracker = Tracker()
        assert tracker.apply(opened).accepted
        assert tracker.apply(bought.replace(initial_transaction=made)).accepted
        assert Tracker.restore(tracker.snapshot()) == tracker


LATE = bankhook.connection_lifecycle.with_row("created", "create", "created", expected=False)


def test_snapshot_keeps_the_choices_and_lifecycles_are_given() -> None:
    chosen = Tracker(connection_lifecycle=LATE, status_from="status", take_create=True)
    restored = Tracker.restore(chosen.snapshot())
    assert (restored.status_from, restored.take_create) == ("status", True)
    assert restored.connection_lifecycle is bankhook.connection_lifecycle
    assert Tracker.restore(chosen.snapshot(), connection_lifecycle=LATE).connection_lifecycle is LATE
    assert chosen != Tracker()
    with pytest.raises(TypeError):
        Tracker.restore(Tracker().snapshot(), connection_lifecycle=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Tracker.restore(Tracker().snapshot(), connection_lifecycle=bankhook.transaction_lifecycle)  # type: ignore[arg-type]


def test_snapshot_of_the_first_version_is_refused() -> None:
    old = b'{"trackerSnapshot":1,"acceptLate":false,"unlist":true}\n{"checksum":1}\n'
    with pytest.raises(SnapshotError, match="of a version that this library reads"):
        Tracker.restore(old)


def test_damaged_snapshot_is_a_value_error() -> None:
    assert issubclass(SnapshotError, ValueError)
    whole = followed().snapshot()
    for damaged in (b"", b"x", whole[:-1], whole + b"x", b"something else entirely", whole[:40] + b"x" + whole[41:]):
        with pytest.raises(SnapshotError, match=r"^expected "):
            Tracker.restore(damaged)
    generator = random.Random(1)
    for _ in range(300):
        one_bit_off = bytearray(whole)
        one_bit_off[generator.randrange(len(whole))] ^= 1 << generator.randrange(8)
        with pytest.raises(SnapshotError):
            Tracker.restore(one_bit_off)


@pytest.mark.parametrize("wrong", ["text", 5, None, []])
def test_snapshot_of_no_bytes_is_a_type_error(wrong: object) -> None:
    with pytest.raises(TypeError, match="expected bytes"):
        Tracker.restore(wrong)  # type: ignore[arg-type]


def test_copies_and_pickles_are_equal_and_go_their_own_way() -> None:
    tracker = followed(5)
    chosen = Tracker(connection_lifecycle=LATE, take_create=True)
    for made in (copy.copy(tracker), copy.deepcopy(tracker), pickle.loads(pickle.dumps(tracker))):
        assert made == tracker
        made.apply(of_member("another", "it-9"))
        assert made != tracker
    for made in (copy.copy(chosen), pickle.loads(pickle.dumps(chosen))):
        assert made.connection_lifecycle is LATE
        assert made.take_create


def test_trackers_change_so_they_have_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(Tracker())
    assert Tracker() != "tracker"


def test_trackers_of_different_members_merge() -> None:
    one, other, both = Tracker(), Tracker(), Tracker()
    for i in range(50):
        for member, tracker in (("one", one), ("other", other)):
            event = of_member(f"{member}-{i % 5}", f"{member}-{i}")
            tracker.apply(event)
            both.apply(event)
    one.merge(other)
    assert one == both
    with pytest.raises(MergeError, match="found a member in both"):
        one.merge(other)
    assert one == both


def test_threads_share_a_tracker() -> None:
    tracker = Tracker()

    def work(number: int) -> None:
        for i in range(200):
            tracker.apply(of_member(f"m{number}", f"it-{number}-{i}"))
            tracker.transactions(f"m{number}")
            tracker.peek(of_member("m0", "it-0-0"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tracker.transactions()) == 800


@pytest.mark.parametrize(
    "attempt",
    [
        "object.__new__(Tracker)",
        "type('Other', (Tracker,), {})",
        "TrackedMember.__new__(TrackedMember)",
        "Tracker().member('\\ud800')",
        "JointAccounts().canonical('\\ud800')",
    ],
)
def test_hostile_calls_end_in_an_exception(attempt: str) -> None:
    program = f"import bankhook\nfrom bankhook import *\nprint({attempt})"
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, env=environment)
    assert done.returncode == 1, done.stderr


def test_no_way_of_making_one_gives_half_a_tracker() -> None:
    tracker = Tracker.__new__(Tracker)
    assert tracker == Tracker()
    tracker.apply(transaction_update())
    Tracker.__init__(tracker)
    assert len(tracker) == 1
    ids = _core.JointAccountIds
    assert len(ids.__new__(ids)) == 0
