# SPDX-License-Identifier: MIT
"""Lifecycles: what leads to which state, what that rests on, and a picture of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, final

if TYPE_CHECKING:
    from bankhook._core import Evidence, Verdict
    from bankhook._drawing import Drawing, Printer

__all__ = ["Transition", "FinalState", "Lifecycle", "Step"]

StateT = TypeVar("StateT", bound=str)
TriggerT = TypeVar("TriggerT", bound=str)


class Transition(NamedTuple, Generic[StateT, TriggerT]):
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


class FinalState(NamedTuple, Generic[StateT]):
    """A state that no transition leaves, and what that rests on."""

    state: StateT
    """The state."""
    evidence: Evidence
    """What that it is final rests on."""
    section: str
    """Of the specification."""


class Step(NamedTuple, Generic[StateT, TriggerT]):
    """What a lifecycle says about a trigger in a state."""

    verdict: Verdict
    """What the specification says about the trigger in that state."""
    to: StateT | None
    """The state after the transition; None where there is none, or it says never."""
    transition: Transition[StateT, TriggerT] | None
    """The row that the verdict rests on."""
    final: FinalState[StateT] | None
    """The declaration that the verdict rests on where a final state is left."""


@final
class Lifecycle(Generic[StateT, TriggerT]):
    """What leads to which state; holds no current state.

    States and triggers are taken as members or as their text.
    """

    __slots__ = (
        "_allowed",
        "_denials",
        "_dot",
        "_edges",
        "_finals",
        "_mermaid",
        "_name",
        "_paths",
        "_reasons",
        "_start",
        "_states",
        "_steps",
        "_triggers",
    )

    def __init__(
        self,
        *,
        name: str,
        states: tuple[StateT, ...],
        triggers: tuple[TriggerT, ...],
        start: StateT | None,
        transitions: tuple[Transition[StateT, TriggerT], ...],
        forbidden: tuple[Transition[StateT, TriggerT], ...],
        final_states: tuple[FinalState[StateT], ...],
        steps: Mapping[tuple[str | None, str], Step[StateT, TriggerT]],
        allowed: Mapping[str | None, tuple[TriggerT, ...]],
        reasons: Mapping[tuple[str | None, str], str],
        paths: Mapping[str, tuple[Transition[StateT, TriggerT], ...]],
        mermaid: str,
        dot: str,
    ) -> None:
        self._name = name
        self._states, self._triggers, self._start = states, triggers, start
        self._edges, self._denials, self._finals = transitions, forbidden, final_states
        self._steps, self._allowed, self._reasons, self._paths = steps, allowed, reasons, paths
        self._mermaid, self._dot = mermaid, dot

    @property
    def name(self) -> str:
        """What the package calls it: `transaction_lifecycle`."""
        return self._name

    @property
    def states(self) -> tuple[StateT, ...]:
        """All states."""
        return self._states

    @property
    def triggers(self) -> tuple[TriggerT, ...]:
        """All triggers."""
        return self._triggers

    @property
    def start(self) -> StateT | None:
        """The first state, where there is only one."""
        return self._start

    @property
    def transitions(self) -> tuple[Transition[StateT, TriggerT], ...]:
        """The rows that lead to a state, in the order of the table."""
        return self._edges

    @property
    def forbidden(self) -> tuple[Transition[StateT, TriggerT], ...]:
        """The rows that say never, in the order of the table."""
        return self._denials

    @property
    def final_states(self) -> tuple[FinalState[StateT], ...]:
        """The states that no transition leaves."""
        return self._finals

    def step(self, state: str | None, trigger: str) -> Step[StateT, TriggerT]:
        """What the specification says about `trigger` in `state`; None is before the first state."""
        try:
            return self._steps[state, trigger]
        except (KeyError, TypeError):
            _expect("state", state, self._states, or_none=True)
            _expect("trigger", trigger, self._triggers)
            raise

    def allowed(self, state: str | None) -> tuple[TriggerT, ...]:
        """The triggers that lead from `state` to a state, whatever the evidence; None is before the first state."""
        try:
            return self._allowed[state]
        except (KeyError, TypeError):
            _expect("state", state, self._states, or_none=True)
            raise

    def why_not(self, state: str | None, trigger: str) -> str | None:
        """Why `trigger` leads nowhere in `state`, in words; None where it leads to a state."""
        self.step(state, trigger)
        return self._reasons.get((state, trigger))

    def path_to(self, state: str) -> tuple[Transition[StateT, TriggerT], ...]:
        """The transitions of a shortest way from the start to `state`."""
        try:
            return self._paths[state]
        except (KeyError, TypeError):
            _expect("state", state, self._states)
            raise

    def to_mermaid(self) -> str:
        """The lifecycle as a Mermaid state diagram, in which the labels say what is assumed."""
        return self._mermaid

    def to_dot(self) -> str:
        """The lifecycle as a Graphviz graph, in which assumed transitions are dashed."""
        return self._dot

    def __repr__(self) -> str:
        return f"bankhook.{self._name}"

    def __reduce__(self) -> str:
        return self._name

    def drawn(self, state: str | None = None) -> Drawing:
        """The lifecycle as a picture, with `state` marked as the current one; displaying the lifecycle marks none."""
        from bankhook._drawing import Drawing

        _expect("state", state, self._states, or_none=True)
        return Drawing(self, state)

    def _repr_svg_(self) -> str | None:
        return self.drawn().to_svg()

    def _repr_html_(self) -> str:
        return self.drawn()._repr_html_()

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        self.drawn()._repr_pretty_(printer, cycle)


def _expect(kind: str, text: object, known: tuple[str, ...], *, or_none: bool = False) -> None:
    """Raises what is wrong with a state or a trigger, if anything is."""
    if text is None and or_none:
        return
    also = " or None" if or_none else ""
    if not isinstance(text, str):
        raise TypeError(f"{kind}: expected str{also}, found {type(text).__name__}")
    if text not in known:
        raise ValueError(f"{kind}: expected one of {', '.join(known)}{also}")


for _class in (Transition, FinalState, Lifecycle, Step):
    _class.__module__ = "bankhook"
