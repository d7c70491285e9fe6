# SPDX-License-Identifier: MIT
"""`bankhook check`: report what is wrong with the events of archives, in the form of compiler messages."""

from __future__ import annotations

import collections
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

import bankhook
from bankhook._archive._reports import diagnosed_parts
from bankhook._render.progress import Bar
from bankhook.cli import options
from bankhook.cli.archives import Archive, read_each
from bankhook.cli.envelopes import path_of_event
from bankhook.cli.findings import place_of, severity_of, shown
from bankhook.cli.terminal import complain, plain, say, say_json, wrapped

if TYPE_CHECKING:
    from bankhook.types import Finding, LineFindings

__all__ = ["command"]


@click.command(short_help="Report what is wrong with the events of archives.")
@options.archives
@click.option("--strict", is_flag=True, help="Also count as errors what `parse(strict=True)` rejects.")
@click.option("--errors", "errors_only", is_flag=True, help="Report errors only: what `parse` rejects; see --strict.")
@click.option(
    "--limit",
    default=100,
    type=click.IntRange(min=0),
    show_default=True,
    metavar="N",
    help="How many findings are shown before the counts by rule; 0 shows all.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print one line per finding: no excerpt, no summary.")
@options.at
@options.allow_empty
@options.show_values
@options.as_json
def command(
    files: tuple[str, ...],
    at: str | None,
    allow_empty: bool,
    strict: bool,
    errors_only: bool,
    limit: int,
    quiet: bool,
    show_values: bool,
    as_json: bool,
) -> int:
    """Report what is wrong with the events of archives (one event per line), with a caret under each place.

    \b
    Example:
      bankhook check yesterday.ndjson.gz today.ndjson

    Arrays of events, events over several lines and several on one line are read, too; the first event decides which form
    the archive has.
    Findings for which `parse` rejects a line are errors. All findings are counted by rule and by the evidence of the
    rule: stated in the specification, seen in an example, or assumed. Texts and numbers are redacted.

    With --json, one object per line, whose shape `bankhook schema findings` prints. All findings are printed then,
    whatever the limit.

    Exit status: 0 no problems, 1 findings, 2 a file could not be read, there are no events, or wrong usage.
    """
    report = _Report(strict, errors_only, 0 if as_json else limit, quiet, show_values, as_json)
    report.check(files, at)
    report.close(allow_empty=allow_empty)
    if is_empty := report.is_empty and not allow_empty:
        complain("there are no events: --allow-empty accepts that")
    return 2 if report.unreadable or is_empty else 1 if report.findings else 0


