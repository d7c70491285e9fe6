# SPDX-License-Identifier: MIT
"""Plain data that the compiled module makes and takes; at run time this imports nothing else from the package."""

from __future__ import annotations

from bankhook._records.absent import ABSENT as ABSENT, Absent as Absent
from bankhook._records.deliveries import Choice as Choice, Delivery as Delivery, Fault as Fault, Faults as Faults
from bankhook._records.display import (
    Printer as Printer,
    html as html,
    named_values as named_values,
    pretty as pretty,
    represent as represent,
)
from bankhook._records.errors import (
    BankhookError as BankhookError,
    MergeError as MergeError,
    ParseError as ParseError,
    SandboxError as SandboxError,
    SnapshotError as SnapshotError,
)
from bankhook._records.fields import Field as Field
from bankhook._records.findings import Finding as Finding, Findings as Findings, Rule as Rule
from bankhook._records.lifecycles import Lifecycle as Lifecycle
from bankhook._records.lines import (
    AppliedLines as AppliedLines,
    Encoding as Encoding,
    Format as Format,
    LineOutcome as LineOutcome,
    Source as Source,
    VerdictCount as VerdictCount,
    apply_lines as apply_lines,
)
from bankhook._records.record import LateSignature as LateSignature
from bankhook._records.salvaged import Salvaged as Salvaged
from bankhook._records.timeline import Timeline as Timeline, timeline_of as timeline_of
from bankhook._records.tracking import Change as Change, Outcome as Outcome, pickled as pickled
from bankhook._records.transitions import FinalState as FinalState, Step as Step, Transition as Transition
