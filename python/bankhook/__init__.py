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
    Customer,
    Evidence,
    InitialTransaction,
    InitialTransactionUpdate,
    RejectionReason,
    TransactionStatus,
    UnknownEvent,
    Verdict,
    __version__,
    parse,
)
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
    "Customer",
    "Evidence",
    "Finding",
    "InitialTransaction",
    "InitialTransactionUpdate",
    "ParseError",
    "RejectionReason",
    "TransactionStatus",
    "UnknownEvent",
    "Verdict",
    "__version__",
    "get_cmake_dir",
    "get_include",
    "parse",
]
