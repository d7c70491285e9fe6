# SPDX-License-Identifier: MIT
"""Lifecycles: what leads to which state, what that rests on, and a picture of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, final

from bankhook._records.display import Printer, html, plain, svg
from bankhook._records.transitions import FinalState, StateT, Step, Transition, TriggerT

__all__ = ["Drawing", "Lifecycle"]


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
        _expect("state", state, self._states, or_none=True)
        return Drawing(self, state)

    def _repr_svg_(self) -> str | None:
        return self.drawn().to_svg()

    def _repr_html_(self) -> str:
        return self.drawn()._repr_html_()

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        self.drawn()._repr_pretty_(printer, cycle)


@final
class Drawing:
    """What `Lifecycle.drawn` gives: a notebook shows it, a terminal prints its rows.

    Graphviz draws it (`pip install 'bankhook[notebook]'` and the program `dot`); where it is missing, the rows are shown
    as a table. Assumed transitions are dashed.
    """

    __slots__ = ("_lifecycle", "_state")

    def __init__(self, lifecycle: Lifecycle[Any, Any], state: str | None) -> None:
        self._lifecycle, self._state = lifecycle, state

    @property
    def lifecycle(self) -> Lifecycle[Any, Any]:
        """What is drawn."""
        return self._lifecycle

    @property
    def state(self) -> str | None:
        """The state that is marked."""
        return self._state

    def to_svg(self) -> str | None:
        """The picture on white ground as an `<svg>` element; None where Graphviz is not installed."""
        return svg(self)

    def __repr__(self) -> str:
        return f"{self._lifecycle!r}.drawn({'' if self._state is None else repr(str(self._state))})"

    def _repr_svg_(self) -> str | None:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return html(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(plain(self))


def _expect(kind: str, text: object, known: tuple[str, ...], *, or_none: bool = False) -> None:
    """Raises what is wrong with a state or a trigger, if anything is."""
    if text is None and or_none:
        return
    also = " or None" if or_none else ""
    if not isinstance(text, str):
        raise TypeError(f"{kind}: expected str{also}, found {type(text).__name__}")
    if text not in known:
        raise ValueError(f"{kind}: expected one of {', '.join(known)}{also}")


for _class in (Drawing, Lifecycle):
    _class.__module__ = "bankhook"
