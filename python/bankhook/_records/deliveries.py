# SPDX-License-Identifier: MIT
"""What a sandbox returns besides events: deliveries with their labels, and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bankhook._records.record import Record

if TYPE_CHECKING:
    from bankhook._core import DetectedBy, Evidence, FaultKind


class Choice(Record):
    """One thing that the specification leaves open, and how a sandbox may answer it."""

    name: str
    """The keyword of `Sandbox`."""
    section: str
    """The section of the specification."""
    question: str
    """What the section does not show."""
    values: tuple[str, ...]
    """The values that the keyword takes."""
    default: str
    """The value if the keyword is not given."""
    evidence: Evidence
    """Always assumed: something had to be chosen."""


class Faults(Record):
    """The share of events, 0 to 1, that gets each kind of fault.

    An event gets at most one fault: shares that add up to more than 1 are scaled down in proportion. `Faults(drop=0.02)`
    loses two events of a hundred. Any of them may also be given to `Sandbox` as a mapping, `{"drop": 0.02}`.
    """

    duplicate: float = 0.0
    """Delivered on time, and again: at once or after up to `lateness` later events."""
    reorder: float = 0.0
    """Not delivered at its time but after 1 to `lateness` later events; never if `lateness` is 0."""
    drop: float = 0.0
    """Never delivered, at most 0.99 of all events; the numbers of the deliveries have a gap."""
    truncate: float = 0.0
    """The payload is cut at any byte."""
    mutate: float = 0.0
    """One byte of the payload is replaced by another."""
    future: float = 0.0
    """The payload has an event name, a value or a field that the specification does not list."""


class Fault(Record):
    """What was done to an event, and how a consumer can detect it at this delivery.

    `detected_by` is the first thing that this library reports: for damaged bytes the rule that `diagnose` finds broken; for
    everything else the outcome of a `Tracker` that was given all earlier deliveries and nothing else.
    """

    kind: FaultKind
    """The kind of fault, as `Faults` names it."""
    number: int
    """Number of the event with the fault; lower than the number of the delivery if the fault shows only now."""
    what: str
    """What was done, in a few words."""
    field: str
    """Wire name of the field that is not listed, or whose value is not; empty for any other fault."""
    offset: int
    """The offset in the payload, in bytes; 0 if the fault is not at one offset."""
    late_by: int
    """How many events a duplicate or a late delivery waited for."""
    detected_by: DetectedBy
    """How it can be detected: by a rule, as a repeat, by the lifecycle, or by nothing."""
    rule: str | None
    """The id of the rule that detects it; None if no rule does."""

    @property
    def detectable(self) -> str | None:
        """The id of the rule, else the name of what detects it; None if nothing does."""
        return self.rule or (None if self.detected_by == "nothing" else str(self.detected_by))


class Delivery(Record):
    """The bytes that reach the consumer, and how they differ from what the service sent."""

    payload: bytes
    """The bytes that the consumer gets, damaged if the fault is of such a kind."""
    number: int
    """Number of the event in the history, counted from 0; a gap means a drop, and late events are out of order."""
    fault: Fault | None
    """The label, if this delivery has a fault, or if an earlier fault shows only here; else None."""
    original: bytes
    """The payload of the event without the fault, to compare with."""
