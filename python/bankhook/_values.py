# SPDX-License-Identifier: MIT
"""What stands for absence and for faults: the values that the compiled module takes from Python."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, final

if TYPE_CHECKING:
    from bankhook._core import Evidence, Severity
    from bankhook._drawing import Printer

__all__ = ["ABSENT", "Absent", "Finding", "Findings", "ParseError", "Rule"]


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


class Rule(NamedTuple):
    """One rule of the catalogue: what a payload or a stream of payloads is held to."""

    id: str
    """Stable: `status_equals_event_type`."""
    section: str
    """Of the specification."""
    evidence: Evidence
    """What the rule rests on."""
    severity: Severity
    """`error` if parse rejects a payload that breaks the rule, else `warning`."""
    sentence: str
    """What is true while the rule is kept."""


class Finding(NamedTuple):
    """One thing that is wrong with a payload, and its place; holds no value of it."""

    rule: str
    """The id of the rule that is broken."""
    evidence: Evidence
    """What the rule rests on."""
    section: str
    """Of the specification."""
    severity: Severity
    """`error` if parse rejects the payload for it, else `warning`."""
    steps: tuple[str | int, ...]
    """The path to the value as data: decoded names of fields, indices of elements. At most 32 steps, 64 characters a name."""
    path: str
    """The same as RFC 9535 writes it, like `$.connection.accounts[2].id` or `$['a\\n']`; it is safe to print."""
    offset: int | None
    """Bytes from the start of the payload; None if there is none."""
    line: int | None
    """Counted from 1; None if there is no payload."""
    column: int | None
    """Characters from the start of the line, counted from 1; None if there is no payload."""
    expected: str
    """Like `string or null`."""
    found: str
    """Like `number`: a kind, never a value."""

    @property
    def message(self) -> str:
        """What was expected and what was found."""
        return f"expected {self.expected}, found {self.found}"

    def _repr_html_(self) -> str:
        from bankhook._show import html

        return html(self)


class Findings(tuple[Finding, ...]):
    """Findings in the order of their payload: a tuple that a notebook shows with the payload and the marked places.

    It keeps the payload alive for that; copies of it as a tuple, slices and pickles do not. Raises TypeError for other items.
    """

    _payload: bytes | None

    def __new__(cls, findings: Iterable[Finding] = (), payload: bytes | None = None, /) -> Findings:
        made = super().__new__(cls, findings)
        if not all(isinstance(finding, Finding) for finding in made):
            raise TypeError("Findings: expected objects of Finding")
        if not isinstance(payload, bytes | None):
            raise TypeError(f"Findings: expected the payload as bytes or None, found {type(payload).__name__}")
        made._payload = payload
        return made

    def __copy__(self) -> Findings:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Findings:
        return self

    def __reduce__(self) -> tuple[type[Findings], tuple[tuple[Finding, ...]]]:
        return Findings, (tuple(self),)

    def _repr_html_(self) -> str:
        from bankhook._show import html

        return html(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        from bankhook._show import pretty

        pretty(self, printer)


class ParseError(ValueError):
    """A payload that is no event; its arguments are the message, the finding it is refused for, and all findings."""

    @property
    def findings(self) -> Findings:
        """Everything that is wrong, in the payload's order, as `diagnose` says it."""
        return Findings(self.args[2:])

    @property
    def finding(self) -> Finding:
        """The first finding for which the payload is rejected; the error's path and offset are its own.

        Raises AttributeError if the error was made without findings.
        """
        if (finding := self._first()) is None:
            raise AttributeError("ParseError.finding: the error was made without findings")
        return finding

    @property
    def path(self) -> str:
        """Where the error is, like `$.connection.accounts[2].id`; `$`, the payload itself, without findings."""
        finding = self._first()
        return "$" if finding is None else finding.path

    @property
    def offset(self) -> int | None:
        """Bytes from the start of the payload; None if there is none."""
        finding = self._first()
        return None if finding is None else finding.offset

    @property
    def line(self) -> int | None:
        """Counted from 1; None if there is no payload."""
        finding = self._first()
        return None if finding is None else finding.line

    @property
    def column(self) -> int | None:
        """Characters from the start of the line, counted from 1; None if there is no payload."""
        finding = self._first()
        return None if finding is None else finding.column

    def _first(self) -> Finding | None:
        return self.args[1] if len(self.args) > 1 and isinstance(self.args[1], Finding) else None

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def _repr_html_(self) -> str:
        from bankhook._show import html

        return html(self)


for _class in (Absent, Finding, Findings, ParseError, Rule):
    _class.__module__ = "bankhook"
