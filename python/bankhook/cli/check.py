# SPDX-License-Identifier: MIT
"""`bankhook check`: report what is wrong with the events of archives, in the form of compiler messages."""

from __future__ import annotations

import collections
import contextlib
import functools
import re
import sys
from typing import TYPE_CHECKING

import bankhook
from bankhook import _core
from bankhook._archive._findings import of_rules
from bankhook._archive._reports import NOTHING_CHECKED, added, diagnosed_parts
from bankhook._records.words import counted
from bankhook._render.progress import Bar
from bankhook.cli import options
from bankhook.cli.archives import Archive, counts_of, lacks_events, read_each, say_hint
from bankhook.cli.findings import place_of, say_finding, severity_of, shown
from bankhook.cli.shapes import CHECKED, FINDING, UNLISTED
from bankhook.cli.terminal import dumped, gap, say, say_json

if TYPE_CHECKING:
    from bankhook.types import Finding, LineFindings

_UNLISTED = ("event_is_listed", "values_are_listed", "fields_are_listed", "customer_has_only_ids")
_COUNTED = 10_000  # different values: a hostile archive may have more than memory has room for
_SHOWN = 5
_selector = functools.cache(bankhook.select)


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
    rule: stated in the specification, seen in an example, or assumed. Texts and numbers are redacted. Events that the
    specification does not list, their fields and values are counted by name and, with --show-values, by value.

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
        self._unlisted = collections.Counter[tuple[str, str, str | None]]()  # by rule, path and value
        self._unclean = self._errors = 0
        self._hint: str | None = None  # where the events seem to be
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
        # Of an element that does not start its line, it is not known what it has at a path that was given.
        may_be_envelope = self._chosen.at is None or line.column == 0
        if self._hint is None and may_be_envelope and errors and errors[0][0].rule == "payload_fields_are_present":
            self._hint = _core._path_of_event(line.raw)
        found = errors if self._chosen.errors_only else found
        self._unclean += bool(found)
        self._errors += len(errors)
        for finding, _ in found:
            self._rules[finding.rule, finding.section] += 1
            if finding.rule in _UNLISTED:
                self._count_unlisted(finding, line.raw)
        if self._chosen.as_json:
            for finding, severity in found:
                at = dict(zip(("line", "column"), place_of(finding, line.line, line.column), strict=True))
                offset = line.offset + (finding.offset or 0)
                say_json(FINDING.of(finding, file=file, **at, offset=offset, severity=severity))
        elif room := max(0, self._chosen.limit - self.findings) if self._chosen.limit else len(found):
            first = [finding for finding, _ in found[:room]]
            ones = shown(first, line.raw, line.line, line.column, show_values=self._chosen.show_values)
            for one, (_, severity) in zip(ones, found, strict=False):
                if not self._chosen.quiet:
                    gap()
                say_finding(one, file, severity, is_short=self._chosen.quiet)
        self.findings += len(found)

    def _count_unlisted(self, finding: Finding, raw: bytes) -> None:
        value: object = None
        if self._chosen.show_values and finding.rule in _UNLISTED[:2]:
            with contextlib.suppress(bankhook.ParseError):  # of another thing that is wrong with it
                (value,) = _selector(finding.path.removeprefix("$."))(raw)
        path = re.sub(r"\[\d+\]", "[]", finding.path)
        key = finding.rule, path, None if value is None else str(value)[:100]
        if key in self._unlisted or len(self._unlisted) < _COUNTED:
            self._unlisted[key] += 1

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
        for rule, _, text in of_rules(self._rules):
            say(text, rest=10)
            found = [(one, count) for one, count in self._unlisted.most_common() if one[0] == rule.id]
            for (_, path, value), count in found[:_SHOWN]:
                say(f"{count:>14,}  {path}", *([] if value is None else [dumped(value)]), rest=16)
            if len(found) > _SHOWN:
                say(f"and {len(found) - _SHOWN:,} more", first=16)
        if self.findings and not chosen.show_values:
            say("· is hidden text: --show-values shows it")
        if self._hint is not None:
            gap()
            say(("hint:", "bold"), f"there are events at `{self._hint}`: try --at {self._hint}")
        elif self.findings and chosen.at is not None:
            say_hint(chosen.files, chosen.at)

    def _say_summary(self) -> None:
        say_json(
            CHECKED.of(
                self._read,
                **counts_of(self._read, len(self._chosen.files), self.unreadable),
                unclean=self._unclean,
                findings=self.findings,
                errors=self._errors,
                rules={rule.id: count for rule, count, _ in of_rules(self._rules)},
                unlisted=[
                    UNLISTED.of(rule=rule, path=path, count=count, **({} if value is None else {"value": value}))
                    for (rule, path, value), count in self._unlisted.most_common()
                ],
            )
        )
