# SPDX-License-Identifier: MIT
"""What an inbox is asked for and answers: cases, dead letters, overdue transactions."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Sequence

from bankhook._records.record import Record
from bankhook._records.stored import DeliveryState


class CaseKind(enum.StrEnum):
    """Why a person should look at a transaction or a connection."""

    LEFT_VALIDATED = "left_validated"
    """A validated transaction got another status."""
    LEFT_REJECTED = "left_rejected"
    """A rejected transaction got another status."""
    DIFFERS_FROM_CREATED = "differs_from_created"
    """A field of a transaction is not what an earlier event reported; `Case.field` names it."""
    FIRST_EVENT_MISSING = "first_event_missing"
    """The first event of a transaction or connection that arrived is not its created or create."""
    FINDINGS_STATED = "findings_stated"
    """The event breaks a rule that the specification states; `Case.rule` has its id."""
    ID_OF_ANOTHER_MEMBER = "id_of_another_member"
    """A transaction has the id of one of another member, of which a delivery was handled before. They are two transactions
    (rule `ids_are_per_member`, assumed); `Inbox.find` with `Query(key=case.key)` gives the deliveries of both."""


class Query(Record):
    """Which deliveries: those that meet every condition that is given."""

    since: datetime.datetime | None = None
    """Received at this time or later; aware."""
    until: datetime.datetime | None = None
    """Received before this time; aware."""
    event: str | None = None
    """With this name of the event."""
    member: str | None = None
    """Of the member with this id."""
    key: str | None = None
    """About the connection or transaction with this id."""
    rule: str | None = None
    """Rejected for this rule: that of the first finding."""
    states: Sequence[DeliveryState | str] = ()
    """In one of these states, as members or their values; empty: in any."""
    after: int = 0
    """With a higher number than this."""
    before: int | None = None
    """With a lower number than this."""


class IdQuery(Query):
    """Of a member, or about a connection or transaction: both are one condition, so that what has no index is read once."""

    id: str | None = None


class Case(Record):
    """Something about a transaction or connection that a person should look at and settle."""

    number: int
    """Its number."""
    kind: CaseKind
    """Why."""
    field: str | None
    """Wire name of the field that differs, or the id of the rule that is broken; None for other kinds."""
    delivery: int
    """Number of the delivery that raised it."""
    member: str
    """The id of the member."""
    key: str
    """The id of the transaction or connection."""
    received: datetime.datetime
    """When that delivery was received, in UTC."""
    compared_with: int | None = None
    """Number of the last delivery before it of the same transaction, or of the other member's for ID_OF_ANOTHER_MEMBER; None for
    kinds that compare nothing, or if it was purged."""

    @property
    def rule(self) -> str | None:
        """The id of the rule that is broken: `field` of a FINDINGS_STATED; None for other kinds."""
        return self.field if self.kind is CaseKind.FINDINGS_STATED else None


class DeadLetters(Record):
    """The quarantined deliveries that were rejected for the same rule."""

    rule: str
    """The rule of their first finding."""
    count: int
    """How many there are."""
    numbers: tuple[int, ...]
    """Numbers of the deliveries, the newest first; at most 100."""
    members: tuple[str, ...]
    """Ids of members that could still be read in these."""
    keys: tuple[str, ...]
    """Ids of connections and transactions that could still be read in these."""


class Overdue(Record):
    """A transaction that is neither validated nor rejected, long after it was first reported."""

    key: str
    """The id of the transaction."""
    member: str
    """The id of the member."""
    received: datetime.datetime
    """When its first delivery was received, in UTC."""
    delivery: int
    """Number of that delivery."""


class Reprocessed(Record):
    """What `Inbox.reprocess` did."""

    called: int
    """For how many deliveries handlers were called."""
    skipped: int
    """How many members were skipped, since deliveries of them are purged, so that nobody knows what the others meant."""
