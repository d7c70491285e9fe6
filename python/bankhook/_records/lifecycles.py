# SPDX-License-Identifier: MIT
"""Lifecycles: which triggers lead to which states, on what evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

from bankhook._records.display import Printer, svg
from bankhook._records.errors import check_type
from bankhook._records.record import Record
from bankhook._records.transitions import FinalState, StateT, Step, Transition, TriggerT, expect_known
from bankhook._records.words import row_text


class Lifecycle(Record, Generic[StateT, TriggerT]):
    """The states of a transaction or connection, and the triggers that lead from one to another; it has no current state.

    States and triggers may be given as enumerators or as their text. A notebook shows its picture, drawn by the program `dot` of
    Graphviz, with what is assumed dashed; a terminal, and a notebook without Graphviz, its rows.
    """

    name: str
    """Its name in the package: `transaction_lifecycle`."""
    states: tuple[StateT, ...]
    """All states."""
    triggers: tuple[TriggerT, ...]
    """All triggers."""
    transitions: tuple[Transition[StateT, TriggerT], ...]
    """All rows, in the order of the table: those that never happen have no state after, those that nobody expects say so."""
    final_states: tuple[FinalState[StateT], ...]
    """The states that no expected transition leaves."""
    _steps: Mapping[tuple[str | None, str], Step[StateT, TriggerT]]
    _reasons: Mapping[tuple[str | None, str], str]
    _mermaid: str
    _dot: str
    _changes: tuple[tuple[str | None, str | None, str | None, bool, str, str | None], ...]

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
        expect_known("state", state, self.states, or_none=True)
        expect_known("trigger", trigger, self.triggers)
        return self._steps[state, trigger]

    def allowed(self, state: str | None) -> tuple[TriggerT, ...]:
        """Return the triggers that are expected in a state.

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
        expect_known("state", state, self.states, or_none=True)
        return tuple(trigger for trigger in self.triggers if (state, trigger) not in self._reasons)

    def why_not(self, state: str | None, trigger: str) -> str | None:
        """Return in words why a trigger is not expected in a state.

        Parameters
        ----------
        state : str or None
            A state of the lifecycle; None means before the first one.
        trigger : str
            A trigger of the lifecycle.

        Returns
        -------
        str or None
            None if it is expected.

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

    def with_row(
        self,
        state: str | None,
        trigger: str,
        to: str | None,
        *,
        expected: bool = True,
        evidence: str = "assumed",
        section: str | None = None,
    ) -> Lifecycle[StateT, TriggerT]:
        """Return the same lifecycle with another row, to track by: `Tracker(connection_lifecycle=...)`.

        Parameters
        ----------
        state : str or None
            The state that the row leaves; None means before the first one.
        trigger : str
            Its trigger.
        to : str or None
            The state after; None: the state stays, and what comes with the trigger is not applied.
        expected : bool
            Whether such a step is ordinary; else it is `unspecified`.
        evidence : str
            What the row rests on: `stated` makes the step `specified`, and what a row excludes `contradicts`.
        section : str, optional
            Where that stands, such as a letter of the service; without it, that of the row before.

        Returns
        -------
        Lifecycle
            A new one.

        Raises
        ------
        ValueError
            If there is no such state, trigger or evidence, or the rows make no lifecycle any more: then the message says why,
            and names states and triggers.

        Examples
        --------
        >>> import bankhook
        >>> back = bankhook.connection_lifecycle.with_row("deleted", "listed", "updated", expected=False)
        >>> back.step("deleted", "listed").to.value
        'updated'
        """
        from bankhook._core import Evidence  # the module is made of these records

        self.step(state, trigger)
        expect_known("to", to, self.states, or_none=True)
        expect_known("evidence", evidence, tuple(Evidence))
        if section is not None:
            check_type("section", section, str, "str or None")
        return self._changed(state, trigger, to, bool(expected), evidence, section)

    def without_final(self, state: str) -> Lifecycle[StateT, TriggerT]:
        """Return the same lifecycle in which a state is not final, so that expected rows may leave it.

        Parameters
        ----------
        state : str
            One of its final states.

        Returns
        -------
        Lifecycle
            A new one; its rows are the same, so `with_row` comes next.

        Raises
        ------
        ValueError
            If the state is not final, or the rows make no lifecycle any more.

        Examples
        --------
        >>> import bankhook
        >>> back = bankhook.connection_lifecycle.without_final("deleted").with_row("deleted", "update", "updated")
        >>> back.step("deleted", "update").verdict.value
        'assumed'
        """
        expect_known("state", state, self.states)
        if state not in [final.state for final in self.final_states]:
            raise ValueError(f"state: expected a final state, found {state}")
        return self._changed(state, None, None, False, "assumed", None)

    def _changed(self, *change: Any) -> Lifecycle[StateT, TriggerT]:
        from bankhook._core import _remade

        made: Lifecycle[StateT, TriggerT] = _remade(self.name, (*self._changes, change))
        return made

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
        return f"bankhook.{self.name}" if not self._changes else f"<bankhook.{self.name} with other rows>"

    def __reduce__(self) -> Any:
        from bankhook._core import _remade

        return (_remade, (self.name, self._changes)) if self._changes else (_built_in, (self.name,))

    def _repr_svg_(self) -> str | None:
        return svg(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text("\n".join((self.name, *map(row_text, self.transitions))))


def _built_in(name: str) -> Lifecycle[Any, Any]:
    from bankhook import _core

    built_in: Lifecycle[Any, Any] = getattr(_core, name)
    return built_in
