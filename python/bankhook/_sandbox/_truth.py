# SPDX-License-Identifier: MIT
"""The truth about a sandbox: its events, made again without faults and given to a tracker in their order."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeAlias

from bankhook._core import AnyEvent, Tracker, _Sandbox, parse

Operation: TypeAlias = tuple[int, Callable[..., AnyEvent], tuple[Any, ...]]
"""A call that emitted an event: how many events the histories had made, what was called, and its arguments."""


class Truth:
    """Remembers the operations and makes everything else again when it is asked for, so that a history costs nothing."""

    def __init__(self, make: Callable[[], _Sandbox], tracker: Tracker) -> None:
        """Keep how to make the sandbox without faults, and a tracker to which its events are given."""
        self._make = make
        # How far the events were made again: the sandbox without faults, None before it was needed; the tracker; and the
        # operations that were not made again yet.
        self._made: tuple[_Sandbox | None, Tracker, list[Operation]] = (None, tracker, [])

    def note(self, after: int, call: Callable[..., AnyEvent], arguments: tuple[Any, ...]) -> None:
        """Remember an operation that came after this many events of histories."""
        self._made[2].append((after, call, arguments))

    def tracker(self, events: int) -> Tracker:
        """Return a tracker with all operations, and with this many events of histories."""
        # Both are copies that replace the others at once: an interrupt leaves nothing half done.
        before, tracked, coming = self._made
        sandbox = self._make() if before is None else before.copy()
        tracker = copy.copy(tracked)
        for after, call, arguments in coming:
            _apply_history(sandbox, tracker, after)
            tracker.apply(call(sandbox, *arguments))
        _apply_history(sandbox, tracker, events)
        self._made = sandbox, tracker, []
        return copy.copy(tracker)

    def copy(self) -> Truth:
        """Return one that continues independently; what was made again never changes, so both have it."""
        sandbox, tracker, coming = self._made
        copied = Truth(self._make, tracker)
        copied._made = sandbox, tracker, [*coming]
        return copied


def _apply_history(sandbox: _Sandbox, tracker: Tracker, count: int) -> None:
    while sandbox.event_count() < count:
        tracker.apply(parse(sandbox.next().payload))
