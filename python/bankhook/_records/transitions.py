# SPDX-License-Identifier: MIT
"""The rows of a lifecycle, and what it says about a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from bankhook._records.record import Record

if TYPE_CHECKING:
    from bankhook._core import Evidence, Verdict

__all__ = ["FinalState", "StateT", "Step", "Transition", "TriggerT"]

StateT = TypeVar("StateT", bound=str)
TriggerT = TypeVar("TriggerT", bound=str)


class Transition(Record, Generic[StateT, TriggerT]):
    """One row of a lifecycle's table."""

    from_: StateT | None
    """The state before; None: before the first state."""
    trigger: TriggerT
    """What leads from there."""
    to: StateT | None
    """Where it leads; None: this never happens."""
    evidence: Evidence
    """What the row rests on."""
    section: str
    """Of the specification."""


class FinalState(Record, Generic[StateT]):
    """A state that no transition leaves, and what that rests on."""

    state: StateT
    """The state."""
    evidence: Evidence
    """What that it is final rests on."""
    section: str
    """Of the specification."""


class Step(Record, Generic[StateT, TriggerT]):
    """What a lifecycle says about a trigger in a state."""

    verdict: Verdict
    """What the specification says about the trigger in that state."""
    to: StateT | None
    """The state after the transition; None where there is none, or it says never."""
    transition: Transition[StateT, TriggerT] | None
    """The row that the verdict rests on."""
    final: FinalState[StateT] | None
    """The declaration that the verdict rests on where a final state is left."""
