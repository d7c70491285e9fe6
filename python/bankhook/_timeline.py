# SPDX-License-Identifier: MIT
"""A member's connections and initial transactions over time: what is held of them, and how it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from bankhook import _core

if TYPE_CHECKING:
    from bankhook._core import TrackedConnection, TrackedTransaction, Tracker

__all__ = ["Timeline"]


@final
class Timeline:
    """What a tracker holds of one member, drawn by Altair in a notebook (`pip install 'bankhook[notebook]'`).

    A bar for each connection, from its first eligible day to the end of its consent (open where none is given), and a
    point for each transaction at its creation. The end of a consent has no zone (2.2); it is drawn on the clock of UTC.
    Without Altair the same is shown as tables.
    """

    __slots__ = ("_connections", "_transactions")

    def __init__(self, tracker: Tracker, member_id: str, /) -> None:
        if not isinstance(tracker, _core.Tracker):
            raise TypeError(f"Timeline() expects a Tracker, found {type(tracker).__name__}")
        self._connections = tracker.connections(member_id)
        self._transactions = tracker.transactions(member_id)

    @property
    def connections(self) -> tuple[TrackedConnection, ...]:
        """The member's connections, deleted ones too, in the order of their ids."""
        return self._connections

    @property
    def transactions(self) -> tuple[TrackedTransaction, ...]:
        """The member's initial transactions by creation time."""
        return self._transactions

    def chart(self) -> Any:
        """The picture as an `altair.VConcatChart`, to go on from; ImportError where Altair is not installed."""
        from bankhook._show._chart import chart

        return chart(self)

    def to_svg(self) -> str | None:
        """The picture on white ground as an `<svg>` element; None where Altair or vl-convert is not installed."""
        from bankhook._show._timeline import svg

        return svg(self)

    def __repr__(self) -> str:
        return f"<bankhook.Timeline of {len(self.connections)} connections, {len(self.transactions)} transactions>"

    def _repr_svg_(self) -> str | None:
        return self.to_svg()

    def _repr_html_(self) -> str:
        from bankhook._show._timeline import html

        return html(self)


Timeline.__module__ = "bankhook"
