# SPDX-License-Identifier: MIT
"""`bankhook check`: report what is wrong with the events of archives, in the form of compiler messages."""

from __future__ import annotations

import collections
import sys
from typing import TYPE_CHECKING

import bankhook
from bankhook._archive._findings import of_rules
from bankhook._archive._reports import NOTHING_CHECKED, added, diagnosed_parts
from bankhook._records.words import counted
from bankhook._render.progress import Bar
from bankhook.cli import options
from bankhook.cli.archives import Archive, counts_of, lacks_events, read_each
from bankhook.cli.findings import place_of, say_finding, severity_of, shown
from bankhook.cli.shapes import CHECKED, FINDING, shaped
from bankhook.cli.terminal import gap, say, say_json, so_far

if TYPE_CHECKING:
    from bankhook.types import LineFindings


@options.command()
@options.option("--strict", "Also count as errors what `parse(strict=True)` rejects.", bool)
@options.option("--errors errors_only", "Report errors only: what `parse` rejects; see --strict.", bool)
@options.option("--limit", "How many findings are shown before the counts by rule; 0 shows all.", options.COUNT, 100)
@options.option("-q --quiet", "Print one line per finding: no excerpt, no summary.", bool)
@options.reporting
def command(chosen: options.Chosen) -> int:
    """Report what is wrong with the events of archives (one event per line), with a caret under each place.

    \b
    Example:
      bankhook check yesterday.ndjson.gz today.ndjson

    Arrays of events, events over several lines and several on one line are read, too; the first event decides which form
    the archive has.
    Findings for which `parse` rejects a line are errors. All findings are counted by rule, with the evidence of the
    rule: stated in the specification, seen in an example, or assumed. Texts and numbers are redacted.

    With --json, one object per line, whose shape `bankhook schema findings` prints. All findings are printed then,
    whatever the limit.

    Exit status: 0 no problems, 1 findings, 2 a file could not be read, there are no events, or wrong usage.
    """
    report = _Report(chosen)
    report.unreadable = read_each(chosen, report.check)
    return report.close()


class _Report:
    """The findings so far."""

    def __init__(self, chosen: options.Chosen) -> None:
        self._chosen = chosen
        self._read = NOTHING_CHECKED
        self._rules = collections.Counter[tuple[str, str]]()  # findings by rule and section
        self._unclean = self._errors = 0
        self.findings = self.unreadable = 0

    def check(self, archive: Archive, bar: Bar) -> None:
        """Check an archive, and report what is wrong with it."""
        for part in diagnosed_parts(archive):
            if part.unclean:
                bar.hide()
            for line in part.unclean:
                self._add(archive.name, line)
            self._read = added(self._read, part, unclean=())
            sys.stdout.flush()  # the program at the other end of the pipe may wait for the answer
            bar.update(archive.position)

    def _add(self, file: str, line: LineFindings) -> None:
        """Report a line."""
        found = [(finding, severity_of(finding, strict=self._chosen.strict)) for finding in line.findings]
        errors = [one for one in found if one[1] == bankhook.types.Severity.ERROR]
        found = errors if self._chosen.errors_only else found
        self._unclean += bool(found)
        so_far.status |= bool(found)
        self._errors += len(errors)
        for finding, _ in found:
            self._rules[finding.rule, finding.section] += 1
        if self._chosen.as_json:
            for finding, severity in found:
                at = dict(zip(("line", "column"), place_of(finding, line.line, line.column), strict=True))
                offset = line.offset + (finding.offset or 0)
                say_json(shaped(FINDING, finding, file=file, **at, offset=offset, severity=severity))
        elif room := max(0, self._chosen.limit - self.findings) if self._chosen.limit else len(found):
            first = [finding for finding, _ in found[:room]]
            ones = shown(first, line.raw, line.line, line.column, show_values=self._chosen.show_values)
            for one, (_, severity) in zip(ones, found, strict=False):
                if not self._chosen.quiet:
                    gap()
                say_finding(one, file, severity, is_short=self._chosen.quiet)
        self.findings += len(found)

    def close(self) -> int:
        """Print the summary, and return the exit status."""
        if self._chosen.as_json:
            self._say_summary()
        lacks = lacks_events(self._chosen, self._read, self.unreadable)
        if not (lacks or self._chosen.as_json or self._chosen.quiet):
            self._say_counts()
        return 2 if self.unreadable or lacks else 1 if self.findings else 0

    def _say_counts(self) -> None:
        chosen, files = self._chosen, len(self._chosen.files)
        read = self._read.replace(unclean_lines=self._unclean)
        if self.unreadable == files and not read.count:
            return  # the reason was reported for each of them
        if chosen.limit and self.findings > chosen.limit:
            gap()
            say(f"{counted(self.findings - chosen.limit, 'more finding')} not shown: --limit 0 shows all")
        if not self.findings:
            of = f" of {counted(files - self.unreadable, 'file')}" if files > 1 else ""
            say(("OK:", "bold green"), f"{counted(read.count, 'event')}{of}, no problems")
        else:
            gap()
            say((read._summary(self.findings), "bold"))
        for *_, text in of_rules(self._rules):
            say(text, rest=10)
        if self.findings and not chosen.show_values:
            say("· is hidden text: --show-values shows it")

    def _say_summary(self) -> None:
        say_json(
            shaped(
                CHECKED,
                self._read,
                **counts_of(self._read, len(self._chosen.files), self.unreadable),
                unclean=self._unclean,
                findings=self.findings,
                errors=self._errors,
                rules={rule.id: count for rule, count, _ in of_rules(self._rules)},
            )
        )
