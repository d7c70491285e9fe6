# SPDX-License-Identifier: MIT
"""Single values: null, absent, listed and unlisted ones look different."""

from __future__ import annotations

import enum

from bankhook import _core
from bankhook._records.absent import ABSENT
from bankhook._render.markup import code, pill, quoted, state_pill, tag, word

NULL = word("null", "none")
HIDDEN = tag("span", "···", "hidden", title="not shown: it may be personal")
ABSENCE = word("absent", "none absent")

_ENUMS = {cls.__name__: cls for cls in vars(_core).values() if isinstance(cls, enum.EnumType)}


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


def leaf(value: object, written: str | None, annotation: str) -> str:
    """Return the value of a field; `written` has numbers and times as written on the wire."""
    if value is None or value is ABSENT or isinstance(value, enum.Enum):
        return value_of(value)
    if isinstance(value, str):
        kinds = [part for part in annotation.split(" | ") if part in _ENUMS]
        if kinds:
            return pill(value, "unlisted", title=f"not a listed {kinds[0]}") + word(" not listed")
        return quoted(value) if not annotation.startswith("Literal") else code(value)
    return code(str(value) if written is None else written)
