# SPDX-License-Identifier: MIT
"""What a field of an event or of a resource is."""

from __future__ import annotations

from bankhook._records.record import Record

__all__ = ["Field"]


class Field(Record):
    """One field of a class, as the row of its table in the specification says; `fields` lists them."""

    name: str
    """The attribute: `account_hash`."""
    wire_name: str
    """The name in JSON: `accountHash`."""
    type: str
    """What the attribute may be, as an annotation says it: `str`."""
    required: bool
    """Whether a payload must have the field; otherwise it may be missing and is then `ABSENT`."""
    nullable: bool
    """Whether it may be null, which is None."""
    section: str
    """Of the specification."""
    meaning: str
    """In the words of that section's table."""
