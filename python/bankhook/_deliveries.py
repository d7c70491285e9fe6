# SPDX-License-Identifier: MIT
"""What a sandbox gives beside events: deliveries with their labels, choices, refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bankhook._core import Evidence, FaultKind, Sign

__all__ = ["Choice", "Delivery", "Fault", "Faults", "Refusal"]


class Choice(NamedTuple):
    """One thing that the specification leaves open, and how a sandbox may answer it."""

    name: str
    """The keyword of `Sandbox`."""
    section: str
    """Of the specification."""
    question: str
    """What is not shown there."""
    values: tuple[str, ...]
    """What the keyword takes."""
    default: str
    """What is taken where the keyword is not given."""
    evidence: Evidence
    """Always assumed: ours, because something had to be chosen."""


class Faults(NamedTuple):
    """The share of events, 0 to 1, that each fault meets; taken in proportion where they add up to more than 1."""

    duplicate: float = 0.0
    """Delivered once more, at once or up to `lateness` events later."""
    reorder: float = 0.0
    """Delivered after 1 to `lateness` later events."""
    drop: float = 0.0
    """Never delivered."""
    truncate: float = 0.0
    """Cut anywhere."""
    mutate: float = 0.0
    """One byte replaced by another."""
    future: float = 0.0
    """An event, a value or a member that the specification does not list."""


class Fault(NamedTuple):
    """What was done to an event, and what the specification lets a consumer notice at this delivery."""

    kind: FaultKind
    """The kind of fault, as `Faults` names it."""
    event: int
    """Number of the event that was touched; an earlier one than the delivery's where the fault shows only now."""
    what: str
    """What was done, in a few words."""
    member: str
    """Wire name of the member that was touched, or empty."""
    offset: int
    """Where in the payload, in bytes; 0 where it is about no place."""
    late_by: int
    """How many events a duplicate or a late delivery waited for."""
    sign: Sign
    """By what it can be noticed."""
    rules: tuple[str, ...]
    """Where the sign is a rule: its id; a second one is another that the same fault may be told by."""

    @property
    def detectable(self) -> str | None:
        """The id of the rule, else the name of the sign, or None where nothing can be noticed."""
        if self.rules:
            return self.rules[0]
        return None if self.sign == "nothing" else str(self.sign)


class Delivery(NamedTuple):
    """The bytes that reach the consumer, and the truth about them."""

    payload: bytes
    """What the consumer gets."""
    event: int
    """Number of the event in the history, counted from 0; a gap is a drop."""
    fault: Fault | None
    """The label, where this delivery was touched, or an earlier one that shows here."""
    clean: bytes
    """The payload of the same event as the service meant it."""


class Refusal(ValueError):
    """An operation that the sandbox does not do; nothing was changed.

    Its arguments are the sentence and the code.
    """

    @property
    def code(self) -> str:
        """The reason in one word: `transaction_is_processed`."""
        return str(self.args[1])

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


for _cls in (Choice, Delivery, Fault, Faults, Refusal):
    _cls.__module__ = "bankhook"
del _cls
