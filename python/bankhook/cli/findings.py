# SPDX-License-Identifier: MIT
"""Findings in the form of compiler messages: place and sentence, the rule, then the line with a caret under the place."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import bankhook
from bankhook import _core
from bankhook._handlers._conditions import EVENTS
from bankhook._records.closest import did_you_mean
from bankhook.cli.terminal import plain, styled, width, wrapped

if TYPE_CHECKING:
    from bankhook.types import Finding, Severity

__all__ = ["Shown", "severity_of", "shown"]

_COLOURS = {bankhook.types.Severity.ERROR: "red", bankhook.types.Severity.WARNING: "yellow"}
_UNKNOWN = ("fields_are_listed", "customer_has_only_ids")
_MISSING = ("required_fields_are_present", "payload_fields_are_present")
_NO_BREAK = "; is a line break missing before it?"
_PAGE = 108  # how many characters an excerpt and its number have without a terminal


@functools.cache
def _fields() -> dict[str, str]:
    """Return which object has a field, by the wire name; not at import, because an option may still name one of them."""
    owners: dict[str, str] = {}
    for owner, class_ in (
        *(("the event", event) for event in EVENTS),
        ("`initialTransaction`", bankhook.InitialTransaction),
        ("`connection`", bankhook.Connection),
        ("`customer`", bankhook.ConnectedCustomer),
        ("an account", bankhook.Account),
    ):
        for field in bankhook.fields(class_):
            owners.setdefault(field.wire_name, owner)
    return owners


class Shown(NamedTuple):
    """A finding and the shown part of its line."""

    finding: Finding
    line: int
    """The number of the line in the file."""
    column: int | None
    excerpt: str
    caret: int
    """How wide the text before the place is."""
    hint: str
    """What an unknown field may be, `; did you mean 'status'?`, or nothing."""

    def headline(self, file: str, *, severity: Severity, indent: int = 0) -> Iterator[str]:
        """Yield `file:line:column: error: path: expected this, found that [rule, section 2.2, stated]`."""
        finding = self.finding
        yield from wrapped(
            (f"{plain(file)}:{self.line}:{self.column}:", {"bold": True}),
            (f"{severity}:", {"bold": True, "fg": _COLOURS[severity]}),
            (f"{plain(finding.path)}: {finding.message}{self.hint}", {}),
            (f"[{finding.rule}, section {finding.section}, {finding.evidence}]", {"rule": finding.rule}),
            first=indent,
            rest=indent + 4,
        )

    def lines(self, *, indent: int = 0) -> Iterator[str]:
        """Yield the line, and below it the caret."""
        number, margin = str(self.line), " " * (indent + 2)
        yield f"{margin}{number} | {self.excerpt}"
        yield f"{margin}{' ' * len(number)} | {' ' * self.caret}{styled('^', bold=True)}"


def shown(
    findings: Sequence[Finding], raw: bytes, line: int, column: int = 0, *, show_values: bool, indent: int = 0
) -> Iterator[Shown]:
    """Yield the findings of a payload with their excerpts; it starts on this line of its file, after `column` characters."""
    places = [place_of(finding, line, column) for finding in findings]
    gutter = indent + 5 + max((len(str(number)) for number, _ in places), default=0)
    room = max(6, (width() or _PAGE) - gutter)
    excerpts = _core._excerpts(findings, raw, show_values, room)
    for finding, place, excerpt in zip(findings, places, excerpts, strict=True):
        _, text, start, _ = excerpt or (0, "", 0, 0)
        hint = _NO_BREAK if _is_joined(finding, raw) else _hint(finding, findings)
        yield Shown(finding, *place, text, _core._cells(text[:start]), hint)


def _is_joined(finding: Finding, raw: bytes) -> bool:
    """Return whether an object follows another one: files that lack their last line break were put together."""
    at = finding.offset or 0
    return finding.path == "$" and raw[at : at + 1] == b"{" and raw[:at].rstrip(b" \t").endswith(b"}")


def _hint(finding: Finding, findings: Sequence[Finding]) -> str:
    """Return what an unknown field may be: a field that its object lacks, one of another object, or a similar one."""
    if finding.rule not in _UNKNOWN or not finding.steps or not isinstance(name := finding.steps[-1], str):
        return ""
    missing = [one.steps[-1] for one in findings if one.rule in _MISSING and one.steps[:-1] == finding.steps[:-1]]
    for known in ([step for step in missing if isinstance(step, str)], sorted(_fields())):
        if name in known:
            return f"; `{name}` is a field of {_fields()[name]}"
        if hint := did_you_mean(name, known, 0.7):
            return hint
    return ""


def place_of(finding: Finding, line: int, column: int) -> tuple[int, int | None]:
    """Return the line and column in the file; the payload starts on this line, after `column` characters."""
    if finding.line is None or finding.column is None:
        return line, finding.column
    return line + finding.line - 1, finding.column + (column if finding.line == 1 else 0)


def severity_of(finding: Finding, *, strict: bool) -> Severity:
    """Return the severity of a finding; `parse(..., strict=True)` also rejects whatever a stated rule forbids."""
    is_error = strict and finding.evidence == bankhook.Evidence.STATED
    return bankhook.types.Severity.ERROR if is_error else finding.severity
