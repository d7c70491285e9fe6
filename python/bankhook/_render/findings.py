# SPDX-License-Identifier: MIT
"""Findings with the payload's lines and the marked places; its values are redacted, as by `explain`."""

from __future__ import annotations

from collections.abc import Sequence

from bankhook._archive import LineFindings, LinesReport, ParsedLines, Rejected
from bankhook._archive._findings import of_rules
from bankhook._core import AnyEvent, Evidence, Severity, _excerpts
from bankhook._records.errors import ParseError
from bankhook._records.findings import Finding, Findings
from bankhook._records.words import counted
from bankhook._render import unlisted
from bankhook._render.markup import code, evidence_pill, fold, more, note, pill, safe, table, tag, word

LIMIT = 101  # of findings; more than diagnose lists
LINES_LIMIT = 20  # of rejected lines
EXCERPT_LIMIT = 240


def finding(value: Finding) -> str:
    """Return one finding, without its payload."""
    return _block(value, None)


def findings(values: Findings, *, show_names: bool = True) -> str:
    """Return all findings of a payload, in its order; without `show_names`, only the names of listed fields are shown."""
    return _head(values) + _blocks(values, values._payload, show_names=show_names)


def error(value: ParseError) -> str:
    """Return a payload that is not an event."""
    found = value.findings
    title = tag("div", tag("span", "ParseError", "class") + word(str(value)), "head")
    return title + _blocks(found, None) + note("bankhook.diagnose(payload) shows the places in the payload.")


def rejected(value: Rejected | LineFindings) -> str:
    """Return a line of an archive with its findings."""
    title = tag("span", f"line {value.line:,}", "class") + word(counted(len(value.raw), "byte"))
    return tag("div", title + _counts(value.findings), "head") + _blocks(value.findings, value.raw)


def parsed_lines(value: ParsedLines[AnyEvent]) -> str:
    """Return the lines of an archive that were rejected so far."""
    lines = value.rejected
    head = tag("span", "ParsedLines", "class") + word(counted(len(lines), "line") + " rejected")
    return tag("div", head, "head") + _lines(lines, len(lines))


def lines_report(value: LinesReport) -> str:
    """Return what is wrong with an archive: its findings by rule, and the first lines that have some."""
    head = tag("div", tag("span", "LinesReport", "class") + word(value._summary()), "head")
    lines, rules = value._by_rule()
    rows = [
        (f"{count:,}", code(rule.id), evidence_pill(rule.evidence), _taken(rule.severity), safe(rule.sentence))
        for rule, count, _ in of_rules(rules)
    ]
    by_rule = table(("findings", "rule", "evidence", "severity", "what it requires"), rows) if rows else ""
    all_lines = value.unclean_lines
    part = note(f"The findings of {lines:,} of {all_lines:,} lines are counted.") if rows and lines < all_lines else ""
    return head + by_rule + part + _lines(value.unclean, all_lines)


def _lines(lines: Sequence[Rejected | LineFindings], count: int) -> str:
    """Return the first lines with their findings, folded, and how many more there are."""
    first = lines[:LINES_LIMIT]
    shown = (fold(word(f"line {one.line:,}") + _counts(one.findings), _blocks(one.findings, one.raw)) for one in first)
    return "".join(shown) + more(count - len(first), "line")


def listed_findings(values: Sequence[Finding]) -> str:
    """Return findings to be shown below something else, without a heading."""
    return _blocks(values, None)


def _head(values: Sequence[Finding]) -> str:
    if not values:
        return tag("div", pill("no findings", "good"), "head")
    return tag("div", tag("span", counted(len(values), "finding"), "class") + _counts(values), "head")


def _counts(values: Sequence[Finding]) -> str:
    """Return how many findings there are of each evidence."""
    counts = {evidence: sum(one.evidence is evidence for one in values) for evidence in Evidence}
    return "".join(evidence_pill(evidence, f"{count} {evidence}") for evidence, count in counts.items() if count)


def _blocks(values: Sequence[Finding], payload: bytes | None, *, show_names: bool = True) -> str:
    shown = values[:LIMIT]
    excerpts = (None,) * len(shown) if payload is None else _excerpts(shown, payload, False)
    blocks = [_block(one, excerpt, show_names=show_names) for one, excerpt in zip(shown, excerpts, strict=True)]
    return "".join(blocks) + more(len(values) - len(shown), "finding")


def _block(value: Finding, excerpt: tuple[int, str, int, int] | None, *, show_names: bool = True) -> str:
    where = f", line {value.line}, column {value.column}" if value.line is not None else ""
    path = value.path if show_names else unlisted.path_without_unlisted(value)
    if excerpt is not None and not show_names:
        line, text, start, end = excerpt
        excerpt = line, unlisted.masked(text), start, end
    first = code(path) + " " + safe(value.message)
    hue = "bad" if value.severity is Severity.ERROR else "warn"
    rule = tag(
        "div",
        _taken(value.severity) + evidence_pill(value.evidence) + word(f" {value.rule}, section {value.section}{where}"),
        "rule",
    )
    return tag("div", first + rule + (_pre(value, excerpt) if excerpt else ""), f"finding {hue} {value.evidence}")


def _taken(severity: Severity) -> str:
    is_error = severity is Severity.ERROR
    text, hue = ("parse rejects it", "bad") if is_error else ("parse accepts it", "warn")
    return pill(text, hue, title=f"Severity.{severity.name}")


def _pre(value: Finding, excerpt: tuple[int, str, int, int]) -> str:
    """Return the excerpt; a missing field has no text to mark, so it is named where it can be added."""
    _, text, start, end = excerpt
    before, marked, after = (safe(part, limit=EXCERPT_LIMIT) for part in (text[:start], text[start:end] or " ", text[end:]))
    missing = str(value.steps[-1]) if value.found == "nothing" and value.steps else ""
    if missing:
        marked = "add " + safe(missing, limit=40) + " here"
        after = safe(text[start:], limit=EXCERPT_LIMIT)
    return f"<pre>{before}<mark>{marked}</mark>{after}</pre>"
