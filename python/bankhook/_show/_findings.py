# SPDX-License-Identifier: MIT
"""Findings with the payload's lines and the marked places; its values are masked, as `explain` masks them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bankhook._core import Evidence, explain
from bankhook._lines import ParsedLines, Rejected
from bankhook._show._markup import code, evidence_pill, fold, note, pill, plural, safe, tag, word
from bankhook._values import Finding, Findings, ParseError

__all__ = ["error", "finding", "findings", "listed_findings", "parsed_lines", "rejected"]

LIMIT = 101  # of findings; more than diagnose lists
LINES_LIMIT = 20  # of rejected lines
EXCERPT_LIMIT = 240

# What explain writes below a finding that has a place: where, the line, and a caret below the place.
_PLACE = re.compile(r" *--> line \d+, column \d+")
_LINE = re.compile(r" *\d+ \| (.*)", re.DOTALL)
# What a mark covers: a text in quotes, a number or a word, a bracket.
_TOKEN = re.compile(r'"[^"]*"?|[^\s,:{}\[\]"]+|.', re.DOTALL)


class _Excerpt(NamedTuple):
    before: str
    marked: str
    behind: str


def finding(value: Finding) -> str:
    """One finding, without its payload."""
    return _block(value, None)


def findings(values: Findings) -> str:
    """All findings of a payload, in its order."""
    return _head(values) + _blocks(values, values._payload)


def error(value: ParseError) -> str:
    """A payload that is no event."""
    found = value.findings
    title = tag("div", tag("span", "ParseError", "class") + word(str(value)), "head")
    return title + _blocks(found, None) + note("bankhook.diagnose(payload) shows the places in the payload.")


def rejected(value: Rejected) -> str:
    """A line of an archive that is no event."""
    title = tag("span", f"line {value.line:,}", "class") + word(plural(len(value.raw), "byte"))
    return tag("div", title + _counts(value.findings), "head") + _blocks(value.findings, value.raw)


def parsed_lines(value: ParsedLines) -> str:
    """What was rejected of an archive so far."""
    lines = value.rejected
    head = tag("span", "ParsedLines", "class") + word(plural(len(lines), "line") + " rejected")
    shown = "".join(
        fold(word(f"line {line.line:,}") + _counts(line.findings), _blocks(line.findings, line.raw))
        for line in lines[:LINES_LIMIT]
    )
    rest = len(lines) - LINES_LIMIT
    return tag("div", head, "head") + shown + (note(f"… {plural(rest, 'more line')}") if rest > 0 else "")


def listed_findings(values: Sequence[Finding]) -> str:
    """Findings below something else, without a head of their own."""
    return _blocks(values, None)


def _head(values: Sequence[Finding]) -> str:
    if not values:
        return tag("div", pill("no findings", "good"), "head")
    return tag("div", tag("span", plural(len(values), "finding"), "class") + _counts(values), "head")


def _counts(values: Sequence[Finding]) -> str:
    """How many rest on which evidence."""
    counts = {evidence: sum(one.evidence is evidence for one in values) for evidence in Evidence}
    return "".join(evidence_pill(evidence, f"{count} {evidence}", is_fault=True) for evidence, count in counts.items() if count)


def _blocks(values: Sequence[Finding], payload: bytes | None) -> str:
    shown = values[:LIMIT]
    excerpts = iter(() if payload is None else _excerpts(shown, payload))
    blocks = [_block(one, next(excerpts, None) if one.line is not None else None) for one in shown]
    rest = len(values) - len(shown)
    return "".join(blocks) + (note(f"… {plural(rest, 'more finding')}") if rest else "")


def _block(value: Finding, excerpt: _Excerpt | None) -> str:
    where = f", line {value.line}, column {value.column}" if value.line is not None else ""
    first = code(value.path) + " " + safe(value.message)
    rule = tag("div", evidence_pill(value.evidence, is_fault=True) + word(f" {value.rule}, section {value.section}{where}"), "rule")
    return tag("div", first + rule + (_pre(excerpt) if excerpt else ""), f"finding {value.evidence}")


def _pre(excerpt: _Excerpt) -> str:
    before, marked, behind = (safe(text, limit=EXCERPT_LIMIT) for text in excerpt)
    return f"<pre>{before}<mark>{marked}</mark>{behind}</pre>"


def _excerpts(values: Iterable[Finding], payload: bytes) -> Iterator[_Excerpt]:
    """The lines that `explain` shows, one for each finding that has a place."""
    lines = iter(explain(values, payload).split("\n"))
    for line in lines:
        if not _PLACE.fullmatch(line):
            continue
        text = _LINE.fullmatch(next(lines))
        caret = next(lines, "").partition(" | ")[2]
        if text is None or not caret.endswith("^"):
            continue
        yield _marked(text[1], len(caret) - 1)


def _marked(line: str, place: int) -> _Excerpt:
    token = _TOKEN.match(line, place)
    end = token.end() if token else place
    return _Excerpt(line[:place], line[place:end] or " ", line[end:])
