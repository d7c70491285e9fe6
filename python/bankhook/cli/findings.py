# SPDX-License-Identifier: MIT
"""Findings in the form of compiler messages: place and sentence, the rule, then the line with a caret under the place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import bankhook
from bankhook import _core
from bankhook._handlers._conditions import EVENTS
from bankhook._records.closest import did_you_mean
from bankhook.cli.terminal import say, width

if TYPE_CHECKING:
    from bankhook.types import Finding, Severity

_COLOURS = {bankhook.types.Severity.ERROR: "red", bankhook.types.Severity.WARNING: "yellow"}
_UNKNOWN = ("fields_are_listed", "customer_has_only_ids")
_MISSING = ("required_fields_are_present", "payload_fields_are_present")
_PAGE = 108  # how many characters an excerpt and its number have without a terminal
_CUSTOMER = ("an account", bankhook.Account), ("`customer`", bankhook.ConnectedCustomer)
_RESOURCE = ("`connection`", bankhook.Connection), ("`initialTransaction`", bankhook.InitialTransaction)
_OWNERS = {
    field.wire_name: name
    for name, owner in (*_CUSTOMER, *_RESOURCE, *(("the event", one) for one in EVENTS))
    for field in bankhook.fields(owner)
}
"""Which object has a field, by the wire name."""


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


def say_finding(one: Shown, file: str, severity: Severity, *, is_short: bool = False) -> None:
    """Print `file:line:column: error: path: expected this, found that [rule, section 2.2, stated]`, and the line below it."""
    finding = one.finding
    say(
        (f"{file}:{one.line}:{one.column}:", "bold"),
        (f"{severity}:", f"bold {_COLOURS[severity]}"),
        f"{finding.path}: {finding.message}{one.hint}",
        f"[{finding.rule}, section {finding.section}, {finding.evidence}]",
        rest=4,
    )
    if one.excerpt and not is_short:
        say_excerpt(one)


def say_excerpt(one: Shown) -> None:
    """Print the line, and the caret below it."""
    say(f"  {one.line} | {one.excerpt}", rest=None)
    say((f"  {' ' * len(str(one.line))} | {' ' * one.caret}^", "bold"), rest=None)


def shown(findings: Sequence[Finding], raw: bytes, line: int, column: int = 0, *, show_values: bool) -> Iterator[Shown]:
    """Yield the findings of a payload with their excerpts; it starts on this line of its file, after `column` characters."""
    places = [place_of(finding, line, column) for finding in findings]
    gutter = 5 + max((len(str(number)) for number, _ in places), default=0)
    room = max(6, (width() or _PAGE) - gutter)
    excerpts = _core._excerpts(findings, raw, show_values, room)
    for finding, place, excerpt in zip(findings, places, excerpts, strict=True):
        _, text, start, _ = excerpt or (0, "", 0, 0)
        yield Shown(finding, *place, text, _core._cells(text[:start]), _hint(finding, findings, raw))


def _hint(finding: Finding, findings: Sequence[Finding], raw: bytes) -> str:
    """Return what an unknown field may be: a field that its object lacks, one of another object, or a similar one.

    Of an object that follows another one: files that lack their last line break were put together.
    """
    at = finding.offset or 0
    if finding.path == "$" and raw[at : at + 1] == b"{" and raw[:at].rstrip(b" \t").endswith(b"}"):
        return "; is a line break missing before it?"
    if finding.rule not in _UNKNOWN or not finding.steps or not isinstance(name := finding.steps[-1], str):
        return ""
    missing = [one.steps[-1] for one in findings if one.rule in _MISSING and one.steps[:-1] == finding.steps[:-1]]
    for known in ([step for step in missing if isinstance(step, str)], sorted(_OWNERS)):
        if name in known:
            return f"; `{name}` is a field of {_OWNERS[name]}"
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
