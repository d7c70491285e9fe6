# SPDX-License-Identifier: MIT
"""The states of the members in use: a bounded number of them and of their bytes, whatever the number of members."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

from bankhook._core import AnyEvent, Tracker, _MemberState, connection_lifecycle, parse, transaction_lifecycle
from bankhook._records.errors import ParseError, SnapshotError
from bankhook._records.stored import Delivery
from bankhook._records.tracking import Outcome

MEMBERS_IN_USE = 10_000
BYTES_IN_USE = 64 << 20  # of snapshots, and of deliveries that were applied since
LEAST_BYTES = 4096  # of deliveries: as long as there are fewer, no snapshot is written


@dataclasses.dataclass
class StoredMember:
    """The snapshot of a member, if there is one, and the bodies of what was handled since, in the order of handling."""

    snapshot: bytes | None = None
    since: list[bytes] = dataclasses.field(default_factory=list[bytes])

    def state(self) -> _MemberState:
        """The state that had this snapshot, after the deliveries were applied again, with the choices that it had."""
        state = _MemberState(Tracker()) if self.snapshot is None else _MemberState.restore(self.snapshot)
        for body in self.since:
            with suppress(ParseError):  # if another version of the library handled it
                state.apply(parse(body))
        return state


Load: TypeAlias = Callable[[Sequence[str], int], Iterable[tuple[str, StoredMember | None]]]


@dataclasses.dataclass
class _Used:
    state: _MemberState
    size: int = 0  # of the stored snapshot; 0 before the first
    since: int = 0  # bytes of the deliveries that were applied since
    is_due: bool = False  # whether the snapshot has to be written: that of a state with other options


class MembersInUse:
    """A state for each member: made when it is needed, and forgotten when others were needed since.

    A snapshot is written when the deliveries since the last one have as many bytes as that has, and are not few. So the
    bytes that are written and those that are read again are no more than those of the deliveries, however much is tracked of
    a member.

    Parameters
    ----------
    load : callable
        Gives what is stored of the first of these members, at least one, whose snapshots have so many bytes at most; None for
        those of which nothing is.
    options : Tracker
        The options of all of them are those of this one.
    """

    def __init__(self, load: Load, options: Tracker, *, members: int = MEMBERS_IN_USE, total: int = BYTES_IN_USE) -> None:
        self._load, self._members, self._total = load, members, total
        self._options = options
        lifecycles = options.connection_lifecycle, options.transaction_lifecycle
        self._is_built_in = lifecycles == (connection_lifecycle, transaction_lifecycle)
        self._used: OrderedDict[str, _Used] = OrderedDict()
        self._bytes = 0
        self._changed: set[str] = set()

    def prepare(self, members: Iterable[str]) -> None:
        """Load the members that are not in use, in this order: at least one, and as many as half of the memory can hold."""
        if missing := [member for member in dict.fromkeys(members) if member not in self._used]:
            for member, stored in self._load(missing, self._total // 2):
                with suppress(SnapshotError):  # which `of` raises
                    self._add(member, stored)

    @property
    def is_full(self) -> bool:
        """Whether there are more than the limits allow."""
        return len(self._used) > self._members or (self._bytes > self._total and len(self._used) > 1)

    def of(self, member: str) -> _MemberState:
        """Return the state of a member that was prepared. SnapshotError if what is stored cannot be read, now either."""
        if member not in self._used:
            ((_, stored),) = self._load([member], 1)
            self._add(member, stored)
        self._used.move_to_end(member)
        return self._used[member].state

    def apply(self, delivery: Delivery, event: AnyEvent) -> Outcome:
        """Apply the event of a delivery to its member, which counts as changed until `keep` or `forget`."""
        assert delivery.member is not None
        one = self._used[delivery.member]
        self._changed.add(delivery.member)
        one.since += len(delivery.body)
        self._bytes += len(delivery.body)
        return one.state.apply(event)

    def snapshots(self, members: Collection[str | int]) -> Iterator[tuple[str, bytes]]:
        """Yield the snapshots to be written, of those of the members that changed; then `keep`, or `forget` if they were not."""
        for member in sorted(self._changed.intersection(members)):
            one = self._used[member]
            # What was handled since is applied again with the built-in lifecycles, because a snapshot has none.
            if one.is_due or not self._is_built_in or one.since >= max(one.size, LEAST_BYTES):
                snapshot = one.state.snapshot()
                self._bytes += len(snapshot) - one.size - one.since
                one.size, one.since, one.is_due = len(snapshot), 0, False
                yield member, snapshot

    def keep(self, members: Collection[str | int]) -> None:
        """What changed of these is stored."""
        self._changed.difference_update(members)

    def shrink(self, needed: Container[str | int] = (), *, to_none: bool = False) -> None:
        """Forget members that did not change and are not needed, until the rest is within the limits, or all of them."""
        for member in tuple(self._used) if to_none or self.is_full else ():
            if member not in needed and member not in self._changed:
                self._remove(member)
            if not (to_none or self.is_full):
                break

    def forget(self, members: Collection[str | int]) -> None:
        """What changed of these was not stored: the next `prepare` loads what is."""
        for member in self._changed.intersection(members):
            self._remove(member)
        self._changed.difference_update(members)

    def _remove(self, member: str) -> None:
        one = self._used.pop(member)
        self._bytes -= one.size + one.since

    def __contains__(self, member: str) -> bool:
        """Whether a member is in use."""
        return member in self._used

    def _add(self, member: str, stored: StoredMember | None) -> None:
        stored = stored or StoredMember()
        state = stored.state()
        # What was handled with other options must not be applied again with these.
        is_other = state.take_options(self._options)
        one = _Used(state, len(stored.snapshot or b""), sum(map(len, stored.since)), is_other)
        self._used[member] = one
        self._bytes += one.size + one.since
