# SPDX-License-Identifier: MIT
"""What `salvage` returns: whom and what a payload is about, as far as it could be read."""

from __future__ import annotations

from bankhook._records.record import Record


class Salvaged(Record):
    """The ids that could be read in a payload; None for each that was incomplete, missing, or had two values."""

    event: str | None = None
    """Name of the event, listed or not (spec 6.1)."""
    member: str | None = None
    """`customer.id`: the member's id in the service (spec 2.1)."""
    external_id: str | None = None
    """`customer.externalId`: the member's id in the consumer's system (spec 2.1)."""
    connection: str | None = None
    """`connection.id` (spec 2.2), of a bank-connection event or of one that is not listed."""
    transaction: str | None = None
    """`initialTransaction.id` (spec 2.4), of an initial-transaction event or of one that is not listed."""
