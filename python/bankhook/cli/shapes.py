# SPDX-License-Identifier: MIT
"""What commands print with `--json`: one object per line, made as shapes.json says, which has the JSON Schemas."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

SCHEMAS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_bytes())
"""By the names that `bankhook schema` takes: what prints the lines, as title, and their schemas."""

FINDING, UNREADABLE, CHECKED = SCHEMAS["findings"]["oneOf"]
OUTCOME, MEMBER, _, TRACKED = SCHEMAS["outcomes"]["oneOf"]
CHANGE, REASON = OUTCOME["properties"]["changes"]["items"], OUTCOME["properties"]["reason"]["anyOf"][0]
VERDICTS = TRACKED["properties"]["verdict_counts"]["items"]
(SHOWN,) = SCHEMAS["shown"]["oneOf"]
BROKEN = SHOWN["properties"]["findings"]["items"]
(RULE,), (LABEL,) = (SCHEMAS[name]["oneOf"] for name in ("rules", "labels"))
ANSWER, ANSWERED = SCHEMAS["answers"]["oneOf"]
STORED, DEAD_LETTERS, CASE, OVERDUE = (
    SCHEMAS[name]["oneOf"][0] for name in ("deliveries", "dead-letters", "cases", "overdue")
)


def shaped(shape: dict[str, Any], record: object = None, /, **given: Any) -> dict[str, Any]:
    """Return an object of a shape, with what is given, else with the fields of the record."""
    own = {name: getattr(record, name) for name in shape["required"] if hasattr(record, name)}
    values = own | given | {"type": shape["properties"].get("type", {}).get("const")}
    return {name: _plain(values[name]) for name in shape["properties"] if name in values}


def _plain(value: object) -> object:
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value
