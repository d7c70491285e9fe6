# SPDX-License-Identifier: MIT
"""Single events of a sandbox by name: each event type, and each operation that gives the same type in another way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bankhook import BankConnectionsUpdateV2, Customer, InitialTransactionUpdate, RejectionReason, Sandbox

SandboxEvent: TypeAlias = BankConnectionsUpdateV2 | InitialTransactionUpdate
_OF_EMISSIONS = 1 << 63
"""What the seed of emissions differs in from the seed of a history."""


def emitting_sandbox(seed: int, members: int) -> Sandbox:
    """Return a sandbox in which each emission is possible: a new connection has room for accounts.

    Its ids are not those of the history with the same seed: a receiver that knows both would see one contradict the other.
    """
    return Sandbox(seed ^ _OF_EMISSIONS, members, accounts_at_creation="none")


def _connected(sandbox: Sandbox, member: Customer) -> BankConnectionsUpdateV2:
    """A connection that has accounts."""
    return sandbox.create_accounts(sandbox.create_connection(member))


EMISSIONS: dict[str, Callable[[Sandbox, Customer], SandboxEvent]] = {
    "created": Sandbox.send_initial_transaction,
    "validated": lambda sandbox, member: sandbox.validate(sandbox.send_initial_transaction(member)),
    "rejected": lambda sandbox, member: sandbox.reject(
        sandbox.send_initial_transaction(member), RejectionReason.PURCHASE_NOT_FOUND
    ),
    "create": Sandbox.create_connection,
    "update": _connected,
    "delete": lambda sandbox, member: sandbox.delete_connection(_connected(sandbox, member)),
    "update_accounts": lambda sandbox, member: sandbox.update_accounts(_connected(sandbox, member)),
    "desynchronise": lambda sandbox, member: sandbox.desynchronise(_connected(sandbox, member)),
    "resynchronise": lambda sandbox, member: sandbox.resynchronise(sandbox.desynchronise(_connected(sandbox, member))),
    "disable": lambda sandbox, member: sandbox.disable(_connected(sandbox, member)),
}
"""The first six are the event types of both events."""
