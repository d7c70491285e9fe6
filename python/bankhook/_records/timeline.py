# SPDX-License-Identifier: MIT
"""The connections and initial transactions of a member over time, as a chart or as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bankhook._records.display import chart, html, svg
from bankhook._records.errors import check_type
from bankhook._records.record import Record

if TYPE_CHECKING:
    from bankhook._core import TrackedConnection, TrackedTransaction, Tracker


class Timeline(Record):
    """The tracked state of one member, drawn by Altair in a notebook (`pip install 'bankhook[notebook]'`).

    A bar for each connection, from its first eligible day to the end of its consent (open if no end is given), and a
    point for each transaction at its creation. The end of a consent has no time zone (2.2); it is drawn as if it were UTC.
    Without Altair, the same is shown as tables.
    """

    member_id: str
    """The id of the member: `customer.id` (2.3)."""
    connections: tuple[TrackedConnection, ...]
    """The member's connections, deleted ones too, in the order of their ids."""
    transactions: tuple[TrackedTransaction, ...]
    """The member's initial transactions by creation time."""

    def chart(self) -> Any:
        """Return the picture as a chart of Altair.

        Returns
        -------
        altair.VConcatChart
            It can be changed and saved.

        Raises
        ------
        ImportError
            If Altair is not installed.

        Examples
        --------
        >>> import bankhook
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> type(sandbox.truth().timeline(created.customer.id).chart()).__name__
        'VConcatChart'
        """
        return chart(self)

    def to_svg(self) -> str | None:
        """Return the picture as an `<svg>` element, without a background, in colours for light and dark pages.

        Returns
        -------
        str or None
            None if Altair or vl-convert is not installed.

        Examples
        --------
        >>> import bankhook
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> sandbox.truth().timeline(created.customer.id).to_svg()[:4]
        '<svg'
        """
        return svg(self)

    def __repr__(self) -> str:
        return f"<bankhook.types.Timeline of {len(self.connections)} connections, {len(self.transactions)} transactions>"

    _repr_svg_ = to_svg

    _repr_html_ = html


def timeline_of(tracker: Tracker, member_id: str, /) -> Timeline:
    """Ask a tracker, once, for what the timeline of a member shows."""
    check_type("Tracker.timeline", member_id, str)  # None would ask for those of all members
    return Timeline(member_id, tracker.connections(member_id), tracker.transactions(member_id))


timeline_of.__qualname__ = "Tracker.timeline"  # what Python calls it in an error about arguments
