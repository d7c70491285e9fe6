# SPDX-License-Identifier: MIT
"""What stands for absence and for faults: the values that the compiled module takes from Python."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, final

__all__ = ["ABSENT", "Absent", "Finding", "ParseError"]


@final
class Absent:
    """The type of `ABSENT`; it has one object."""

    __slots__ = ()
    _only: Absent | None = None

    def __new__(cls) -> Absent:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "ABSENT"

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
"""A member that is missing, where the specification calls it optional; falsy, and not None, which is null."""


class Finding(NamedTuple):
    """One thing that is wrong with a payload, and its place; holds no value of it."""

    path: str
    """Like `$.connection.accounts[2].id`."""
    offset: int
    """Bytes from the begin of the payload."""
    line: int
    """Counted from 1."""
    column: int
    """Characters from the begin of the line, counted from 1."""
    message: str
    """What was expected and what was found."""


class ParseError(ValueError):
    """A payload that is no event; its arguments are the message and the findings, the first fault first."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, in the payload's order."""
        return tuple(self.args[1:])

    @property
    def path(self) -> str:
        """The path of the first finding, like `$.connection.accounts[2].id`."""
        return self.findings[0].path

    @property
    def offset(self) -> int:
        """The place of the first finding in bytes from the begin of the payload."""
        return self.findings[0].offset

    @property
    def line(self) -> int:
        """The line of the first finding, counted from 1."""
        return self.findings[0].line

    @property
    def column(self) -> int:
        """The column of the first finding in characters, counted from 1."""
        return self.findings[0].column

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


Absent.__module__ = Finding.__module__ = ParseError.__module__ = "bankhook"
