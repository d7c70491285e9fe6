# SPDX-License-Identifier: MIT
"""Lines of archives that have findings."""

from __future__ import annotations

from typing import Any, final

from bankhook import _core
from bankhook._records.display import Printer, html, pretty
from bankhook._records.findings import Findings
from bankhook._records.record import Record

__all__ = ["LineFindings", "LinesReport", "Rejected"]


class _Diagnosed:
    """A line with its findings; read-only, compared by value, and shown without its bytes."""

    __slots__ = ("_findings", "_line", "_raw")

    def __init__(self, line: int, raw: bytes) -> None:
        self._line, self._raw = line, raw
        self._findings: Findings | None = None

    @property
    def line(self) -> int:
        """The number of the line on which it starts, counted from 1, blank lines included."""
        return self._line

    @property
    def raw(self) -> bytes:
        """Its bytes, without a line break at the end."""
        return self._raw

    @property
    def findings(self) -> Findings:
        """Everything that is wrong with it, diagnosed on the first access; places count from the start of `raw`."""
        if self._findings is None:
            self._findings = _core.diagnose(self._raw)
        return self._findings

    def _values(self) -> tuple[Any, ...]:
        return self._line, self._raw

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(line={self._line}, {len(self._raw)} bytes)"

    def _repr_html_(self) -> str:
        return html(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        pretty(self, printer)


@final
class Rejected(_Diagnosed):
    """A line of an archive that is not an event, with all of its bytes."""

    __slots__ = ()


@final
class LineFindings(_Diagnosed):
    """A line of an archive in which `diagnose` finds something."""

    __slots__ = ("_column", "_offset")

    def __init__(self, line: int, raw: bytes, offset: int, column: int) -> None:
        super().__init__(line, raw)
        self._offset, self._column = offset, column

    @property
    def offset(self) -> int:
        """How many bytes of the unpacked archive precede `raw`."""
        return self._offset

    @property
    def column(self) -> int:
        """How many characters precede it on its line: 0, except for elements of an array that do not start a line."""
        return self._column

    def _values(self) -> tuple[Any, ...]:
        return self._line, self._raw, self._offset, self._column


class LinesReport(Record):
    """What `diagnose_lines` returns."""

    lines: int
    """How many lines the archive has, blank ones included."""
    events: dict[str | None, int]
    """How many events there are of each listed name; None for those of other names."""
    rejected: int
    """How many lines `parse` rejects; blank ones are not counted."""
    unclean_lines: int
    """How many lines have findings, rejected ones included."""
    unclean: tuple[LineFindings, ...]
    """Those lines: all of them, or the first ones up to `limit`."""

    def __hash__(self) -> int:
        """Return a hash of all fields but `events`, because a dict has none."""
        return hash((self.lines, self.rejected, self.unclean_lines, self.unclean))


for _class in (LineFindings, LinesReport, Rejected):
    _class.__module__ = "bankhook"
