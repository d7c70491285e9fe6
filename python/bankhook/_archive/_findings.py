# SPDX-License-Identifier: MIT
"""Lines of archives that have findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from bankhook import _core
from bankhook._records.display import html, pretty, pretty_text
from bankhook._records.findings import Findings, Rule
from bankhook._records.record import Record

_COUNTED: Final = 1_000
"""In how many lines findings are counted when a report is shown: they are made for that."""
_LISTED: Final = 5


class _Diagnosed(Record):
    """A line with its findings; it is shown without its bytes."""

    line: int
    """The number of the line on which it starts, counted from 1, blank lines included."""
    raw: bytes
    """Its bytes, without a line break at the end."""

    @property
    def findings(self) -> Findings:
        """Everything that is wrong with it, diagnosed at each access; places count from the start of `raw`."""
        return _core.diagnose(self.raw)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(line={self.line}, {len(self.raw)} bytes)"

    _repr_html_ = html

    _repr_pretty_ = pretty


class Rejected(_Diagnosed):
    """A line of an archive that is not an event, with all of its bytes."""


class LineFindings(_Diagnosed):
    """A line of an archive in which `diagnose` finds something."""

    offset: int
    """How many bytes of the unpacked archive precede `raw`."""
    column: int
    """How many characters precede it on its line: 0, except for elements of an array that do not start a line."""
    index: int | None = None
    """Which one of its line or element it is, counted from 0, if the path to it goes through arrays."""


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

    @property
    def count(self) -> int:
        """How many events there are, rejected lines included."""
        return sum(self.events.values()) + self.rejected

    def __str__(self) -> str:
        """Return what the command `check` ends with, and where the first lines are."""
        lines, rules = self._by_rule()
        text = [self._summary(), *(line for *_, line in of_rules(rules))]
        if self.unclean:
            of = "" if lines == self.unclean_lines else f", findings counted in {lines:,} of {self.unclean_lines:,} lines"
            first = ", ".join(f"{line.line:,}" for line in self.unclean[:_LISTED])
            more = ", …" if self.unclean_lines > _LISTED else ""
            text.append(f"line{'s' if len(self.unclean) > 1 else ''} {first}{more}{of}")
        return "\n".join(text)

    def __repr__(self) -> str:
        counts = f"lines={self.lines}, events={self.events}, rejected={self.rejected}, unclean_lines={self.unclean_lines}"
        rest = len(self.unclean) - _LISTED
        unclean = [*map(repr, self.unclean[:_LISTED]), *([f"… {rest:,} more"] if rest > 0 else ())]
        return f"LinesReport({counts}, unclean=({', '.join(unclean)}{',' if len(unclean) == 1 else ''}))"

    _repr_html_ = html

    _repr_pretty_ = pretty_text

    def _summary(self, findings: int | None = None) -> str:
        """Return the counts in a sentence, with how many findings there are, if that is known."""
        from bankhook._records.words import counted  # not needed by `import bankhook`

        if not self.unclean_lines:
            return f"OK: {counted(self.count, 'event')}, no problems"
        of = f"{self.unclean_lines:,} of {counted(self.count, 'event')}"
        found = f"{counted(findings, 'finding')} in {of}" if findings is not None else f"findings in {of}"
        return f"{found}; {counted(self.rejected, 'event')} cannot be parsed" if self.rejected else found

    def _by_rule(self) -> tuple[int, Counter[tuple[str, str]]]:
        """Return in how many lines findings were counted, and how many there are of each rule and section."""
        lines = self.unclean[:_COUNTED]
        return len(lines), Counter((finding.rule, finding.section) for line in lines for finding in line.findings)


def of_rules(findings: Counter[tuple[str, str]]) -> Iterator[tuple[Rule, int, str]]:
    """Yield the rules that are broken, the most frequent one first, how often each is, and a line that says so."""
    counts = Counter[str]()
    for (id_, _), count in findings.items():
        counts[id_] += count
    rules = {rule.id: rule for rule in _core.rules}
    for id_, count in counts.most_common():
        sections = sorted((of for one, of in findings if one == id_), key=lambda of: [int(part) for part in of.split(".")])
        rule, word = rules[id_], "section" if len(sections) == 1 else "sections"
        yield rule, count, f"{count:>8,}  {id_} ({rule.evidence}, {word} {', '.join(sections)})"


for _class in (LineFindings, LinesReport, Rejected):
    _class.__module__ = "bankhook.types"
