# SPDX-License-Identifier: MIT
"""What commands print with `--json`: one object per line, made as shapes.json says, which has the JSON Schemas."""

from __future__ import annotations

import datetime
import functools
from pathlib import Path
from typing import Any

# Where a schema is: the name that `bankhook schema` takes, the number of the line, and fields within it.
FINDING, UNREADABLE, CHECKED = (("findings", number) for number in range(3))
OUTCOME, MEMBER, _, TRACKED = (("outcomes", number) for number in range(4))
CHANGE, REASON, VERDICTS = (*OUTCOME, "changes"), (*OUTCOME, "reason"), (*TRACKED, "verdict_counts")
SHOWN, BROKEN = ("shown", 0), ("shown", 0, "findings")
RULE, LABEL, ANSWER, ANSWERED = ("rules", 0), ("labels", 0), ("answers", 0), ("answers", 1)
STORED, DEAD_LETTERS, CASE, OVERDUE = ((name, 0) for name in ("deliveries", "dead-letters", "cases", "overdue"))


@functools.cache
def schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas by the names that `bankhook schema` takes; each has as title what prints the lines."""
    import json  # takes a while to load, and only --json needs it

    read: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_bytes())
    return read


@functools.cache
def _schema(name: str, number: int, *within: str) -> dict[str, Any]:
    found: dict[str, Any] = schemas()[name]["oneOf"][number]
    for field in within:
        about = found["properties"][field]
        found = next(one for one in (*about.get("anyOf", ()), about.get("items")) if one and "properties" in one)
    return found


def shaped(shape: Any, record: object = None, /, **given: Any) -> dict[str, Any]:
    """Return an object of a shape, with what is given, else with the fields of the record."""
    schema = _schema(*shape)
    own = {name: getattr(record, name) for name in schema["required"] if hasattr(record, name)}
    values = own | given | {"type": schema["properties"].get("type", {}).get("const")}
    return {name: _plain(values[name]) for name in schema["properties"] if name in values}


def _plain(value: object) -> object:
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value
