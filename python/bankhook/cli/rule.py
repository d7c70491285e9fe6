# SPDX-License-Identifier: MIT
"""`bankhook rule`: explain a rule, with a payload that breaks it."""

from __future__ import annotations

import click

import bankhook
from bankhook._payloads import payloads
from bankhook.cli import options
from bankhook.cli.findings import say_excerpt, shown
from bankhook.cli.shapes import RULE, shaped
from bankhook.cli.terminal import gap, say, say_json

_IDS = [rule.id for rule in bankhook.rules]
_SECTIONS = sorted({rule.section for rule in bankhook.rules}, key=lambda of: [*map(int, of.split("."))])
_SEVERITY = {
    "error": "an error: `parse` rejects a payload that breaks it",
    "warning": "a warning: a payload that breaks it is read, and reported",
}


@options.command()
@click.argument("id_", required=False, metavar="[ID]", type=options.Choice([*_IDS, *_SECTIONS]))
@options.as_json
def command(chosen: options.Chosen) -> int:
    """Explain the rule that a finding or a verdict names: what it requires, its section, what it rests on, and a sample
    payload that breaks it. Without an id, all rules are listed; those of a section by its number. `bankhook lifecycle`
    explains the triggers that are named as reasons, too.

    \b
    Example:
      bankhook rule status_equals_event_type

    With --json, one object per line, whose shape `bankhook schema rules` prints.

    Exit status: 0 fine, 2 no such rule or wrong usage.
    """
    for rule in bankhook.rules:
        if chosen.id_ not in (None, rule.id, rule.section):
            continue
        if chosen.as_json:
            say_json(shaped(RULE, rule))
        elif chosen.id_ == rule.id:
            _explain(rule)
        else:
            say((rule.id, "bold"), f"[section {rule.section}, {rule.evidence}]")
            say(rule.sentence, first=4, rest=4)
    return 0


def _explain(rule: bankhook.types.Rule) -> None:
    """Print what one rule requires, what it rests on, and an example."""
    say((rule.id, "bold"))
    say(rule.sentence, first=2)
    gap()
    say(f"section {rule.section}, {rule.evidence}", first=2, rest=4)
    say(_SEVERITY[rule.severity.value], first=2, rest=4)
    gap()
    if (file := _file_that_breaks(rule.id)) is None:
        say("It is about events that follow one another, or about accounts: no payload breaks it alone.", first=2, rest=4)
        return
    broken = payloads()[file]
    finding = next(finding for finding in bankhook.diagnose(broken) if finding.rule == rule.id)
    say(("breaks it:", "bold"), first=2)
    say(f"{finding.path}: {finding.message}", first=4, rest=6)
    for one in shown((finding,), broken, 1, show_values=True):
        say_excerpt(one)


def _file_that_breaks(rule: str) -> str | None:
    """Return the sample that breaks this rule and as few others as possible; None for a rule about several events."""
    broken = {file: [one.rule for one in bankhook.diagnose(payload)] for file, payload in payloads().items()}
    files = [file for file, rules in broken.items() if rule in rules]
    return min(files, key=lambda file: (len(broken[file]), file), default=None)
