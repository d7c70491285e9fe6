# SPDX-License-Identifier: MIT
"""`bankhook check`: report what is wrong with the events of archives, in the form of compiler messages."""

from __future__ import annotations

import collections
import sys
from typing import TYPE_CHECKING

import bankhook
from bankhook._archive._envelopes import path_of_event
from bankhook._archive._findings import lines_of_rules, of_rules
from bankhook._archive._reports import NOTHING_CHECKED, added_findings, diagnosed_parts
from bankhook._records.words import counted
from bankhook._render.progress import Bar
from bankhook.cli import options
from bankhook.cli.archives import Archive, counts_of, read_each
from bankhook.cli.findings import place_of, say_finding, severity_of, shown
from bankhook.cli.shapes import CHECKED, FINDING
from bankhook.cli.terminal import complain, gap, say, say_json

if TYPE_CHECKING:
    from bankhook.types import LineFindings

__all__ = ["command"]


@options.command(short_help="Report what is wrong with the events of archives.")
@options.archives
@options.option("--strict", "Also count as errors what `parse(strict=True)` rejects.", bool)
@options.option("--errors errors_only", "Report errors only: what `parse` rejects; see --strict.", bool)
@options.option("--limit", "How many findings are shown before the counts by rule; 0 shows all.", options.COUNT, 100)
@options.option("-q --quiet", "Print one line per finding: no excerpt, no summary.", bool)
@options.at
@options.allow_empty
@options.show_values
@options.as_json
def command(chosen: options.Chosen) -> int:
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
    report = _Report(chosen)
    report.unreadable = read_each(chosen, report.check)
    report.close()
    if is_empty := report.is_empty and not chosen.allow_empty:
        complain("there are no events: --allow-empty accepts that")
    return 2 if report.unreadable or is_empty else 1 if report.findings else 0


class _Report:
    """The findings so far."""

    def __init__(self, chosen: options.Chosen) -> None:
        self._chosen = chosen
        self._read = NOTHING_CHECKED
        self._rules = collections.Counter[tuple[str, str]]()  # findings by rule and section
        self._unclean = self._errors = 0
        self._hint: str | None = None  # where the events seem to be
        self.findings = self.unreadable = 0

    @property
    def is_empty(self) -> bool:
        """Whether files could be read and had no events."""
        return not self._read.count and self.unreadable < len(self._chosen.files)

    def check(self, archive: Archive, bar: Bar) -> None:
        """Check an archive, and report what is wrong with it."""
        for part in diagnosed_parts(archive):
            if part.unclean:
                bar.hide()
            for line in part.unclean:
                self._add(archive.name, line)
            self._read = added_findings(self._read, part)
            sys.stdout.flush()  # the program at the other end of the pipe may wait for the answer
            bar.update(archive.position)

    def _add(self, file: str, line: LineFindings) -> None:
        judged = [(finding, severity_of(finding, strict=self._chosen.strict)) for finding in line.findings]
        errors = [finding for finding, severity in judged if severity == bankhook.types.Severity.ERROR]
        if self._hint is None and self._chosen.at is None and errors and errors[0].rule == "payload_fields_are_present":
            self._hint = path_of_event(line.raw)
        found = errors if self._chosen.errors_only else list(line.findings)
        self._unclean += bool(found)
        self._errors += len(errors)
        for finding in found:
            self._rules[finding.rule, finding.section] += 1
        if self._chosen.as_json:
            for finding in found:
                number, column = place_of(finding, line.line, line.column)
                place = {"file": file, "line": number, "column": column, "offset": line.offset + (finding.offset or 0)}
                say_json(FINDING.of(finding, **place, severity=severity_of(finding, strict=self._chosen.strict)))
        elif room := max(0, self._chosen.limit - self.findings) if self._chosen.limit else len(found):
            for one in shown(found[:room], line.raw, line.line, line.column, show_values=self._chosen.show_values):
                if not self._chosen.quiet:
                    gap()
                say_finding(one, file, severity_of(one.finding, strict=self._chosen.strict), is_short=self._chosen.quiet)
        self.findings += len(found)

    def close(self) -> None:
        """Print the summary."""
        chosen, files = self._chosen, len(self._chosen.files)
        read = self._read.replace(unclean_lines=self._unclean)
        if chosen.as_json:
            self._say_summary()
        if chosen.as_json or chosen.quiet or (self.is_empty and not chosen.allow_empty):
            return
        if self.unreadable == files and not read.count:
            return  # the reason was reported for each of them
        if chosen.limit and self.findings > chosen.limit:
            gap()
            say(f"{counted(self.findings - chosen.limit, 'more finding')} not shown: --limit 0 shows all")
        if not self.findings:
            of = f" of {counted(files - self.unreadable, 'file')}" if files > 1 else ""
            say(("OK:", "bold green"), f"{counted(read.count, 'event')}{of}, no problems")
            return
        gap()
        say((read._summary(self.findings), "bold"))
        for rule in lines_of_rules(self._rules):
            say(rule, rest=10)
        if not chosen.show_values:
            say("· is hidden text: --show-values shows it")
        if self._hint is not None:
            gap()
            say(("hint:", "bold"), f"there are events at `{self._hint}`: try --at {self._hint}")

    def _say_summary(self) -> None:
        rules = of_rules(self._rules)
        evidence = collections.Counter[str]()
        for rule, count, _ in rules:
            evidence[rule.evidence.value] += count
        say_json(
            CHECKED.of(
                **counts_of(self._read, len(self._chosen.files), self.unreadable),
                unclean=self._unclean,
                findings=self.findings,
                errors=self._errors,
                rules={rule.id: count for rule, count, _ in rules},
                evidence=dict(evidence.most_common()),
            )
        )
