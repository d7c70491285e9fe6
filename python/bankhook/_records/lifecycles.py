# SPDX-License-Identifier: MIT
"""Lifecycles: which triggers lead to which states, on what evidence, and a picture of that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, final

from bankhook._records.display import Printer, html, plain, svg
from bankhook._records.transitions import FinalState, StateT, Step, Transition, TriggerT

__all__ = ["Drawing", "Lifecycle"]


@final
class Lifecycle(Generic[StateT, TriggerT]):
    """The states of a transaction or connection, and the triggers that lead from one to another; it has no current state.

    States and triggers may be given as enumerators or as their text.
    """

    __slots__ = (
        "_allowed",
        "_dot",
        "_final_states",
        "_forbidden",
        "_mermaid",
        "_name",
        "_paths",
        "_reasons",
        "_start",
        "_states",
        "_steps",
        "_transitions",
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
        self._transitions, self._forbidden, self._final_states = transitions, forbidden, final_states
        self._steps, self._allowed, self._reasons, self._paths = steps, allowed, reasons, paths
        self._mermaid, self._dot = mermaid, dot

    @property
    def name(self) -> str:
        """Its name in the package: `transaction_lifecycle`."""
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
        """The first state; None if there are several."""
        return self._start

    @property
    def transitions(self) -> tuple[Transition[StateT, TriggerT], ...]:
        """The rows that lead to a state, in the order of the table."""
        return self._transitions

    @property
    def forbidden(self) -> tuple[Transition[StateT, TriggerT], ...]:
        """The rows that forbid a transition, in the order of the table."""
        return self._forbidden

    @property
    def final_states(self) -> tuple[FinalState[StateT], ...]:
        """The states that no transition leaves."""
        return self._final_states

    def step(self, state: str | None, trigger: str) -> Step[StateT, TriggerT]:
        """Return what the specification says about `trigger` in `state`; None means before the first state."""
        try:
            return self._steps[state, trigger]
        except (KeyError, TypeError):
            _expect("state", state, self._states, or_none=True)
            _expect("trigger", trigger, self._triggers)
            raise

    def allowed(self, state: str | None) -> tuple[TriggerT, ...]:
        """Return the triggers that lead from `state` to a state, on any evidence; None means before the first state."""
        try:
            return self._allowed[state]
        except (KeyError, TypeError):
            _expect("state", state, self._states, or_none=True)
            raise

    def why_not(self, state: str | None, trigger: str) -> str | None:
        """Return in words why `trigger` leads nowhere in `state`; None if it leads to a state."""
        self.step(state, trigger)
        return self._reasons.get((state, trigger))

    def path_to(self, state: str) -> tuple[Transition[StateT, TriggerT], ...]:
        """Return the transitions of a shortest path from the start to `state`."""
        try:
            return self._paths[state]
        except (KeyError, TypeError):
            _expect("state", state, self._states)
            raise

    def to_mermaid(self) -> str:
        """Return the lifecycle as a Mermaid state diagram, in which the labels say what is assumed."""
        return self._mermaid

    def to_dot(self) -> str:
        """Return the lifecycle as a Graphviz graph, in which assumed transitions are dashed."""
        return self._dot

    def __repr__(self) -> str:
        return f"bankhook.{self._name}"

    def __reduce__(self) -> str:
        return self._name

    def drawn(self, state: str | None = None) -> Drawing:
        """Return a picture of the lifecycle with `state` marked as the current one, or with no state marked."""
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
    """The picture that `Lifecycle.drawn` returns: a notebook shows it, a terminal prints its rows.

    Graphviz draws it (`pip install 'bankhook[notebook]'` and the program `dot`); without Graphviz, the rows are shown as a
    table. Assumed transitions are dashed.
    """

    __slots__ = ("_lifecycle", "_state")

    def __init__(self, lifecycle: Lifecycle[Any, Any], state: str | None) -> None:
        self._lifecycle, self._state = lifecycle, state

    @property
    def lifecycle(self) -> Lifecycle[Any, Any]:
        """The lifecycle in the picture."""
        return self._lifecycle

    @property
    def state(self) -> str | None:
        """The marked state; None if no state is marked."""
        return self._state

    def to_svg(self) -> str | None:
        """Return the picture on a white background as an `<svg>` element; None if Graphviz is not installed."""
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
    """Raise TypeError or ValueError if the text is not a known state or trigger."""
    if text is None and or_none:
        return
    also = " or None" if or_none else ""
    if not isinstance(text, str):
        raise TypeError(f"{kind}: expected str{also}, found {type(text).__name__}")
    if text not in known:
        raise ValueError(f"{kind}: expected one of {', '.join(known)}{also}")


for _class in (Drawing, Lifecycle):
    _class.__module__ = "bankhook"
