# SPDX-License-Identifier: MIT
"""Tracker.diff: what is different in another tracker, and nothing where both give back the same."""

from __future__ import annotations

import collections
import contextlib
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import Sandbox, Tracker
from bankhook.types import ChangeKind, ChangeSubject


def received(sandbox: Sandbox, count: int) -> Tracker:
    """What a consumer holds that takes whatever is an event."""
    tracker = Tracker()
    for delivery in sandbox.deliveries(count):
        with contextlib.suppress(bankhook.ParseError):
            tracker.apply(bankhook.parse(delivery.payload))
    return tracker


def state_of(tracker: Tracker) -> dict[str, Any]:
    """All that the queries give back, by id, of whatever members; the ids of a transaction's member are the member's matter."""
    found = collections.defaultdict[str, list[Any]](list)
    for member in tracker.members():
        found[member.customer.id].append(member)
    for connection in tracker.connections():
        found[connection.connection.id].append(connection)
    for one in tracker.transactions():
        found[one.initial_transaction.id].append((one.initial_transaction, one.state, one.customer.id))
    return dict(found)


def about(change: bankhook.types.Change) -> str:
    """The member, connection or transaction whose state a change is part of."""
    return str(change.parent_id if change.subject is ChangeSubject.ACCOUNT else change.id)


@pytest.mark.parametrize("faults", [{}, {"drop": 0.05}, {"truncate": 0.2}, {"mutate": 0.1}, {"future": 0.1}])
def test_differences_are_of_exactly_those_ids_that_queries_give_back_differently(faults: dict[str, float]) -> None:
    sandbox = Sandbox(seed=21, members=20, faults=faults)
    held = received(sandbox, 1_500)
    truth = sandbox.truth()
    left, right = state_of(truth), state_of(held)
    differing = {key for key in left.keys() | right.keys() if left.get(key) != right.get(key)}
    assert {about(change) for change in truth.diff(held)} == differing
    assert {about(change) for change in held.diff(truth)} == differing
    assert bool(differing) == bool(faults)


def test_before_is_the_value_here_and_after_the_one_there() -> None:
    sandbox, tracker = Sandbox(seed=1), Tracker()
    created = sandbox.send_initial_transaction(sandbox.member(0))
    tracker.apply(created.replace(initial_transaction=created.initial_transaction.replace(amount=Decimal("19.90"))))
    (change,) = tracker.diff(sandbox.truth())
    assert (change.kind, change.subject) == (ChangeKind.CHANGED, ChangeSubject.TRANSACTION)
    assert (change.id, change.parent_id, change.field) == (created.initial_transaction.id, created.customer.id, "amount")
    assert (change.before, change.after, change.before_wire) == (
        Decimal("19.90"),
        created.initial_transaction.amount,
        "19.90",
    )


def test_a_transaction_that_was_lost_is_missing_there_and_added_here() -> None:
    sandbox = Sandbox(seed=1)
    created = sandbox.send_initial_transaction(sandbox.member(0))
    truth = sandbox.truth()
    assert [one.label for one in truth.diff(Tracker())] == ["member_missing", "transaction_missing"]
    added = Tracker().diff(truth)
    assert [(one.kind, one.subject, one.id) for one in added] == [
        (ChangeKind.ADDED, ChangeSubject.MEMBER, created.customer.id),
        (ChangeKind.ADDED, ChangeSubject.TRANSACTION, created.initial_transaction.id),
    ]
    assert added[1].after == "created"


def test_the_order_is_that_of_members_each_with_its_connections_and_transactions_by_id() -> None:
    sandbox = Sandbox(seed=4, members=30)
    changes = Tracker().diff(received(sandbox, 500))
    subjects = [ChangeSubject.MEMBER, ChangeSubject.CONNECTION, ChangeSubject.TRANSACTION]
    found = [
        (change.parent_id or change.id, subjects.index(change.subject), change.id)
        for change in changes
        if change.kind is ChangeKind.ADDED and change.subject in subjects
    ]
    assert found == sorted(found)
    assert len(found) > 50


def test_changes_outlive_both_trackers() -> None:
    sandbox = Sandbox(seed=4)
    held, truth = Tracker(), received(sandbox, 100)
    changes = held.diff(truth)
    before = repr(changes)
    del held, truth
    assert repr(changes) == before


def test_only_a_tracker_can_be_compared() -> None:
    with pytest.raises(TypeError, match=r"Tracker.diff: expected Tracker, found bytes"):
        Tracker().diff(b"")  # type: ignore[arg-type]
