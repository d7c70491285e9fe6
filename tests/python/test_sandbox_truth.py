# SPDX-License-Identifier: MIT
"""Sandbox.truth is what a consumer holds that got every event once, in order and unharmed."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from decimal import Decimal

import pytest

import bankhook
from bankhook import Sandbox, Tracker
from bankhook.sandbox import Faults

FAULTY = Faults(duplicate=0.05, reorder=0.05, drop=0.05, truncate=0.05, mutate=0.05, future=0.05)


def perfect(events: int, seed: int = 11, members: int = 100) -> Tracker:
    """What a consumer holds that got the first events of a history; the sandbox is another one, without faults."""
    tracker = Tracker()
    for delivery in Sandbox(seed=seed, members=members).deliveries(events):
        tracker.apply(bankhook.parse(delivery.original))
    return tracker


@pytest.mark.parametrize("faults", [None, FAULTY, Faults(drop=0.9), Faults(reorder=1.0), Faults(truncate=0.5)])
def test_faults_change_nothing_about_the_truth(faults: Faults | None) -> None:
    sandbox = Sandbox(seed=11, faults=faults, members=20, lateness=20)
    for _ in sandbox.deliveries(1_000):
        pass
    truth = sandbox.truth()
    assert isinstance(truth, Tracker)
    assert truth == perfect(sandbox.event_count, members=20)
    assert len(truth) == 20


def test_an_event_that_was_emitted_and_not_delivered_counts() -> None:
    sandbox, received = Sandbox(seed=11, faults={"drop": 0.9}), Tracker()
    for delivery in sandbox.deliveries(20):
        received.apply(bankhook.parse(delivery.payload))
    assert sandbox.event_count > 100
    assert sandbox.truth() == perfect(sandbox.event_count) != received


def test_a_consumer_without_faults_holds_the_truth_after_every_delivery() -> None:
    sandbox, tracker = Sandbox(seed=3, members=5), Tracker()
    assert sandbox.truth() == tracker
    for delivery in sandbox.deliveries(300):
        tracker.apply(bankhook.parse(delivery.payload))
        assert sandbox.truth() == tracker


def run_operations(sandbox: Sandbox) -> list[bankhook.AnyEvent]:
    """Every operation once, and some that are refused."""
    member = sandbox.member(0)
    created = sandbox.create_connection(member)
    with pytest.raises(bankhook.sandbox.SandboxError):
        sandbox.resynchronise(created)
    with pytest.raises(bankhook.sandbox.SandboxError):
        sandbox.create_connection("nobody")
    bank = (sandbox.create_accounts, sandbox.update_accounts, sandbox.desynchronise, sandbox.resynchronise)
    events: list[bankhook.AnyEvent] = [created, *(operation(created) for operation in bank)]
    events += [sandbox.delete_connection(created), other := sandbox.create_connection(member), sandbox.disable(other)]
    submit: Callable[[], bankhook.InitialTransactionUpdate] = lambda: sandbox.send_initial_transaction(member)  # noqa: E731
    first, second = submit(), submit()
    bought = sandbox.send_initial_transaction(
        member, amount=Decimal("19.90"), transaction_date=first.initial_transaction.transaction_date, store_external_id="s"
    )
    with pytest.raises(TypeError):
        sandbox.send_initial_transaction(member, amount=Decimal(1))
    return [*events, first, second, bought, sandbox.validate(first), sandbox.reject(second, "purchaseNotFound")]


def test_operations_count_in_their_place_between_the_events_of_a_history() -> None:
    sandbox, tracker = Sandbox(seed=5, members=3, faults=FAULTY), Tracker()
    clean = Sandbox(seed=5, members=3)
    for _ in range(4):
        before = sandbox.event_count
        for _ in sandbox.deliveries(50):
            pass
        for delivery in clean.deliveries(sandbox.event_count - before):
            tracker.apply(bankhook.parse(delivery.payload))
        events = run_operations(sandbox)
        assert events == run_operations(clean)
        for event in events:
            tracker.apply(event)
        assert sandbox.truth() == tracker
    fresh = Sandbox(seed=5, members=3, faults=FAULTY)
    for _ in range(4):
        for _ in fresh.deliveries(50):
            pass
        run_operations(fresh)
    assert fresh.truth() == tracker


def test_asking_for_the_truth_changes_nothing_that_is_delivered() -> None:
    asked, left_alone = (Sandbox(seed=8, faults=FAULTY) for _ in range(2))
    for one, other in itertools.islice(zip(asked.deliveries(), left_alone.deliveries(), strict=True), 500):
        assert one == other
        if one.number % 50 == 0:
            asked.truth()


def test_the_truth_is_the_callers() -> None:
    sandbox = Sandbox(seed=2)
    list(sandbox.deliveries(100))
    truth = sandbox.truth()
    truth.apply(Sandbox(seed=9).send_initial_transaction(Sandbox(seed=9).member(0)))
    assert sandbox.truth() == perfect(100, seed=2) != truth


def test_the_truth_of_a_copy_goes_its_own_way() -> None:
    sandbox = Sandbox(seed=2)
    list(sandbox.deliveries(100))
    sandbox.create_connection(sandbox.member(0))
    asked_before = copy.copy(sandbox)
    sandbox.truth()
    copied = copy.deepcopy(sandbox)
    for one in (asked_before, copied):
        list(one.deliveries(50))
        one.create_connection(one.member(1))
    assert asked_before.truth() == copied.truth() != sandbox.truth()


def test_choices_and_sizes_hold_for_the_truth_too() -> None:
    sizes = {"programmes": 2, "connections": 1, "accounts": 2, "transactions": 5, "members": 7}
    choices = {choice.name: choice.values[-1] for choice in Sandbox.choices}
    sandbox, clean, tracker = Sandbox(4, faults=0.1, **sizes, **choices), Sandbox(4, **sizes, **choices), Tracker()  # type: ignore[arg-type]
    list(sandbox.deliveries(500))
    for delivery in clean.deliveries(sandbox.event_count):
        tracker.apply(bankhook.parse(delivery.payload))
    assert sandbox.truth() == tracker
