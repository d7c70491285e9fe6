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
from bankhook._render.markup import code, evidence_pill, fold, head, more, note, pill, safe, table, tag, word

LIMIT = 101  # of findings; more than diagnose lists
LINES_LIMIT = 20  # of rejected lines
EXCERPT_LIMIT = 240


def findings(values: Findings, *, show_names: bool = True) -> str:
    """Return all findings of a payload, in its order; without `show_names`, only the names of listed fields are shown."""
    title = head(counted(len(values), "finding"), _counts(values))
    none = tag("div", pill("no findings", "good"), "head")
    return (title if values else none) + blocks(values, values._payload, show_names=show_names)


def error(value: ParseError) -> str:
    """Return a payload that is not an event."""
    title = head("ParseError", word(str(value)))
    return title + blocks(value.findings) + note("bankhook.diagnose(payload) shows the places in the payload.")


def rejected(value: Rejected | LineFindings) -> str:
    """Return a line of an archive with its findings."""
    found = value.findings
    size = word(counted(len(value.raw), "byte"))
    return head(f"line {value.line:,}", size + _counts(found)) + blocks(found, value.raw)


def parsed_lines(value: ParsedLines[AnyEvent]) -> str:
    """Return the lines of an archive that were rejected so far."""
    lines = value.rejected
    return head("ParsedLines", word(counted(len(lines), "line") + " rejected")) + _lines(lines, len(lines))


def lines_report(value: LinesReport) -> str:
    """Return what is wrong with an archive: its findings by rule, and the first lines that have some."""
    lines, rules = value._by_rule()
    rows = [
        (f"{count:,}", code(rule.id), evidence_pill(rule.evidence), _taken(rule.severity), safe(rule.sentence))
        for rule, count, _ in of_rules(rules)
    ]
    by_rule = table(("findings", "rule", "evidence", "severity", "what it requires"), rows) if rows else ""
    all_lines = value.unclean_lines
    part = note(f"The findings of {lines:,} of {all_lines:,} lines are counted.") if rows and lines < all_lines else ""
    return head("LinesReport", word(value._summary())) + by_rule + part + _lines(value.unclean, all_lines)


def _lines(lines: Sequence[Rejected | LineFindings], count: int) -> str:
    """Return the first lines with their findings, folded, and how many more there are."""
    first = lines[:LINES_LIMIT]
    shown = (fold(word(f"line {one.line:,}") + _counts(one.findings), blocks(one.findings, one.raw)) for one in first)
    return "".join(shown) + more(count - len(first), "line")


def _counts(values: Sequence[Finding]) -> str:
    """Return how many findings there are of each evidence."""
    counts = {evidence: sum(one.evidence is evidence for one in values) for evidence in Evidence}
    return "".join(evidence_pill(evidence, f"{count} {evidence}") for evidence, count in counts.items() if count)


def blocks(values: Sequence[Finding], payload: bytes | None = None, *, show_names: bool = True) -> str:
    """Return findings without a heading, and the marked places if there is a payload."""
    shown = values[:LIMIT]
    excerpts = (None,) * len(shown) if payload is None else _excerpts(shown, payload, False)
    each = [block(one, excerpt, show_names=show_names) for one, excerpt in zip(shown, excerpts, strict=True)]
    return "".join(each) + more(len(values) - len(shown), "finding")


def block(value: Finding, excerpt: tuple[int, str, int, int] | None = None, *, show_names: bool = True) -> str:
    """Return one finding, and the marked place if there is an excerpt of the payload."""
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
