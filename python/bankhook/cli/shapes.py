# SPDX-License-Identifier: MIT
"""What commands print with `--json`: one object per line, and the JSON Schemas of their shapes, both from one declaration."""

from __future__ import annotations

import datetime
import enum
from types import NoneType
from typing import Any, cast, get_args, get_origin

import bankhook


class Shape:
    """The fields of an object: some are those of a record of the library, with its words about them."""

    def __init__(self, type: str, fields: str, record: str = "", optional: str = "", **types: Any) -> None:
        """Take the value of `type`, if the object has that; its fields; the name of a record; and types of fields.

        Each of `fields` is a name, or a name with a type, `line:int`, and `?` if it may be null; one without a type is that of
        the record, or a text. In `types`, a type is one of Python, a shape, a list with the type of the elements, a tuple of
        types that are possible, or a JSON Schema.
        """
        named = [field.partition(":") for field in fields.split()]
        self._type, self._record, self._optional = type, record, optional.split()
        self._fields: dict[str, Any] = {"type": {"const": type}} if type else {}
        self._fields |= {name: types.get(name, _WORDS.get(word)) for name, _, word in named}

    def of(self, record: object = None, /, **given: Any) -> dict[str, Any]:
        """Return an object with what is given, else with the fields of the record."""
        own = {name: getattr(record, name) for name in self._fields if name not in self._optional and hasattr(record, name)}
        values = own | given | {"type": self._type}
        return {name: _plain(values[name]) for name in self._fields if name in values}

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        record: Any = _record(self._record)
        known = dict(record.__annotations__.items()) if record is not None else {}
        properties = {name: _schema(type or known.get(name, str)) for name, type in self._fields.items()}
        for name in known.keys() & {name for name, type in self._fields.items() if type is None}:
            properties[name]["description"] = cast("Any", record).__slots__[name]
        required = [name for name in properties if name not in self._optional]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _plain(value: object) -> object:
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value


def _record(name: str) -> Any:
    """Return a record by its name; loaded when a schema is asked for."""
    import bankhook.inbox

    modules = bankhook.types, bankhook.inbox, bankhook.sandbox
    return next((getattr(module, name) for module in modules if hasattr(module, name)), None)


def _schema(type: Any) -> dict[str, Any]:
    if isinstance(type, Shape):
        return type.schema()
    if isinstance(type, dict):
        return dict(type)
    if isinstance(type, enum.EnumType):
        return {"enum": list(map(str, type))}
    origin, parts = get_origin(type), get_args(type) or type
    if origin in (list, tuple) or isinstance(type, list):
        return {"type": "array", "items": _schema(parts[0])}
    if origin is dict:
        return {"type": "object", **({} if parts[1] is Any else {"additionalProperties": _schema(parts[1])})}
    if origin is not None or isinstance(type, tuple):
        return {"anyOf": [_schema(part) for part in parts]}
    return dict(_SIMPLE[type])


_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": 0},
    float: {"type": "number", "minimum": 0},
    datetime.datetime: {"type": "string", "format": "date-time"},
    NoneType: {"type": "null"},
}
_WORDS: dict[str, Any] = {
    "str": str,
    "int": int,
    "int?": int | None,
    "text?": str | None,
    "counts": dict[str, int],
    "seconds": float,
    "ms": _SIMPLE[float] | {"description": "milliseconds"},
    "evidence": bankhook.Evidence,
}
_REDACTED = _schema(str | int | None) | {"description": "left out if it is redacted"}

