# SPDX-License-Identifier: MIT
"""`bankhook rule`: explain a rule, with a payload that breaks it and one that does not, a trigger, or a rejectionReason."""

from __future__ import annotations

import collections
from typing import Any

import click

import bankhook
from bankhook._payloads import payload_folder, rows_of_findings
from bankhook._records.words import row_text
from bankhook.cli import options
from bankhook.cli.findings import say_excerpt, shown
from bankhook.cli.lifecycle import LIFECYCLES
from bankhook.cli.shapes import REJECTION, RULE, TRANSITION, TRIGGER
from bankhook.cli.terminal import gap, say, say_json

_RULES = {rule.id: rule for rule in bankhook.rules}
_REASON = next(field for field in bankhook.fields(bankhook.InitialTransaction) if field.name == "rejection_reason")
_REASONS = {str(reason): reason.__doc__ or "" for reason in bankhook.RejectionReason}
_SEVERITY = {
    "error": "an error: `parse` rejects a payload that breaks it",
    "warning": "a warning: a payload that breaks it is read, and reported",
}
_EVIDENCE = {
    "stated": "stated in the specification",
    "example": "seen in an example of the specification",
    "assumed": "assumed, because the specification does not say it",
}
_TRIGGERS = {
    "submitted": 'the consumer submits an initial transaction, through "Send an initial transaction", for the first time',
    "store_set_up": "the service processes the transaction, and the store is properly set up in the service",
    "store_not_set_up": "the service processes the transaction, and cannot set up the store",
    "create": "the service sends an event with this eventType: a bank connection is created",
    "update": "the service sends an event with this eventType: bank accounts of a connection are created or updated; "
    "that other changes come as update, too, is assumed",
    "listed": "an event lists the connection among all connections of its member",
    "not_listed": "an event does not list the connection, although that has all connections of its member",
    "delete": "the service sends an event with this eventType: which of deleted and disabled connections have one is not shown",
}
"""By the names of the triggers of both lifecycles."""


@options.command()
@click.argument("id_", required=False, metavar="[ID]", type=options.Choice([*_RULES, *_TRIGGERS, *_REASONS]))
@options.as_json
def command(chosen: options.Chosen) -> int:
    """Explain the rule that a finding or a verdict names: what it requires, its section, what it rests on, and a sample
    payload that breaks it beside one that does not. Without an id, all rules are listed. The triggers of the lifecycles
    are explained, too: what happens, who does it, and which states it leads to; and the values of rejectionReason.

    \b
    Example:
      bankhook rule status_equals_event_type

    With --json, one object per line, whose shape `bankhook schema rules` prints.

    Exit status: 0 fine, 2 no such rule or wrong usage.
    """
    id_ = chosen.id_
    if id_ in _TRIGGERS:
        _explain_trigger(id_, chosen.as_json)
    elif id_ in _REASONS:
        reason = REJECTION.of(id=id_, section=_REASON.section, evidence="stated", sentence=_REASONS[id_])
        if chosen.as_json:
            say_json(reason)
        else:
            say((id_, "bold"))
            say(f"a value of {_REASON.wire_name}: {_REASONS[id_]}", first=2)
            gap()
            say(f"section {_REASON.section}, {_EVIDENCE['stated']}", first=2, rest=4)
    for rule in bankhook.rules if id_ is None else [_RULES[id_]] if id_ in _RULES else ():
        if chosen.as_json:
            say_json(RULE.of(rule))
        elif id_ is None:
            say((rule.id, "bold"), f"[section {rule.section}, {rule.evidence}]")
            say(rule.sentence, first=4, rest=4)
        else:
            explain(rule)
    return 0


def _explain_trigger(trigger: str, as_json: bool) -> None:
    """Print what a trigger is, and the rows of its lifecycle that have it."""
    name = next(name for name, lifecycle in LIFECYCLES.items() if trigger in lifecycle.triggers)
    rows = [row for row in LIFECYCLES[name].transitions if row.trigger == trigger]
    if as_json:
        steps = [TRANSITION.of(row, to=row.to, **{"from": row.from_}) for row in rows]
        say_json(TRIGGER.of(id=trigger, lifecycle=name, sentence=_TRIGGERS[trigger], transitions=steps))
        return
    say((trigger, "bold"))
    say(f"a trigger of the lifecycle of a {name}: {_TRIGGERS[trigger]}", first=2)
    if name == "transaction":
        say("the name is bankhook's own: no payload contains it", first=2)
    gap()
    for row in rows:
        say(row_text(row), first=2, rest=4)
    gap()
    say(f"`bankhook lifecycle {name}` prints all that can happen.", first=2, rest=4)


def explain(rule: bankhook.types.Rule) -> None:
    """Print what one rule requires, what it rests on, and an example of either kind."""
    say((rule.id, "bold"))
    say(rule.sentence, first=2)
    gap()
    say(f"section {rule.section}, {_EVIDENCE[rule.evidence.value]}", first=2, rest=4)
    say(_SEVERITY[rule.severity.value], first=2, rest=4)
    gap()
    if (file := _file_that_breaks(rule.id)) is None:
        say("It is about events that follow one another, and stands in the outcome of one.", first=2, rest=4)
        return
    broken = (payload_folder() / file).read_bytes()
    finding = next(finding for finding in bankhook.diagnose(broken) if finding.rule == rule.id)
    say(("breaks it:", "bold"), first=2)
    say(f"{finding.path}: {finding.message}", first=4, rest=6)
    for one in shown((finding,), broken, 1, show_values=True, indent=4):
        say_excerpt(one, indent=4)
    say(("keeps it:", "bold"), first=2)
    text, place = _kept(finding, broken)
    say(f"{finding.path} {text}, in a sample of {place}", first=4, rest=6)


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
    try:
        for step in finding.steps:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        return "is absent", str(wire["event"])
    is_whole = isinstance(value, (dict, list))
    known = "as it should be" if is_whole else json.dumps(value, ensure_ascii=False, default=str)
    return f"is {known}", str(wire["event"])
