# SPDX-License-Identifier: MIT
"""The picture of a lifecycle, with the current state marked."""

from __future__ import annotations

from typing import Generic, TypeVar

from bankhook._records.display import Printer, html, plain, svg
from bankhook._records.record import Record

LifecycleT = TypeVar("LifecycleT")


class Drawing(Record, Generic[LifecycleT]):
    """The picture that `Lifecycle.drawn` returns: a notebook shows it, a terminal prints its rows.

    The program `dot` of Graphviz draws it; without that, the rows are shown as a table. Assumed transitions are dashed.
    """

    lifecycle: LifecycleT
    """The lifecycle in the picture."""
    state: str | None
    """The marked state; None if no state is marked."""

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
        return f"{self.lifecycle!r}.drawn({'' if self.state is None else repr(str(self.state))})"

    _repr_svg_ = to_svg

    _repr_html_ = html

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(plain(self))
