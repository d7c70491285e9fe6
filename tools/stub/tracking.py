# SPDX-License-Identifier: MIT
"""The part of the stub that no member table gives: the tracker and what JointAccounts rests on."""

from __future__ import annotations

__all__ = ["FOLLOW"]

FOLLOW = '''\
@final
class Tracker:
    """Follows every member, bank connection and initial transaction through their events."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, *, accept_late: bool = False, unlist: bool = True) -> None: ...
    @property
    def accept_late(self) -> bool:
        """Whether a `create` or `created` for something already known is applied."""
    @property
    def unlist(self) -> bool:
        """Whether a connection that is no longer listed becomes unlisted."""
    @property
    def memory(self) -> int:
        """Bytes of memory that the tracker has allocated; looks at everything that is tracked."""
    def peek(self, event: AnyEvent, /) -> Outcome:
        """Return what `apply` would return, and change nothing."""
    def apply(self, event: AnyEvent, /) -> Outcome:
        """Apply the event and return what it meant."""
    def apply_lines(
        self,
        source: Source,
        /,
        *,
        report: Verdict | str = "contradicts",
        member: str | None = None,
        limit: int | None = None,
    ) -> AppliedLines:
        """Apply every event of an archive and count what they meant; lines that are not events are counted and left out.

        `source` is one of those that `parse_lines` takes. The answer has the outcomes whose verdict is `report` or worse,
        or all that concern `member` if one is given, but no more than `limit`; all are applied and counted.

        Raises OSError if the source cannot be read to its end. The tracker has the events before that.
        """
    def member(self, id: str, /) -> TrackedMember | None:
        """The member with this id, or None."""
    def connection(self, id: str, /) -> TrackedConnection | None:
        """The bank connection with this id, deleted and unlisted ones too, or None."""
    def transaction(self, id: str, /) -> TrackedTransaction | None:
        """The initial transaction with this id, or None."""
    def members(self) -> tuple[TrackedMember, ...]:
        """All members."""
    def connections(self, member_id: str | None = None) -> tuple[TrackedConnection, ...]:
        """All bank connections, deleted and unlisted ones too, or those of one member in the order of their ids."""
    def transactions(self, member_id: str | None = None, *, status: str | None = None) -> tuple[TrackedTransaction, ...]:
        """All initial transactions, or those of one member by creation time; with this status, where one is given."""
    def accounts(self, member_id: str) -> tuple[Account, ...]:
        """Return the accounts of a member's connections that are neither deleted nor unlisted."""
    def timeline(self, member_id: str, /) -> Timeline:
        """A member's connections and transactions over time; a notebook draws it."""
    def in_error(self) -> tuple[TrackedConnection, ...]:
        """Return the connections with an error code or message, neither deleted nor unlisted (spec 7)."""
    def awaiting_accounts(self) -> tuple[TrackedConnection, ...]:
        """Return the connections, neither deleted nor unlisted, that still have no accounts (spec 6.2)."""
    def consents_ending_before(self, when: datetime.datetime, /) -> tuple[TrackedConnection, ...]:
        """Connections, neither deleted nor unlisted, whose consent ends before a naive datetime, the earliest first."""
    def snapshot(self) -> bytes:
        """Return the state and the options as bytes; equal trackers give equal bytes."""
    @staticmethod
    def restore(snapshot: Buffer, /, *, accept_late: bool | None = None, unlist: bool | None = None) -> Tracker:
        """Return a tracker with the state and the options of a snapshot; an option that is given replaces the snapshot's."""
    def merge(self, other: Tracker, /) -> None:
        """Adds all that another tracker of other members holds; MergeError, and no change, where they share a key."""
    def _counts(self) -> tuple[dict[str | None, int], dict[str, int]]: ...
    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...

@final
class JointAccountIds:
    """Which account ids are one real account (spec 2.3)."""

    def __init__(self) -> None: ...
    def add(self, item: Account | Connection | ConnectedCustomer | TrackedConnection | AnyEvent, /) -> None:
        """The accounts of an account, connection, customer or event."""
    def canonical(self, account_id: str, /) -> str:
        """The id that stands for the real account."""
    def key(self, account_id: str, /) -> str:
        """A text that stands for the real account."""
    def kept(self, pairs: list[tuple[str | None, int]], /) -> list[int]:
        """The positions of the rows that stay, of pairs of an account id or None and a number that equal keys share."""
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The ids of each real account that has more than one."""
    def accounts(self) -> tuple[Account, ...]:
        """All accounts as they are known."""
    def __len__(self) -> int: ...
'''