class _Report:
    """The findings so far."""

    def __init__(self, strict: bool, errors_only: bool, limit: int, quiet: bool, show_values: bool, as_json: bool) -> None:
        self._strict, self._errors_only, self._limit = strict, errors_only, limit
        self._quiet, self._show_values, self._as_json = quiet, show_values, as_json
        self._rules: collections.Counter[str] = collections.Counter()
        self._sections: dict[str, set[str]] = {}  # of the findings, by rule
        self._evidence: collections.Counter[str] = collections.Counter()
        self._events: collections.Counter[str | None] = collections.Counter()
        self._files = self._lines = self._rejected = self._unclean = self._errors = self._shown = 0
        self._at: str | None = None
        self._hint: str | None = None  # where the events seem to be
        self.findings = self.unreadable = 0

    @property
    def is_empty(self) -> bool:
        """Whether files could be read and had no events."""
        return self._count_of_events() == 0 and self.unreadable < self._files

    def check(self, names: tuple[str, ...], at: str | None) -> None:
        """Check the files and report those that cannot be read."""
        self._files, self._at = len(names), at
        self.unreadable = read_each(names, self._check_archive, as_json=self._as_json, at=at)

    def _count_of_events(self) -> int:
        return sum(self._events.values()) + self._rejected

    def _check_archive(self, archive: Archive, bar: Bar) -> None:
        lines = 0
        for part in diagnosed_parts(archive):
            if part.unclean:
                bar.hide()
            for line in part.unclean:
                self._add(archive, line)
            self._events.update(part.events)
            self._rejected += part.rejected
            self._lines += part.lines - lines
            lines = part.lines
            sys.stdout.flush()  # the program at the other end of the pipe may wait for the answer
            bar.update(archive.position)

    def _add(self, archive: Archive, line: LineFindings) -> None:
        findings = line.findings
        errors = [
            finding for finding in findings if severity_of(finding, strict=self._strict) == bankhook.types.Severity.ERROR
        ]
        if self._errors_only:
            findings = bankhook.types.Findings(errors, line.raw)
        if not findings:
            return
        self._unclean += 1
        self._errors += len(errors)
        if self._hint is None and self._at is None and errors and errors[0].rule == "payload_fields_are_present":
            self._hint = path_of_event(line.raw)
        for finding in findings:
            self._rules[finding.rule] += 1
            self._sections.setdefault(finding.rule, set()).add(finding.section)
            self._evidence[finding.evidence.value] += 1
        if self._as_json:
            for finding in findings:
                say_json(self._as_object(finding, archive.name, line))
        else:
            room = len(findings) if self._limit == 0 else max(0, self._limit - self.findings)
            self._show(findings[:room], archive.name, line)
        self.findings += len(findings)

    def _show(self, findings: Sequence[Finding], file: str, line: LineFindings) -> None:
        if not findings:
            return
        for one in shown(findings, line.raw, line.line, line.column, show_values=self._show_values):
            if not self._quiet and self._shown:
                say()
            self._shown += 1
            for text in one.headline(file, severity=severity_of(one.finding, strict=self._strict)):
                say(text)
            for text in one.lines() if one.excerpt and not self._quiet else ():
                say(text)

    def _as_object(self, finding: Finding, file: str, line: LineFindings) -> dict[str, object]:
        number, column = place_of(finding, line.line, line.column)
        return {
            "type": "finding",
            "file": file,
            "line": number,
            "column": column,
            "offset": line.offset + (finding.offset or 0),
            "rule": finding.rule,
            "section": finding.section,
            "evidence": finding.evidence.value,
            "severity": severity_of(finding, strict=self._strict).value,
            "path": finding.path,
            "expected": finding.expected,
            "found": finding.found,
        }

    def close(self, *, allow_empty: bool) -> None:
        """Print the summary."""
        if self._as_json:
            say_json(self._summary())
        elif not self._quiet and (allow_empty or not self.is_empty):
            for line in self._summary_lines():
                say(line)

    def _summary(self) -> dict[str, object]:
        return {
            "type": "summary",
            "files": self._files,
            "unreadable": self.unreadable,
            "lines": self._lines,
            "events": dict(sorted(self._named_events().items())),
            "unlisted_events": self._events[None],
            "rejected": self._rejected,
            "unclean": self._unclean,
            "findings": self.findings,
            "errors": self._errors,
            "rules": dict(self._rules.most_common()),
            "evidence": dict(self._evidence.most_common()),
        }

    def _named_events(self) -> dict[str, int]:
        return {name: count for name, count in self._events.items() if name is not None}

    def _summary_lines(self) -> Iterator[str]:
        if self._limit and self.findings > self._limit:
            yield ""
            yield from wrapped(
                (f"{_count(self.findings - self._limit, 'more finding')} not shown: --limit 0 shows all", {})
            )
        if self.unreadable == self._files and not self._count_of_events():
            return  # the reason was reported for each of them
        if not self.findings:
            yield from wrapped(("OK:", {"fg": "green", "bold": True}), (f"{self._read_text()}, no problems", {}))
            return
        found = f"{_count(self.findings, 'finding')} in {self._unclean:,} of {_count(self._count_of_events(), 'event')}"
        unreadable = f"; {_count(self._rejected, 'event')} cannot be parsed" if self._rejected else ""
        yield ""
        yield from wrapped((found + unreadable, {"bold": True}))
        rules = {rule.id: rule for rule in bankhook.rules}
        for rule, count in self._rules.most_common():
            sections = ", ".join(
                sorted(self._sections[rule], key=lambda section: [int(part) for part in section.split(".")])
            )
            word = "section" if len(self._sections[rule]) == 1 else "sections"
            text = f"{count:>8,}  {rule} ({rules[rule].evidence}, {word} {sections})"
            yield from wrapped((text, {"rule": rule}), rest=10)
        if not self._show_values:
            yield from wrapped(("· is hidden text: --show-values shows it", {}))
        if self._hint is not None:
            yield ""
            yield from wrapped(
                ("hint:", {"bold": True}), (f"there are events at `{plain(self._hint)}`: try --at {plain(self._hint)}", {})
            )

    def _read_text(self) -> str:
        text = _count(self._count_of_events(), "event")
        return text + (f" of {_count(self._files - self.unreadable, 'file')}" if self._files > 1 else "")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
