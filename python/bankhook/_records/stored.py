# SPDX-License-Identifier: MIT
"""A delivery in an inbox, which handlers get, too."""

from __future__ import annotations

import datetime
import enum

from bankhook._records.findings import Finding
from bankhook._records.record import Record


class DeliveryState(enum.StrEnum):
    """How far a delivery has been handled."""

    PENDING = "pending"
    """Stored, and not handled yet; also while a failed handler waits for its next attempt."""
    HANDLED = "handled"
    """Applied to the tracker of its member, and its handlers were called."""
    QUARANTINED = "quarantined"
    """Not an event: `parse` rejects it. It waits for a person."""
    PARKED = "parked"
    """A handler failed at every attempt. It waits for a person; later deliveries of the member are handled meanwhile."""
    DISMISSED = "dismissed"
    """A person decided that it needs nobody any more, though it was not handled."""


class Delivery(Record):
    """A payload that was received, and what can be read of it: what `Inbox.append` stores, and `Inbox.find` gives back.

    `append` ignores `state`, `number`, `attempts`, `retry_at` and `error`: what is appended is PENDING, or QUARANTINED if it has
    findings.
    """

    body: bytes
    """The body, verbatim."""
    received: datetime.datetime
    """When it was received, in UTC."""
    headers: tuple[tuple[str, str], ...]
    """The selected headers, names in lower case."""
    event: str | None
    """Name of the event, known or not; None if it cannot be read."""
    member: str | None
    """The id of the member (spec 2.1); None if it cannot be read."""
    key: str | None
    """The id of the connection or transaction that it is about; None if it cannot be read."""
    findings: tuple[Finding, ...]
    """Why `parse` rejects it; empty if it is an event."""
    state: DeliveryState = DeliveryState.PENDING
    """How far its handling is."""
    number: int = 0
    """Its number in the inbox: later deliveries have higher ones, which need not follow one another. 0 before it is stored."""
    attempts: int = 0
    """How often a handler failed for it."""
    retry_at: datetime.datetime | None = None
    """When it is tried again, in UTC; None if it waits for nothing."""
    error: str | None = None
    """The class of the last failure on the first line, then its traceback. That may contain personal values: what a handler
    raises is its own."""
    _unread: str | None = None  # names of what cannot be read of its row; what stands for it here is empty
