# SPDX-License-Identifier: MIT
"""The shapes of what commands print with `--json`, as JSON Schemas: one object per line."""

from __future__ import annotations

from typing import Any

import bankhook
from bankhook.cli.inboxes import CASE_KINDS, STATES
from bankhook.cli.lifecycle import LIFECYCLES

__all__ = ["SHAPES"]

_Schema = dict[str, Any]

_TEXT: _Schema = {"type": "string"}
_FLAG: _Schema = {"type": "boolean"}
_COUNT: _Schema = {"type": "integer", "minimum": 0}
_COUNTS: _Schema = {"type": "object", "additionalProperties": _COUNT}
_EVIDENCE: _Schema = {"enum": [str(value) for value in bankhook.Evidence]}
_VERDICT: _Schema = {"enum": [str(value) for value in bankhook.Verdict]}


def _or_null(schema: _Schema) -> _Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list_of(schema: _Schema) -> _Schema:
    return {"type": "array", "items": schema}


def _object(optional: tuple[str, ...] = (), /, **fields: _Schema) -> _Schema:
    required = [name for name in fields if name not in optional]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


def _line(type_: str, /, **fields: _Schema) -> _Schema:
    return _object(type={"const": type_}, **fields)


def _lines(title: str, *lines: _Schema) -> _Schema:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "oneOf": list(lines)}


_UNREADABLE = _line("unreadable", file=_TEXT, reason=_TEXT)
_BROKEN = {
    "rule": _TEXT,
    "section": _TEXT,
    "evidence": _EVIDENCE,
    "path": _TEXT,
    "expected": _TEXT,
    "found": _TEXT,
}
_FINDING = _line(
    "finding",
    file=_TEXT,
    line=_COUNT,
    column=_or_null(_COUNT),
    offset={**_COUNT, "description": "bytes before it in the unpacked archive; in a table, in its line"},
    severity={"enum": [str(value) for value in bankhook.types.Severity]},
    **_BROKEN,
)
_READ = {
    "files": _COUNT,
    "unreadable": _COUNT,
    "lines": _COUNT,
    "events": {**_COUNTS, "description": "by name"},
    "unlisted_events": _COUNT,
    "rejected": {**_COUNT, "description": "lines that are not events"},
}
_CHECKED = _line(
    "summary",
    **_READ,
    unclean={**_COUNT, "description": "lines with findings"},
    findings=_COUNT,
    errors=_COUNT,
    rules={**_COUNTS, "description": "findings by the id of their rule"},
    evidence=_COUNTS,
)
_REASON = _or_null(_object(("rule",), rule=_TEXT, section=_TEXT, evidence=_EVIDENCE, sentence=_TEXT))
_CHANGE = _object(
    ("before", "after"),
    kind={"enum": [str(value) for value in bankhook.types.ChangeKind]},
    subject={"enum": [str(value) for value in bankhook.types.ChangeSubject]},
    label={**_TEXT, "description": "what it is called, like `error_raised`"},
    id=_TEXT,
    parent_id=_or_null(_TEXT),
    field=_or_null(_TEXT),
    before={"type": ["string", "integer", "null"], "description": "left out if it is redacted"},
    after={"type": ["string", "integer", "null"], "description": "left out if it is redacted"},
    first_event_missing=_FLAG,
)
_OUTCOME = _line(
    "outcome",
    file=_TEXT,
    line=_COUNT,
    event=_TEXT,
    event_type=_or_null(_TEXT),
    id=_or_null(_TEXT),
    member=_or_null(_TEXT),
    date={**_or_null(_TEXT), "description": "of a transaction; null for other events"},
    verdict=_VERDICT,
    reason=_REASON,
    accepted=_FLAG,
    repeat=_FLAG,
    seen_before=_FLAG,
    changes=_list_of(_CHANGE),
    findings={**_list_of(_TEXT), "description": "ids of rules"},
)
_MEMBER = _line(
    "member",
    member=_TEXT,
    connections_on=_or_null(_COUNT),
    connections_off=_or_null(_COUNT),
    connections=_COUNT,
    deleted=_COUNT,
    unlisted=_COUNT,
    in_error=_COUNT,
    awaiting_accounts=_COUNT,
    accounts=_COUNT,
    transactions={**_COUNTS, "description": "by status"},
)
_TRACKED = _line(
    "summary",
    **_READ,
    repeats=_COUNT,
    not_accepted=_COUNT,
    members=_COUNT,
    changes={**_COUNTS, "description": "by label"},
    verdicts=_COUNTS,
    verdict_counts=_list_of(_object(verdict=_VERDICT, reason=_REASON, repeat=_FLAG, events=_COUNT)),
)
_SHOWN = _line(
    "event",
    file=_TEXT,
    line=_COUNT,
    event={"type": ["object", "null"], "description": "the payload; null if it is not an event"},
    findings=_list_of(_object(**_BROKEN)),
)
_RULE = _line(
    "rule", id=_TEXT, section=_TEXT, evidence=_EVIDENCE, severity=_FINDING["properties"]["severity"], sentence=_TEXT
)
_REASON_OF_A_REJECTION = _line("reason", id=_TEXT, section=_TEXT, evidence=_EVIDENCE, sentence=_TEXT)
_TRIGGER = _line(
    "trigger",
    id=_TEXT,
    lifecycle={"enum": list(LIFECYCLES)},
    sentence=_TEXT,
    transitions=_list_of(
        _object(
            **{"from": {**_or_null(_TEXT), "description": "null at the start"}},
            to={**_or_null(_TEXT), "description": "null: it is not applied"},
            section=_TEXT,
            evidence=_EVIDENCE,
            before={"enum": [word.value for word in bankhook.types.StateBefore]},
        )
    ),
)

