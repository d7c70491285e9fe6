# SPDX-License-Identifier: MIT
"""Typed, checked values for the two webhook events of a bank-connection and purchase-tracking service."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bankhook import _core
from bankhook._core import (
    Account,
    AnyEvent,
    BankConnectionsUpdateV2,
    ChangeKind,
    ChangeSubject,
    ConnectedCustomer,
    Connection,
    ConnectionEventType,
    ConnectionState,
    ConnectionTrigger,
    Customer,
    DetectedBy,
    Evidence,
    FaultKind,
    InitialTransaction,
    InitialTransactionUpdate,
    Membership,
    RejectionReason,
    Selector,
    Severity,
    StateBefore,
    TrackedConnection,
    TrackedMember,
    TrackedTransaction,
    Tracker,
    TransactionStatus,
    TransactionTrigger,
    UnknownEvent,
    Verdict,
    __version__,
    asyncapi,
    check,
    connection_lifecycle,
    diagnose,
    explain,
    fields,
    is_clean,
    json_schema,
    parse,
    place_id_name,
    salvage,
    select,
    set_place_id_name,
    transaction_lifecycle,
)
from bankhook._paths import get_cmake_dir, get_include
from bankhook._records.absent import ABSENT, Absent
from bankhook._records.deliveries import Choice, Delivery, Fault, Faults
from bankhook._records.errors import BankhookError, MergeError, ParseError, SandboxError, SnapshotError
from bankhook._records.fields import Field
from bankhook._records.findings import Finding, Findings, Rule
from bankhook._records.lifecycles import Lifecycle
from bankhook._records.lines import AppliedLines, LineOutcome, VerdictCount
from bankhook._records.salvaged import Salvaged
from bankhook._records.timeline import Timeline
from bankhook._records.tracking import Change, Outcome
from bankhook._records.transitions import FinalState, Step, Transition
from bankhook.archive import LineFindings, LinesReport, ParsedLines, Rejected, diagnose_lines, parse_lines
from bankhook.tracking import JointAccounts

if TYPE_CHECKING:
    from bankhook._core import rules
    from bankhook.columns import Table, Tables, TrackedTables, tables
    from bankhook.handlers import Handled, HandlerContext, Handlers
    from bankhook.sandbox import Sandbox

__all__ = [
    "ABSENT",
    "Absent",
    "Account",
    "AnyEvent",
    "AppliedLines",
    "BankConnectionsUpdateV2",
    "BankhookError",
    "Change",
    "ChangeKind",
    "ChangeSubject",
    "Choice",
    "ConnectedCustomer",
    "Connection",
    "ConnectionEventType",
    "ConnectionState",
    "ConnectionTrigger",
    "Customer",
    "Delivery",
    "DetectedBy",
    "Evidence",
    "Fault",
    "FaultKind",
    "Faults",
    "Field",
    "FinalState",
    "Finding",
    "Findings",
    "Handled",
    "HandlerContext",
    "Handlers",
    "InitialTransaction",
    "InitialTransactionUpdate",
    "JointAccounts",
    "Lifecycle",
    "LineFindings",
    "LineOutcome",
    "LinesReport",
    "Membership",
    "MergeError",
    "Outcome",
    "ParseError",
    "ParsedLines",
    "Rejected",
    "RejectionReason",
    "Rule",
    "Salvaged",
    "Sandbox",
    "SandboxError",
    "Selector",
    "Severity",
    "SnapshotError",
    "StateBefore",
    "Step",
    "Table",
    "Tables",
    "Timeline",
    "TrackedConnection",
    "TrackedMember",
    "TrackedTables",
    "TrackedTransaction",
    "Tracker",
    "TransactionStatus",
    "TransactionTrigger",
    "Transition",
    "UnknownEvent",
    "Verdict",
    "VerdictCount",
    "__version__",
    "asyncapi",
    "check",
    "connection_lifecycle",
    "diagnose",
    "diagnose_lines",
    "explain",
    "fields",
    "get_cmake_dir",
    "get_include",
    "is_clean",
    "json_schema",
    "parse",
    "parse_lines",
    "place_id_name",
    "rules",
    "salvage",
    "select",
    "set_place_id_name",
    "tables",
    "transaction_lifecycle",
]

# Checkers know the names from above: with this function they would take any other, too.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Give the `rules` of now, which `set_place_id_name` makes again; load what is not needed by everybody."""
        if name == "rules":
            return _core.rules
        if name in ("Handled", "HandlerContext", "Handlers"):
            from bankhook import handlers

            return getattr(handlers, name)
        if name in ("Table", "Tables", "TrackedTables", "tables"):
            from bankhook import columns

            return getattr(columns, name)
        if name == "Sandbox":
            from bankhook.sandbox import Sandbox

            return Sandbox
        raise AttributeError(f"module 'bankhook' has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
