# SPDX-License-Identifier: MIT
"""What calls of `bankhook` give back, for annotations and comparisons, and the rows of which a lifecycle is made."""

from __future__ import annotations

from bankhook._archive import LineFindings, LinesReport, ParsedLines, Rejected
from bankhook._core import (
    ChangeKind,
    ChangeSubject,
    ConnectionState,
    ConnectionTrigger,
    Membership,
    Selector,
    Severity,
    StateBefore,
    TrackedConnection,
    TrackedMember,
    TrackedTransaction,
    TransactionTrigger,
)
from bankhook._handlers import Handled
from bankhook._records.absent import Absent
from bankhook._records.errors import MergeError, SnapshotError
from bankhook._records.fields import Field
from bankhook._records.findings import Finding, Findings, Rule
from bankhook._records.lifecycles import Lifecycle
from bankhook._records.lines import AppliedLines, LineOutcome, VerdictCount
from bankhook._records.timeline import Timeline
from bankhook._records.tracking import Change, Outcome
from bankhook._records.transitions import FinalState, Step, Transition
from bankhook._tables import Table, Tables, TrackedTables

__all__ = [
    "Absent",
    "AppliedLines",
    "Change",
    "ChangeKind",
    "ChangeSubject",
    "ConnectionState",
    "ConnectionTrigger",
    "Field",
    "FinalState",
    "Finding",
    "Findings",
    "Handled",
    "Lifecycle",
    "LineFindings",
    "LineOutcome",
    "LinesReport",
    "Membership",
    "MergeError",
    "Outcome",
    "ParsedLines",
    "Rejected",
    "Rule",
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
    "TransactionTrigger",
    "Transition",
    "VerdictCount",
]

__dir__ = __all__.copy
