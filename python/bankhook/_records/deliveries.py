# SPDX-License-Identifier: MIT
"""What a sandbox gives beside events: deliveries with their labels, and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bankhook._records.record import Record

if TYPE_CHECKING:
    from bankhook._core import DetectedBy, Evidence, FaultKind

__all__ = ["Choice", "Delivery", "Fault", "Faults"]


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
    """The share of events, 0 to 1, that each kind of fault meets.

    An event meets at most one fault: shares that add up to more than 1 are scaled down in proportion. `Faults(drop=0.02)`
    loses two events of a hundred. Any of them may also be given to `Sandbox` as a mapping, `{"drop": 0.02}`.
    """

    duplicate: float = 0.0
    """Delivered as it should be, and again: at once or after up to `lateness` later events."""
    reorder: float = 0.0
    """Not delivered at its time but after 1 to `lateness` later events; never if `lateness` is 0."""
    drop: float = 0.0
    """Never delivered; the numbers of the deliveries have a gap."""
    truncate: float = 0.0
    """The payload is cut at any byte."""
    mutate: float = 0.0
    """One byte of the payload is replaced by another."""
    future: float = 0.0
    """The payload has an event name, a value or a field that the specification does not list."""


class Fault(Record):
    """What was done to an event, and what a consumer can notice of it at this delivery.

    That is the first thing that this library reports: of damaged bytes the rule that `diagnose` finds broken, of anything
    else what a `Tracker` answers that was given every delivery before it, and nothing but deliveries.
    """

    kind: FaultKind
    """The kind of fault, as `Faults` names it."""
    number: int
    """Number of the event that was touched; earlier than the delivery's if the fault shows only now."""
    what: str
    """What was done, in a few words."""
    field: str
    """Wire name of the field that was touched, or empty."""
    offset: int
    """The place in the payload, in bytes; 0 if the fault has no place."""
    late_by: int
    """How many events a duplicate or a late delivery waited for."""
    detected_by: DetectedBy
    """How it can be noticed: by a rule, as a repeat, by the lifecycle, or by nothing."""
    rule: str | None
    """If what it is detected by is a rule, its id; else None."""

    @property
    def detectable(self) -> str | None:
        """The id of the rule, else the name of what it is detected by, or None if nothing can be noticed."""
        return self.rule or (None if self.detected_by == "nothing" else str(self.detected_by))


class Delivery(Record):
    """The bytes that reach the consumer, and the truth about them."""

    payload: bytes
    """What the consumer gets: bytes, damaged if the fault says so."""
    number: int
    """Number of the event in the history, counted from 0; a gap is a drop, and late ones come out of order."""
    fault: Fault | None
    """The label, if this delivery was touched, or if an earlier fault shows only here; else None."""
    original: bytes
    """The payload of the same event as the service meant it: the truth to compare with."""
