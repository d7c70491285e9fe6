# SPDX-License-Identifier: MIT
"""The picture of a lifecycle, with the current state marked."""

from __future__ import annotations

from typing import Generic, TypeVar, final

from bankhook._records.display import Printer, html, plain, svg

__all__ = ["Drawing"]

LifecycleT = TypeVar("LifecycleT")


@final
class Drawing(Generic[LifecycleT]):
    """The picture that `Lifecycle.drawn` returns: a notebook shows it, a terminal prints its rows.

    The program `dot` of Graphviz draws it; without that, the rows are shown as a table. Assumed transitions are dashed.
    """

    __slots__ = ("_lifecycle", "_state")

    def __init__(self, lifecycle: LifecycleT, state: str | None) -> None:
        self._lifecycle, self._state = lifecycle, state

    @property
    def lifecycle(self) -> LifecycleT:
        """The lifecycle in the picture."""
        return self._lifecycle

    @property
    def state(self) -> str | None:
        """The marked state; None if no state is marked."""
        return self._state

    def to_svg(self) -> str | None:
        """Return the picture as an `<svg>` element, without a background, in colours for light and dark pages.

        Returns
        -------
        str or None
            None if Graphviz is not installed.

        Examples
        --------
        >>> import bankhook
        >>> bankhook.transaction_lifecycle.drawn("created").to_svg()[:4]
        '<svg'
        """
        return svg(self)

    def __repr__(self) -> str:
        return f"{self._lifecycle!r}.drawn({'' if self._state is None else repr(str(self._state))})"

    def _repr_svg_(self) -> str | None:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return html(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(plain(self))


Drawing.__module__ = "bankhook.types"
