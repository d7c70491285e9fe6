# SPDX-License-Identifier: MIT
"""The trackers of the members in use: a bounded number of them, whatever the number of members."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator

from bankhook._core import Tracker

__all__ = ["MEMBERS_IN_USE", "Trackers"]

MEMBERS_IN_USE = 10_000


class Trackers:
    """A tracker for each member: made from its snapshot when it is needed, and forgotten when others were needed since.

    Parameters
    ----------
    load : callable
        Gives the snapshots of members, for those that have one.
    options : Tracker
        The options of all of them are those of this one.
    """

    def __init__(
        self,
        load: Callable[[Collection[str]], Iterable[tuple[str, bytes]]],
        options: Tracker,
        limit: int = MEMBERS_IN_USE,
    ) -> None:
        self._load, self._limit = load, limit
        self._accept_late, self._unlist = options.accept_late, options.unlist
        self._used: OrderedDict[str, Tracker] = OrderedDict()
        self._changed: set[str] = set()

    def prepare(self, members: Collection[str]) -> None:
        """Load the members that are not in use, all at once."""
        if missing := [member for member in dict.fromkeys(members) if member not in self._used]:
            snapshots = dict(self._load(missing))
            for member in missing:
                self._used[member] = self._restored(snapshots.get(member))

    def of(self, member: str) -> Tracker:
        """Return the tracker of a member that was prepared."""
        self._used.move_to_end(member)
        return self._used[member]

    def change(self, member: str) -> Tracker:
        """Return the tracker of a member, to apply an event to it: it counts as changed until `keep` or `forget`."""
        self._changed.add(member)
        return self._used[member]

    def snapshots(self) -> Iterator[tuple[str, bytes]]:
        """Yield the members that changed, each with its snapshot."""
        return ((member, self._used[member].snapshot()) for member in sorted(self._changed))

    def keep(self) -> None:
        """What changed is stored."""
        self._changed.clear()
        while len(self._used) > self._limit:
            self._used.popitem(last=False)

    def forget(self) -> None:
        """What changed was not stored: the next `prepare` loads what is."""
        for member in self._changed:
            del self._used[member]
        self._changed.clear()

    def __len__(self) -> int:
        """How many members are in use."""
        return len(self._used)

    def _restored(self, snapshot: bytes | None) -> Tracker:
        if snapshot is None:
            return Tracker(accept_late=self._accept_late, unlist=self._unlist)
        return Tracker.restore(snapshot, accept_late=self._accept_late, unlist=self._unlist)
