# SPDX-License-Identifier: MIT
"""The rows of a lifecycle, and the result of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from bankhook._records.errors import check_type
from bankhook._records.record import Record

if TYPE_CHECKING:
    from bankhook._core import Evidence, StateBefore, Verdict  # noqa: TC004 -- `bankhook` adds the first once it is there

StateT = TypeVar("StateT", bound=str)
TriggerT = TypeVar("TriggerT", bound=str)


class Transition(Record, Generic[StateT, TriggerT]):
    """One row of a lifecycle's table."""

    from_: StateT | None
    """The state before; None means before the first state."""
    trigger: TriggerT
    """What causes the transition."""
    to: StateT | None
    """The state after; None means that the state stays, and what comes with the trigger is not applied."""
    evidence: Evidence
    """The evidence that the trigger leads to this state."""
    section: str
    """The section of the specification."""
    before: StateBefore
    """What it rests on that this state comes before: `stated`, `assumed`, or `unknown`: nobody should expect the step."""

    @property
    def is_expected(self) -> bool:
        """Whether it leads somewhere, and that was to be expected."""
        return self.to is not None and self.before != "unknown"

    @property
    def basis(self) -> Evidence:
        """The evidence of the whole row: `stated` only if the state before is, too."""
        return Evidence.ASSUMED if self.evidence == "stated" and self.before != "stated" else self.evidence

    @property
    def is_assumed(self) -> bool:
        """Whether a part of it is not stated: the trigger, the state after it, or the state before."""
        return self.basis != "stated"


class FinalState(Record, Generic[StateT]):
    """A state that no expected transition leaves, and the evidence for that."""

    state: StateT
    """The state."""
    evidence: Evidence
    """The evidence that it is final."""
    section: str
    """The section of the specification."""


class Step(Record, Generic[StateT, TriggerT]):
    """What a lifecycle says about a trigger in a state."""

    verdict: Verdict
    """What the specification says about the trigger in that state."""
    to: StateT | None
    """The state after the transition; None if the state stays."""
    transition: Transition[StateT, TriggerT]
    """The row that decides the verdict."""


def expect_known(kind: str, text: object, known: tuple[str, ...], *, or_none: bool = False) -> None:
    """Raise TypeError or ValueError if the text is not a known state or trigger."""
    if text is None and or_none:
        return
    also = " or None" if or_none else ""
    check_type(kind, text, str, f"str{also}")
    if text not in known:
        raise ValueError(f"{kind}: expected one of {', '.join(known)}{also}")
