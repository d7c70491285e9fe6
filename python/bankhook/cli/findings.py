# SPDX-License-Identifier: MIT
"""Findings in the form of compiler messages: place, rule and sentence, then the line with a caret under the place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import bankhook
from bankhook import _core
from bankhook.cli.terminal import plain, styled

if TYPE_CHECKING:
    from bankhook import Finding, Severity

__all__ = ["Shown", "severity_of", "shown"]

_COLOURS = {bankhook.Severity.ERROR: "red", bankhook.Severity.WARNING: "yellow"}


class Shown(NamedTuple):
    """A finding and the shown part of its line."""

    finding: Finding
    line: int
    """The number of the line in the file."""
    column: int | None
    excerpt: str
    caret: str
    """Blanks as wide as the text before the place."""

    def headline(self, file: str, *, severity: Severity) -> str:
        """Return `file:line:column: rule: path: expected this, found that (section 2.2, stated)`."""
        finding = self.finding
        place = styled(f"{plain(file)}:{self.line}:{self.column}:", bold=True)
        rule = styled(f"{finding.rule}:", bold=True, fg=_COLOURS[severity])
        rests = f"(section {finding.section}, {finding.evidence})"
        return f"{place} {rule} {plain(finding.path)}: {finding.message} {rests}"

    def lines(self) -> Iterator[str]:
        """Yield the line, and below it the caret."""
        number = str(self.line)
        bar = styled("|", fg="blue")
        yield f"  {styled(number, fg='blue')} {bar} {self.excerpt}"
        yield f"  {' ' * len(number)} {bar} {self.caret}{styled('^', bold=True, fg='green')}"


def shown(findings: Sequence[Finding], raw: bytes, line: int, column: int = 0, *, show_values: bool) -> Iterator[Shown]:
    """Yield the findings of a payload with their excerpts; it starts on this line of its file, after `column` characters."""
    excerpts = _core._excerpts(findings, raw, show_values)
    for finding, excerpt in zip(findings, excerpts, strict=True):
        _, text, start, _ = excerpt or (0, "", 0, 0)
        blanks = "".join("\t" if character == "\t" else " " for character in text[:start])
        yield Shown(finding, *place_of(finding, line, column), plain(text), blanks)


def place_of(finding: Finding, line: int, column: int) -> tuple[int, int | None]:
    """Return the line and column in the file; the payload starts on this line, after `column` characters."""
    if finding.line is None or finding.column is None:
        return line, finding.column
    return line + finding.line - 1, finding.column + (column if finding.line == 1 else 0)


def severity_of(finding: Finding, *, strict: bool) -> Severity:
    """Return the severity of a finding; `parse(..., strict=True)` also rejects whatever a stated rule forbids."""
    is_error = strict and finding.evidence == bankhook.Evidence.STATED
    return bankhook.Severity.ERROR if is_error else finding.severity
