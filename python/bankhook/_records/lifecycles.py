# SPDX-License-Identifier: MIT
"""Lifecycles: which triggers lead to which states, on what evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, Self, final

from bankhook._records.display import Printer
from bankhook._records.drawing import Drawing
from bankhook._records.transitions import FinalState, StateT, Step, Transition, TriggerT, expect_known

__all__ = ["Lifecycle"]


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
        """Return what the specification says about a trigger in a state.

        Parameters
        ----------
        state : str or None
            A state of the lifecycle; None means before the first one.
        trigger : str
            A trigger of the lifecycle.

        Returns
        -------
        Step
            The row that it meets, with its evidence, and the verdict.

        Raises
        ------
        ValueError
            If the lifecycle has no such state or trigger.

        Examples
        --------
        >>> import bankhook
        >>> bankhook.transaction_lifecycle.step("created", "store_set_up").to.value
        'validated'
        """
        try:
            return self._steps[state, trigger]
        except (KeyError, TypeError):
            expect_known("state", state, self._states, or_none=True)
            expect_known("trigger", trigger, self._triggers)
            raise

    def allowed(self, state: str | None) -> tuple[TriggerT, ...]:
        """Return the triggers that lead from a state to another or the same, whatever the evidence.

        Parameters
        ----------
        state : str or None
            A state of the lifecycle; None means before the first one.

        Returns
        -------
        tuple of triggers
            In the order of the table.

        Raises
        ------
        ValueError
            If the lifecycle has no such state.

        Examples
        --------
        >>> import bankhook
        >>> [trigger.value for trigger in bankhook.transaction_lifecycle.allowed("created")]
        ['store_set_up', 'store_not_set_up']
        """
        try:
            return self._allowed[state]
        except (KeyError, TypeError):
            expect_known("state", state, self._states, or_none=True)
            raise

    def why_not(self, state: str | None, trigger: str) -> str | None:
        """Return in words why a trigger leads nowhere in a state.

        Parameters
        ----------
        state : str or None
            A state of the lifecycle; None means before the first one.
        trigger : str
            A trigger of the lifecycle.

        Returns
        -------
        str or None
            None if it leads to a state.

        Raises
        ------
        ValueError
            If the lifecycle has no such state or trigger.

        Examples
        --------
        >>> import bankhook
        >>> bankhook.transaction_lifecycle.why_not("rejected", "submitted")
        'submitted never happens in rejected (assumed, 3.1)'
        """
        self.step(state, trigger)
        return self._reasons.get((state, trigger))

    def path_to(self, state: str) -> tuple[Transition[StateT, TriggerT], ...]:
        """Return the transitions of a shortest path from the start to a state.

        Parameters
        ----------
        state : str
            A state of the lifecycle.

        Returns
        -------
        tuple[Transition, ...]
            Empty if no path leads there.

        Raises
        ------
        ValueError
            If the lifecycle has no such state.

        Examples
        --------
        >>> import bankhook
        >>> [row.trigger.value for row in bankhook.transaction_lifecycle.path_to("validated")]
        ['submitted', 'store_set_up']
        """
        try:
            return self._paths[state]
        except (KeyError, TypeError):
            expect_known("state", state, self._states)
            raise

    def to_mermaid(self) -> str:
        """Return the lifecycle as a Mermaid state diagram, in which the labels say what is assumed.

        Returns
        -------
        str
            The text of the diagram.

        Examples
        --------
        >>> import bankhook
        >>> bankhook.transaction_lifecycle.to_mermaid().split()[0]
        'stateDiagram-v2'
        """
        return self._mermaid

    def to_dot(self) -> str:
        """Return the lifecycle as a Graphviz graph, in which assumed transitions are dashed.

        Returns
        -------
        str
            The text of the graph.

        Examples
        --------
        >>> import bankhook
        >>> "dashed" in bankhook.transaction_lifecycle.to_dot()
        True
        """
        return self._dot

    def __repr__(self) -> str:
        return f"bankhook.{self._name}"

    def __reduce__(self) -> str:
        return self._name

    def drawn(self, state: str | None = None) -> Drawing[Self]:
        """Return a picture of the lifecycle, with a state marked as the current one.

        Parameters
        ----------
        state : str, optional
            The state to mark; else none is marked.

        Returns
        -------
        Drawing
            A notebook shows it, a terminal prints its rows.

        Raises
        ------
        ValueError
            If the lifecycle has no such state: `unlisted` is one of the tracker alone.

        Examples
        --------
        >>> import bankhook
        >>> bankhook.transaction_lifecycle.drawn("created")
        bankhook.transaction_lifecycle.drawn('created')
        """
        expect_known("state", state, self._states, or_none=True)
        return Drawing(self, state)

    def _repr_svg_(self) -> str | None:
        return self.drawn().to_svg()

    def _repr_html_(self) -> str:
        return self.drawn()._repr_html_()

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        self.drawn()._repr_pretty_(printer, cycle)


Lifecycle.__module__ = "bankhook"
