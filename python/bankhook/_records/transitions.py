# SPDX-License-Identifier: MIT
"""The rows of a lifecycle, and the result of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from bankhook._records.record import Record

if TYPE_CHECKING:
    from bankhook._core import Evidence, Verdict

__all__ = ["FinalState", "StateT", "Step", "Transition", "TriggerT", "expect_known"]

StateT = TypeVar("StateT", bound=str)
TriggerT = TypeVar("TriggerT", bound=str)


class Transition(Record, Generic[StateT, TriggerT]):
    """One row of a lifecycle's table."""

    from_: StateT | None
    """The state before; None means before the first state."""
    trigger: TriggerT
    """What causes the transition."""
    to: StateT | None
    """The state after; None means that this never happens."""
    evidence: Evidence
    """The evidence for the row."""
    section: str
    """The section of the specification."""


class FinalState(Record, Generic[StateT]):
    """A state that no transition leaves, and the evidence for that."""

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
    """The state after the transition; None if there is no transition, or it is forbidden."""
    transition: Transition[StateT, TriggerT] | None
    """The row that decides the verdict."""
    final: FinalState[StateT] | None
    """The final state that decides the verdict, if the trigger would leave one."""


def expect_known(kind: str, text: object, known: tuple[str, ...], *, or_none: bool = False) -> None:
    """Raise TypeError or ValueError if the text is not a known state or trigger."""
    if text is None and or_none:
        return
    also = " or None" if or_none else ""
    if not isinstance(text, str):
        raise TypeError(f"{kind}: expected str{also}, found {type(text).__name__}")
    if text not in known:
        raise ValueError(f"{kind}: expected one of {', '.join(known)}{also}")
