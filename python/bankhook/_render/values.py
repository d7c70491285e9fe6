# SPDX-License-Identifier: MIT
"""Single values: null, absent, listed and unlisted ones look different."""

from __future__ import annotations

import datetime
import enum
from decimal import Decimal
from typing import Any

from bankhook._core import fields
from bankhook._records.absent import ABSENT
from bankhook._records.fields import Field
from bankhook._render.markup import code, pill, quoted, state_pill, tag, word

NULL = word("null", "none")
HIDDEN = tag("span", "···", "hidden", title="not shown: it may be personal")
ABSENCE = word("absent", "none absent")


def value_of(value: object, written: str | None = None) -> str:
    """Return any value that a field can have; `written` has numbers and times as written on the wire."""
    if value is None:
        return NULL
    if value is ABSENT:
        return ABSENCE
    if isinstance(value, enum.Enum):
        return state_pill(str(value.value), title=f"{type(value).__name__}.{value.name}")
    if isinstance(value, str):
        return quoted(value)
    return code(str(value) if written is None else written)


def written(owner: Any, name: str) -> str | None:
    """Return a field as written on the wire, digit by digit; None for null, absent, an object or an array."""
    value = getattr(owner, name)
    if isinstance(value, Decimal | datetime.date):  # what has no other form there costs nothing, however large the owner
        value = owner.to_wire(number=str)[next(field.wire_name for field in fields(type(owner)) if field.name == name)]
    return str(value) if isinstance(value, str | int) else None


def leaf(value: object, written: str | None, field: Field) -> str:
    """Return the value of a field; `written` has numbers and times as written on the wire."""
    if isinstance(value, str) and not isinstance(value, enum.Enum):
        if field.values:
            return pill(value, "unlisted", title=f"not one of {', '.join(field.values)}") + word(" not listed")
        return code(value) if field.name == "event" else quoted(value)
    return value_of(value, written)
