# SPDX-License-Identifier: MIT
"""Plain data that the compiled module makes and takes; at run time this imports nothing else from the package."""

from __future__ import annotations

from bankhook._records.absent import ABSENT, Absent
from bankhook._records.deliveries import Choice, Delivery, Fault, Faults
from bankhook._records.display import Printer, html, named_values, pretty
from bankhook._records.drawing import Drawing
from bankhook._records.errors import BankhookError, MergeError, ParseError, SandboxError, SnapshotError
from bankhook._records.fields import Field
from bankhook._records.findings import Finding, Findings, Rule
from bankhook._records.lifecycles import Lifecycle
from bankhook._records.lines import AppliedLines, LineOutcome, Source, VerdictCount
from bankhook._records.record import LateSignature
from bankhook._records.salvaged import Salvaged
from bankhook._records.timeline import Timeline
from bankhook._records.tracking import Change, Outcome
from bankhook._records.transitions import FinalState, Step, Transition

__all__ = [
    "ABSENT",
    "Absent",
    "AppliedLines",
    "BankhookError",
    "Change",
    "Choice",
    "Delivery",
    "Drawing",
    "Fault",
    "Faults",
    "Field",
    "FinalState",
    "Finding",
    "Findings",
    "LateSignature",
    "Lifecycle",
    "LineOutcome",
    "MergeError",
    "Outcome",
    "ParseError",
    "Printer",
    "Rule",
    "Salvaged",
    "SandboxError",
    "SnapshotError",
    "Source",
    "Step",
    "Timeline",
    "Transition",
    "VerdictCount",
    "html",
    "named_values",
    "pretty",
]