_LABEL = _object(
    line={**_COUNT, "description": "of the archive, on which the delivery begins"},
    lines={**_COUNT, "description": "over which it goes"},
    event={**_COUNT, "description": "its number in the history"},
    kind={"enum": [str(value) for value in bankhook.sandbox.FaultKind]},
    fault_event={**_COUNT, "description": "number of the event that was touched"},
    what=_TEXT,
    field=_or_null(_TEXT),
    offset=_or_null(_COUNT),
    late_by=_COUNT,
    detected_by={"enum": [str(value) for value in bankhook.sandbox.DetectedBy]},
    rule=_or_null(_TEXT),
)
_MILLISECONDS = {"type": "number", "minimum": 0, "description": "milliseconds"}
_ANSWER = _line(
    "delivery",
    number={**_COUNT, "description": "in the inbox, or of those that were sent"},
    event=_or_null(_TEXT),
    key={**_or_null(_TEXT), "description": "id of the connection or transaction"},
    status=_or_null(_COUNT),
    problem=_or_null({"enum": ["timeout", "no connection", "no answer"]}),
    milliseconds={"type": "number", "minimum": 0},
)
_ANSWERED = _line(
    "summary",
    sent=_COUNT,
    answers={**_COUNTS, "description": "by status"},
    problems=_COUNTS,
    seconds={"type": "number", "minimum": 0},
    p50=_or_null(_MILLISECONDS),
    p99=_or_null(_MILLISECONDS),
)
_ANSWERS = _lines("bankhook send --json, bankhook replay --json", _ANSWER, _ANSWERED)
_TIME: _Schema = {"type": "string", "format": "date-time"}
_STORED = _object(
    ("body", "traceback"),
    number=_COUNT,
    received=_TIME,
    state={"enum": list(STATES)},
    event=_or_null(_TEXT),
    member=_or_null(_TEXT),
    key={**_or_null(_TEXT), "description": "id of the connection or transaction"},
    rule={**_or_null(_TEXT), "description": "of the first finding, if it was rejected"},
    attempts=_COUNT,
    retry_at=_or_null(_TIME),
    error={**_or_null(_TEXT), "description": "class of the exception of the last failure"},
    body={**_TEXT, "description": "with --show-values"},
    traceback={**_or_null(_TEXT), "description": "with --show-values"},
)
_DEAD_LETTERS = _object(
    rule=_TEXT,
    count=_COUNT,
    numbers={**_list_of(_COUNT), "description": "of deliveries, the newest first"},
    members={**_list_of(_TEXT), "description": "ids that could still be read"},
    keys={**_list_of(_TEXT), "description": "ids that could still be read"},
)
_CASE = _object(
    case={**_COUNT, "description": "its number, for `settle`"},
    kind={"enum": list(CASE_KINDS)},
    field={**_or_null(_TEXT), "description": "that differs"},
    rule={**_or_null(_TEXT), "description": "that is broken"},
    delivery=_COUNT,
    member=_TEXT,
    key=_TEXT,
    received=_TIME,
)
_OVERDUE = _object(key=_TEXT, member=_TEXT, received=_TIME, delivery=_COUNT)

SHAPES: dict[str, _Schema] = {
    "findings": _lines("bankhook check --json", _FINDING, _UNREADABLE, _CHECKED),
    "outcomes": _lines("bankhook track --json", _OUTCOME, _MEMBER, _UNREADABLE, _TRACKED),
    "shown": _lines("bankhook show --json", _SHOWN),
    "rules": _lines("bankhook rule --json", _RULE, _TRIGGER, _REASON_OF_A_REJECTION),
    "labels": _lines("bankhook simulate --labels", _LABEL),
    "answers": _ANSWERS,
    "deliveries": _lines("bankhook inbox deliveries --json", _STORED),
    "dead-letters": _lines("bankhook inbox dead-letters --json", _DEAD_LETTERS),
    "cases": _lines("bankhook inbox cases --json", _CASE),
    "overdue": _lines("bankhook inbox overdue --json", _OVERDUE),
    "retried": _lines("bankhook inbox retry --json", _object(retried=_COUNT)),
    "settled": _lines("bankhook inbox settle --json", _object(settled=_COUNT)),
}
"""By the names that `bankhook schema` takes: each is the schema of one line."""
