# SPDX-License-Identifier: MIT
"""Everything drawn keeps the rules that were asked for, comes back from JSON, and shrinks to little."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.strategies import SearchStrategy

import bankhook
from bankhook import (
    ABSENT,
    BankConnectionsUpdateV2,
    ConnectionEventType,
    Evidence,
    InitialTransactionUpdate,
    TransactionStatus,
)
from bankhook.testing import samples, strategies

pytestmark = pytest.mark.slow

T = TypeVar("T")
Event: TypeAlias = BankConnectionsUpdateV2 | InitialTransactionUpdate

# The same examples in every run, nothing kept, and no clock.
drawing = settings(
    derandomize=True, database=None, deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow]
)
health_checks: Any = list(HealthCheck)  # its metaclass leaves out those that are deprecated
finding = settings(drawing, max_examples=5000, suppress_health_check=health_checks, phases=[Phase.generate, Phase.shrink])


def is_drawn(strategy: SearchStrategy[T], condition: Callable[[T], bool]) -> bool:
    """Whether there is an example, of whatever size."""
    find(strategy, condition, settings=settings(finding, phases=[Phase.generate]))
    return True


def smallest(strategy: SearchStrategy[T], condition: Callable[[T], bool]) -> T:
    """The example that a failing test would show; it is not explained, which takes longest."""
    return find(strategy, condition, settings=finding)


def broken(event: Event) -> set[str]:
    return {one.rule for one in bankhook.check(event)}


@drawing
@given(strategies.events())
def test_check_finds_nothing_in_an_event(event: Event) -> None:
    assert bankhook.check(event) == ()


@drawing
@given(strategies.events(keep_rules=Evidence.STATED))
def test_no_rule_that_is_stated_is_broken_where_those_are_kept(event: Event) -> None:
    assert Evidence.STATED not in {one.evidence for one in bankhook.check(event)}


@drawing
@given(strategies.events(keep_rules=Evidence.EXAMPLE))
def test_where_examples_are_kept_only_what_is_assumed_is_broken(event: Event) -> None:
    assert {one.evidence for one in bankhook.check(event)} <= {Evidence.ASSUMED}


@drawing
@given(strategies.events() | strategies.events(keep_rules=False))
def test_every_event_comes_back_from_its_json(event: Event) -> None:
    read = bankhook.parse(event.to_json())
    assert read == event
    assert read.to_json() == event.to_json()


@drawing
@given(strategies.payloads())
def test_diagnose_finds_nothing_in_a_payload(payload: bytes) -> None:
    assert bankhook.diagnose(payload) == ()
    assert bankhook.parse(payload, strict=True).to_json() == payload


@drawing
@given(strategies.bank_connections_updates())
def test_the_counts_do_not_exceed_the_connections_and_each_is_there_once(event: BankConnectionsUpdateV2) -> None:
    """Spec 2.1: connections[] are all connections of the member, the counts count them."""
    customer = event.customer
    assert customer.connections_on + customer.connections_off <= len(customer.connections)
    ids = [connection.id for connection in customer.connections]
    assert len(ids) == len(set(ids))
    assert all(one == event.connection for one in customer.connections if one.id == event.connection.id)


@pytest.mark.parametrize("event_type", [*ConnectionEventType, *TransactionStatus])
def test_one_type_can_be_asked_for(event_type: str) -> None:
    is_status = isinstance(event_type, TransactionStatus)
    events = strategies.initial_transaction_updates if is_status else strategies.bank_connections_updates

    @drawing
    @given(events(event_type=event_type))
    def only_these(event: Event) -> None:
        assert event.event_type == event_type

    only_these()


# What each freedom is there for, found and found to be small: the most that may be kept where a rule is to be broken.
FREEDOM: dict[Evidence, bool | Evidence] = {
    Evidence.STATED: False,
    Evidence.EXAMPLE: Evidence.STATED,
    Evidence.ASSUMED: Evidence.EXAMPLE,
}
BREAKABLE = {
    finding.rule: finding.evidence
    for sample in samples.rule_breaking()
    for finding in bankhook.check(bankhook.parse(sample.payload))
    if finding.rule != "event_is_listed"
}


@pytest.mark.parametrize(("rule", "evidence"), sorted(BREAKABLE.items()))
def test_a_rule_that_is_not_kept_gets_broken(rule: str, evidence: Evidence) -> None:
    assert is_drawn(strategies.events(keep_rules=FREEDOM[evidence]), lambda event: rule in broken(event))


@pytest.mark.parametrize("evidence", FREEDOM)
def test_a_rule_that_is_not_kept_gets_broken_mostly_alone(evidence: Evidence) -> None:
    rule = next(rule for rule, by in sorted(BREAKABLE.items()) if by == evidence)
    event = smallest(strategies.events(keep_rules=FREEDOM[evidence]), lambda event: rule in broken(event))
    assert len(event.to_json()) < 700
    assert len(broken(event)) <= 2


def test_the_smallest_transaction_update_is_readable() -> None:
    assert smallest(strategies.initial_transaction_updates(), lambda event: True).to_json() == (
        b'{"event":"initial_transaction_update","eventType":"created","customer":{"id":"member-0","externalId":"customer-0"},'
        b'"initialTransaction":{"id":"purchase-0","amount":0.00,"storeExternalId":"store-0","status":"created",'
        b'"rejectionReason":null,"transactionDate":"2000-01-01","transactionId":null,"date":"2000-01-01T00:00:00Z"}}'
    )


def test_the_smallest_connections_update_is_readable() -> None:
    event = smallest(strategies.bank_connections_updates(), lambda event: True)
    assert event.customer.connections == (event.connection,)
    assert event.connection.to_json() == (
        b'{"id":"connection-0","errorCode":null,"errorMessage":null,"bank":"bank-0",'
        b'"transactionsEligibleFromDate":"2000-01-01","accounts":[]}'
    )
    assert (event.customer.id, event.shopping_hub_id) == ("member-0", "programme-0")


def test_a_report_shows_the_smallest_event_itself() -> None:
    """With all phases: explaining a failure tries other values, and must not come upon a shorter example."""

    @settings(drawing, report_multiple_bugs=False)
    @given(event=strategies.initial_transaction_updates())
    def fails(event: InitialTransactionUpdate) -> None:
        assert event.event_type != TransactionStatus.REJECTED

    with pytest.raises(AssertionError) as caught:
        fails()
    report = "\n".join(caught.value.__notes__)
    assert "event=InitialTransactionUpdate(event_type=TransactionStatus.REJECTED," in "".join(report.split())
    for member in ("'purchase-0'", "Decimal('0.00')", "'store-0'", "datetime.date(2000, 1, 1)", "'member-0'"):
        assert member in report


def test_a_failure_shrinks_to_what_it_is_about() -> None:
    def has_joint_account(event: BankConnectionsUpdateV2) -> bool:
        hashes = [account.account_hash for connection in event.customer.connections for account in connection.accounts]
        return any(one is not None and hashes.count(one) > 1 for one in hashes)

    event = smallest(strategies.bank_connections_updates(), has_joint_account)
    accounts = [account for connection in event.customer.connections for account in connection.accounts]
    assert [account.account_hash for account in accounts] == ["hash-0", "hash-0"]
    assert {account.id for account in accounts} <= {"account-0", "account-1"}


def test_what_the_specification_does_not_forbid_is_drawn() -> None:
    """Text may be empty, an amount negative, a deleted connection gone or still listed, a member without an id of ours."""
    updates = strategies.initial_transaction_updates()
    connections = strategies.bank_connections_updates(event_type="delete")
    assert is_drawn(updates, lambda event: event.customer.id == "")
    assert is_drawn(updates, lambda event: event.initial_transaction.amount < 0)
    assert is_drawn(updates, lambda event: event.initial_transaction.place_id is not ABSENT)
    assert is_drawn(updates, lambda event: event.initial_transaction.transaction_id is not None)
    assert is_drawn(connections, lambda event: event.connection in event.customer.connections)
    assert is_drawn(connections, lambda event: event.connection not in event.customer.connections)
    assert is_drawn(connections, lambda event: event.connection.consent_expires_at is not ABSENT)


def test_a_type_that_is_not_listed_is_drawn_only_where_rules_are_free() -> None:
    with pytest.raises(ValueError, match="event_type: expected one of created, validated, rejected"):
        strategies.initial_transaction_updates(event_type="paused")
    free = strategies.initial_transaction_updates(event_type="paused", keep_rules=False)
    assert smallest(free, lambda event: True).event_type == "paused"


def test_another_way_to_keep_rules_is_rejected() -> None:
    with pytest.raises(TypeError, match="keep_rules: expected bool or Evidence, found str"):
        strategies.events(keep_rules="stated")  # type: ignore[arg-type]


def test_without_hypothesis_the_extra_is_named() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import bankhook.testing.strategies"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert said.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: bankhook.testing.strategies needs Hypothesis: pip install 'bankhook[hypothesis]'"
    )
