# SPDX-License-Identifier: MIT
"""A lifecycle as a picture, with one state marked as the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, final

if TYPE_CHECKING:
    from bankhook._lifecycles import Lifecycle

__all__ = ["Drawing", "Printer"]


class Printer(Protocol):
    """What IPython prints with."""

    def text(self, text: str, /) -> None: ...


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
        from bankhook._show._machine import svg

        return svg(self._lifecycle, self._state)

    def __repr__(self) -> str:
        return f"{self._lifecycle!r}.drawn({'' if self._state is None else repr(str(self._state))})"

    def _repr_svg_(self) -> str | None:
        return self.to_svg()

    def _repr_html_(self) -> str:
        from bankhook._show._machine import html

        return html(self._lifecycle, self._state)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        from bankhook._show._machine import plain

        printer.text(plain(self._lifecycle, self._state))


Drawing.__module__ = "bankhook"
