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
    FaultKind,
    InitialTransaction,
    InitialTransactionUpdate,
    RejectionReason,
    Selector,
    Sign,
    TransactionStatus,
    TransactionTrigger,
    UnknownEvent,
    Verdict,
    __version__,
    connection_lifecycle,
    parse,
    select,
    transaction_lifecycle,
)
from bankhook._deliveries import Choice, Delivery, Fault, Faults, Refusal
from bankhook._lifecycles import Edge, Final, Lifecycle, Step
from bankhook._paths import get_cmake_dir, get_include
from bankhook._sandbox import Sandbox
from bankhook._schema import asyncapi, json_schema
from bankhook._values import ABSENT, Absent, Finding, ParseError

__all__ = [
    "ABSENT",
    "Absent",
    "Account",
    "AnyEvent",
    "BankConnectionsUpdateV2",
    "Choice",
    "ConnectedCustomer",
    "Connection",
    "ConnectionEventType",
    "ConnectionState",
    "Customer",
    "Delivery",
    "Edge",
    "Evidence",
    "Fault",
    "FaultKind",
    "Faults",
    "Final",
    "Finding",
    "InitialTransaction",
    "InitialTransactionUpdate",
    "Lifecycle",
    "ParseError",
    "Refusal",
    "RejectionReason",
    "Sandbox",
    "Selector",
    "Sign",
    "Step",
    "TransactionStatus",
    "TransactionTrigger",
    "UnknownEvent",
    "Verdict",
    "__version__",
    "asyncapi",
    "connection_lifecycle",
    "get_cmake_dir",
    "get_include",
    "json_schema",
    "parse",
    "select",
    "transaction_lifecycle",
]
