# SPDX-License-Identifier: MIT
"""The description of a field of an event or of a resource."""

from __future__ import annotations

from bankhook._records.record import Record


class Field(Record):
    """One field of a class, from its row in a table of the specification; `fields` returns them."""

    name: str
    """The attribute: `account_hash`."""
    wire_name: str
    """The name in JSON: `accountHash`."""
    type: str
    """The type of the attribute, as an annotation: `str`."""
    required: bool
    """Whether a payload must have the field; otherwise it may be missing and is then `ABSENT`."""
    nullable: bool
    """Whether it may be null, which is None."""
    section: str
    """The section of the specification."""
    meaning: str
    """Its meaning, in the words of that table."""
    values: tuple[str, ...]
    """The listed values of an enumeration, as they are on the wire; empty for other fields. Others are kept as text."""
