# SPDX-License-Identifier: MIT
"""The value of an optional field that is missing."""

from __future__ import annotations

import enum
from typing import Final, Literal, final


@final
class Absent(enum.Enum):
    """The type of `ABSENT`, its only value: it is an enumeration because type checkers narrow `is ABSENT` for those."""

    ABSENT = "ABSENT"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "ABSENT"

    __str__ = __repr__


ABSENT: Final = Absent.ABSENT
"""Stands for an optional field that is missing; falsy, and not None, which is null."""

Absent.__module__ = "bankhook.types"
