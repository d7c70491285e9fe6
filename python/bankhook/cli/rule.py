# SPDX-License-Identifier: MIT
"""`bankhook rule`: explain a rule, with a payload that breaks it and one that does not, a trigger, or a rejectionReason."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

import click

import bankhook
from bankhook._payloads import payload_folder, rows_of_findings
from bankhook.cli import options
from bankhook.cli.findings import shown
from bankhook.cli.terminal import plain, say, say_json, styled, wrapped
from bankhook.cli.triggers import EVIDENCE, TRIGGERS, trigger_as_object, trigger_lines

__all__ = ["command", "explained"]

_RULES = {rule.id: rule for rule in bankhook.rules}
_REASON = next(field for field in bankhook.fields(bankhook.InitialTransaction) if field.name == "rejection_reason")
_REASONS = {str(reason): reason.__doc__ or "" for reason in bankhook.RejectionReason}
_SEVERITY = {
    bankhook.types.Severity.ERROR: "an error: `parse` rejects a payload that breaks it",
    bankhook.types.Severity.WARNING: "a warning: a payload that breaks it is read, and reported",
}


@click.command(short_help="Explain a rule, with examples.")
@click.argument("id_", required=False, metavar="[ID]", type=options.Choice([*_RULES, *TRIGGERS, *_REASONS]))
@options.as_json
def command(id_: str | None, as_json: bool) -> int:
    """Explain the rule that a finding or a verdict names: what it requires, its section, what it rests on, and a sample
    payload that breaks it beside one that does not. Without an id, all rules are listed. The triggers of the lifecycles
    are explained, too: what happens, who does it, and which states it leads to; and the values of rejectionReason.

    \b
    Example:
      bankhook rule status_equals_event_type

    With --json, one object per line, whose shape `bankhook schema rules` prints.

    Exit status: 0 fine, 2 no such rule or wrong usage.
    """
    if id_ in TRIGGERS:
        if as_json:
            say_json({"type": "trigger", **trigger_as_object(id_)})
        else:
            for line in trigger_lines(id_):
                say(line)
        return 0
    if id_ in _REASONS:
        reason = {"id": id_, "section": _REASON.section, "evidence": "stated", "sentence": _REASONS[id_]}
        if as_json:
            say_json({"type": "reason", **reason})
        else:
            for line in _explained_reason(**reason):
                say(line)
        return 0
    for rule in bankhook.rules if id_ is None else (_RULES[id_],):
        if as_json:
            say_json({"type": "rule", **{name: str(value) for name, value in rule.to_dict().items()}})
        else:
            for line in _listed(rule) if id_ is None else explained(rule):
                say(line)
    return 0


def _explained_reason(id: str, section: str, evidence: str, sentence: str) -> Iterator[str]:
    yield from wrapped((id, {"bold": True}))
    yield from wrapped((f"a value of {_REASON.wire_name}: {sentence}", {}), first=2, rest=2)
    yield ""
    yield from wrapped((f"section {section}, {EVIDENCE[bankhook.Evidence(evidence)]}", {}), first=2, rest=4)


def _listed(rule: bankhook.types.Rule) -> Iterator[str]:
    yield from wrapped((rule.id, {"bold": True, "rule": rule.id}), (f"[section {rule.section}, {rule.evidence}]", {}))
    yield from wrapped((rule.sentence, {}), first=4, rest=4)


def explained(rule: bankhook.types.Rule) -> Iterator[str]:
    """Yield the lines about one rule: what it requires, what it rests on, and an example of either kind."""
    yield from wrapped((rule.id, {"bold": True, "rule": rule.id}))
    yield from wrapped((rule.sentence, {}), first=2, rest=2)
    yield ""
    yield from wrapped((f"section {rule.section}, {EVIDENCE[rule.evidence]}", {}), first=2, rest=4)
    yield from wrapped((_SEVERITY[rule.severity], {}), first=2, rest=4)
    yield ""
    if (file := _file_that_breaks(rule.id)) is None:
        yield from wrapped(
            ("It is about events that follow one another, and stands in the outcome of one.", {}), first=2, rest=4
        )
        return
    broken = (payload_folder() / file).read_bytes()
    finding = next(finding for finding in bankhook.diagnose(broken) if finding.rule == rule.id)
    yield "  " + styled("breaks it:", bold=True)
    yield from wrapped((f"{plain(finding.path)}: {finding.message}", {}), first=4, rest=6)
    for one in shown((finding,), broken, 1, show_values=True, indent=4):
        yield from one.lines(indent=4)
    yield "  " + styled("keeps it:", bold=True)
    text, place = _kept(finding, broken)
    yield from wrapped((f"{plain(finding.path)} {plain(text)}, in a sample of {place}", {}), first=4, rest=6)


def _file_that_breaks(rule: str) -> str | None:
    """Return the sample that breaks this rule and as few others as possible; None for a rule about several events."""
    findings = collections.Counter(row["file"] for row in rows_of_findings())
    files = {row["file"] for row in rows_of_findings() if row["rule"] == rule}
    return min(files, key=lambda file: (findings[file], file), default=None)


def _kept(finding: bankhook.types.Finding, broken: bytes) -> tuple[str, str]:
    """Return what a valid sample has at the place, and the type of its event: the one most similar to the broken payload."""
    import difflib
    import json

    valid = [file.read_bytes() for file in (payload_folder() / "valid").iterdir() if file.name.endswith(".json")]
    clean = sorted(payload for payload in valid if bankhook.is_clean(payload))
    text = broken.decode(errors="replace")
    best = max(clean, key=lambda payload: difflib.SequenceMatcher(None, text, payload.decode()).quick_ratio())
    wire = bankhook.parse(best).to_wire()
    value: Any = wire
    for step in finding.steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return "is absent", str(wire["event"])
    is_whole = isinstance(value, (dict, list))
    return "is as it should be" if is_whole else f"is {json.dumps(value, ensure_ascii=False, default=str)}", str(
        wire["event"]
    )
