# SPDX-License-Identifier: MIT
"""A pytest plugin for tests of a consumer: an event and a payload of each kind, a sandbox, and deliveries with faults.

    def test_a_connection_is_stored(bank_connections_update_v2: bankhook.BankConnectionsUpdateV2) -> None: ...

    @pytest.mark.bankhook(seed=7, members=3)
    def test_a_life_of_a_purchase(bankhook_sandbox: bankhook.Sandbox) -> None: ...

It is active wherever bankhook and pytest are installed, offers fixtures and the mark `bankhook`, and does nothing else.
`-p no:bankhook` leaves it out; a fixture of the same name in a conftest.py or a test module wins.
"""

from __future__ import annotations

from typing import Any

import pytest

import bankhook
from bankhook import BankConnectionsUpdateV2, InitialTransactionUpdate, Sandbox
from bankhook.sandbox import Delivery

__all__ = [
    "bank_connections_payload",
    "bank_connections_update_v2",
    "bankhook_sandbox",
    "faulty_deliveries",
    "initial_transaction_payload",
    "initial_transaction_update",
]


def pytest_configure(config: pytest.Config) -> None:
    """Registers the mark."""
    config.addinivalue_line(
        "markers",
        "bankhook(*, seed, members, faults, deliveries, ...): how the fixtures bankhook_sandbox and faulty_deliveries are made: "
        "the arguments of bankhook.Sandbox, and the number of deliveries.",
    )


@pytest.fixture
def bank_connections_payload() -> bytes:
    """A payload of bank_connections_update_v2: a connection was updated, it has two accounts, one of them with a hash."""
    from bankhook.testing import samples

    return samples.get("connection_updated_with_accounts").payload


@pytest.fixture
def initial_transaction_payload() -> bytes:
    """A payload of initial_transaction_update: a purchase was validated, and matched with a transaction."""
    from bankhook.testing import samples

    return samples.get("transaction_validated").payload


@pytest.fixture
def bank_connections_update_v2(bank_connections_payload: bytes) -> BankConnectionsUpdateV2:
    """The event of bank_connections_payload; `.replace(...)` makes others from it."""
    return BankConnectionsUpdateV2.from_json(bank_connections_payload)


@pytest.fixture
def initial_transaction_update(initial_transaction_payload: bytes) -> InitialTransactionUpdate:
    """The event of initial_transaction_payload; `.replace(...)` makes others from it."""
    return InitialTransactionUpdate.from_json(initial_transaction_payload)


@pytest.fixture
def bankhook_sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """A simulated service, new in each test: seed 0 and no faults, unless `@pytest.mark.bankhook(...)` changes them."""
    options = _options(request)
    options.pop("deliveries", None)
    return bankhook.Sandbox(**options)


@pytest.fixture
def faulty_deliveries(request: pytest.FixtureRequest) -> tuple[Delivery, ...]:
    """500 deliveries with every kind of fault, each labelled: late, repeated, missing, cut, changed and unknown ones.

    Three of ten events get a fault; `@pytest.mark.bankhook(faults=..., deliveries=..., seed=...)` says otherwise.
    """
    options: dict[str, Any] = {"faults": 0.05, "deliveries": 500, **_options(request)}
    count = options.pop("deliveries")
    return tuple(bankhook.Sandbox(**options).deliveries(count))


def _options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The arguments of all marks of the test; those of the closest win."""
    options: dict[str, Any] = {}
    for mark in request.node.iter_markers("bankhook"):
        if mark.args:
            raise TypeError("pytest.mark.bankhook takes its arguments by keyword")
        options = {**mark.kwargs, **options}
    return options
