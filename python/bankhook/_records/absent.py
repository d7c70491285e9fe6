# SPDX-License-Identifier: MIT
"""What stands for a field that is missing."""

from __future__ import annotations

import enum
from typing import Final, Literal, final

__all__ = ["ABSENT", "Absent"]


@final
class Absent(enum.Enum):
    """The type of `ABSENT`, its only member: type checkers narrow `is ABSENT` where it is one of an enumeration."""

    ABSENT = "ABSENT"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "ABSENT"

    __str__ = __repr__


ABSENT: Final = Absent.ABSENT
"""A member that is missing, where the specification calls it optional; falsy, and not None, which is null."""

Absent.__module__ = "bankhook"