_BROKEN = "rule section evidence path expected found"
_READ = "files:int unreadable:int lines:int events:counts unlisted_events:int rejected:int"
UNREADABLE = Shape("unreadable", "file reason")
BROKEN = Shape("", _BROKEN, "Finding")
_OFFSET = _SIMPLE[int] | {"description": "bytes before it in the unpacked archive"}
FINDING = Shape("finding", f"file line:int column:int? offset {_BROKEN} severity", "Finding", offset=_OFFSET)
UNLISTED = Shape("", "rule path value:str count:int", "Finding", "value")
CHECKED = Shape(
    "summary",
    f"{_READ} unclean:int findings:int errors:int rules:counts unlisted",
    unlisted=[UNLISTED],
)
REASON = Shape("", "rule section evidence:evidence sentence", "", "rule")
_CHANGED = "kind subject label id parent_id field before after first_event_missing"
CHANGE = Shape("", _CHANGED, "Change", "before after", before=_REDACTED, after=_REDACTED)
OUTCOME = Shape(
    "outcome",
    "file line:int event:str event_type:text? id:text? member:text? date verdict reason accepted repeat seen_before "
    "changes findings",
    "Outcome",
    date=_schema(str | None) | {"description": "of a transaction; null for other events"},
    reason=(REASON, NoneType),
    changes=[CHANGE],
    findings=_schema([str]) | {"description": "ids of rules"},
)
MEMBER = Shape(
    "member",
    "member connections_on:int? connections_off:int? connections:int deleted:int unlisted:int in_error:int "
    "awaiting_accounts:int accounts:int transactions:counts",
)
VERDICTS = Shape("", "verdict reason repeat events", "VerdictCount", reason=(REASON, NoneType))
TRACKED = Shape(
    "summary",
    f"{_READ} repeats:int not_accepted:int members:int changes:counts verdicts:counts verdict_counts",
    verdict_counts=[VERDICTS],
)
_PAYLOAD = _schema(dict[str, Any] | None) | {"description": "the payload; null if it is not an event"}
SHOWN = Shape("event", "file line:int event findings", event=_PAYLOAD, findings=[BROKEN])
RULE = Shape("rule", "id section evidence severity sentence", "Rule")
LABEL = Shape(
    "",
    "line:int lines:int event:int kind fault_event:int what field:text? offset:int? late_by detected_by rule",
    "Fault",
)
_PROBLEM = ({"enum": ["timeout", "no connection", "no answer"]}, NoneType)
ANSWER = Shape("delivery", "number:int event:text? key:text? status:int? problem milliseconds:ms", problem=_PROBLEM)
ANSWERED = Shape("summary", "sent:int answers:counts problems:counts seconds:seconds")
STORED = Shape(
    "",
    "number received state event member key rule:text? attempts retry_at error:text? body:str traceback:text?",
    "Delivery",
    "body traceback",
)
DEAD_LETTERS = Shape("", "rule count numbers members keys", "DeadLetters")
CASE = Shape("", "case:int kind field:text? rule:text? delivery compared_with member key received", "Case")
OVERDUE = Shape("", "key member received delivery", "Overdue")
DONE = tuple(Shape("", f"{done}:int") for done in ("retried", "dismissed", "settled", "forgotten", "purged", "moved"))

SHAPES = {
    "findings": ("check --json", FINDING, UNREADABLE, CHECKED),
    "outcomes": ("track --json", OUTCOME, MEMBER, UNREADABLE, TRACKED),
    "shown": ("show --json", SHOWN),
    "rules": ("rule --json", RULE),
    "labels": ("simulate --labels", LABEL),
    "answers": ("send --json, bankhook replay --json", ANSWER, ANSWERED),
    "deliveries": ("inbox deliveries --json", STORED),
    "dead-letters": ("inbox dead-letters --json", DEAD_LETTERS),
    "cases": ("inbox cases --json", CASE),
    "overdue": ("inbox overdue --json", OVERDUE),
    "done": ("inbox retry --json, and dismiss, settle, forget, purge, move", *DONE),
}
"""By the names that `bankhook schema` takes: what prints the lines, and their shapes."""


def schema_of(name: str) -> dict[str, Any]:
    """Return the schema of one line."""
    command, *shapes = SHAPES[name]
    lines = [shape.schema() for shape in shapes if isinstance(shape, Shape)]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"bankhook {command}", "oneOf": lines}
