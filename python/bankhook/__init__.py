# SPDX-License-Identifier: MIT
"""Typed, checked values for the two webhook events of a bank-connection and purchase-tracking service."""

from __future__ import annotations

from bankhook._core import (
    Account,
    AnyEvent,
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    Connection,
    ConnectionEventType,
    ConnectionState,
    Customer,
    Evidence,
    InitialTransaction,
    InitialTransactionUpdate,
    RejectionReason,
    TransactionStatus,
    TransactionTrigger,
    UnknownEvent,
    Verdict,
    __version__,
    connection_lifecycle,
    parse,
    transaction_lifecycle,
)
from bankhook._lifecycles import Edge, Final, Lifecycle, Step
from bankhook._paths import get_cmake_dir, get_include
from bankhook._values import ABSENT, Absent, Finding, ParseError

__all__ = [
    "ABSENT",
    "Absent",
    "Account",
    "AnyEvent",
    "BankConnectionsUpdateV2",
    "ConnectedCustomer",
    "Connection",
    "ConnectionEventType",
    "ConnectionState",
    "Customer",
    "Edge",
    "Evidence",
    "Final",
    "Finding",
    "InitialTransaction",
    "InitialTransactionUpdate",
    "Lifecycle",
    "ParseError",
    "RejectionReason",
    "Step",
    "TransactionStatus",
    "TransactionTrigger",
    "UnknownEvent",
    "Verdict",
    "__version__",
    "connection_lifecycle",
    "get_cmake_dir",
    "get_include",
    "parse",
    "transaction_lifecycle",
]
