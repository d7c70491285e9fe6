# SPDX-License-Identifier: MIT
"""The events of one transaction and of one connection of a member, from which tests of cases make others."""

from __future__ import annotations

from typing import Any

import bankhook

__all__ = [
    "CONNECTED",
    "CREATED",
    "FAILED",
    "KEY",
    "OTHER",
    "RECOVERED",
    "REJECTED",
    "SANDBOX",
    "VALIDATED",
    "became",
    "changed",
]

SANDBOX = bankhook.Sandbox(seed=1, members=1)
CREATED = SANDBOX.send_initial_transaction(SANDBOX.member(0))
KEY = CREATED.initial_transaction.id
VALIDATED = SANDBOX.validate(KEY)
CONNECTED = SANDBOX.create_connection(SANDBOX.member(0))
FAILED = SANDBOX.desynchronise(CONNECTED.connection.id)
RECOVERED = SANDBOX.resynchronise(FAILED)
OTHER = SANDBOX.create_connection(SANDBOX.member(0))


def changed(event: bankhook.InitialTransactionUpdate, **changes: Any) -> bankhook.InitialTransactionUpdate:
    return event.replace(initial_transaction=event.initial_transaction.replace(**changes))


def became(status: str, **changes: Any) -> bankhook.InitialTransactionUpdate:
    return changed(VALIDATED.replace(event_type=status), status=status, **changes)


REJECTED = became("rejected", rejection_reason="purchaseNotFound", transaction_id=None)
