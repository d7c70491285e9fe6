# SPDX-License-Identifier: MIT
"""Changed payloads, as Python's `json` and `jsonschema` with the library's schema see them, and as `diagnose` does.

BANKHOOK_PAYLOADS=1000000 asks about more of them than the ordinary tests do, 10,000 in five seconds.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any, get_args

import jsonschema
import pytest

import bankhook
from python.parsed import DATA

PAYLOADS = int(os.environ.get("BANKHOOK_PAYLOADS", "3000"))
SAMPLES = [path.read_bytes() for path in sorted((DATA / "valid").glob("*.json"))]
TOKENS = [
    *(b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\\u00e9", b"\x00"),
    *(c.encode() for c in '{}[],:"\\ \n0-.Z'),
    *b"NaN -0 1e400 2.0 null true e5 +02:00 99999999999999999999".split(),
]
VALUES: list[Any] = [
    *(None, True, 0, -1, 2.0, 2.5, 19.9, 10**30, "", [], {}, [{}], {"id": "a"}),
    *["x", "created", "rejected", "2026-02-29", "2026-05-04T10:15:30Z"],
    *("2026-03-01 10:00:00.0000", "2026-03-01 24:00:00.0000"),
]

NOT_IN_A_SCHEMA = {
    "fields_are_listed": "a later version may add fields, so the schema allows them",
    "field_names_are_unique": "a JSON Schema sees what was read, where the last field of a name counts",
    "nesting_is_bounded": "a JSON Schema has no depth",
    "numbers_can_be_held": "a number of JSON has no bounds",
    "connection_is_among_those_of_the_customer": "a JSON Schema compares no two values",
    "entries_agree": "a JSON Schema compares no two values",
    "error_code_and_message_agree": "assumed",
    "transaction_id_only_when_matched": "assumed",
    "rejected_update_has_no_transaction_id": "only seen in an example",
    "place_id_exactly_without_store_external_id": "assumed, as the field's name is a stand-in",
    "consent_has_four_fraction_digits": "assumed: the document has one form and no other",
}
"""Rules that the schema does not have, and why."""


def validators() -> dict[str, jsonschema.Draft202012Validator]:
    classes = [cls for cls in get_args(bankhook.AnyEvent) if cls is not bankhook.UnknownEvent]
    schemas = [bankhook.json_schema(cls) for cls in classes]
    return {schema["properties"]["event"]["const"]: jsonschema.Draft202012Validator(schema) for schema in schemas}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a value with each of its keys or indices."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


def with_other_values(rng: random.Random, payload: bytes) -> bytes:
    event = json.loads(payload)
    for _ in range(rng.choice([1, 1, 2])):
        container, key = rng.choice(places(event))
        if rng.random() < 0.25:
            del container[key]
        elif rng.random() < 0.2 and isinstance(container, dict):
            container[rng.choice([*container, "x"])] = container.pop(key)
        else:
            container[key] = rng.choice(VALUES)
    blank = rng.choice(["", " "])
    return json.dumps(event, ensure_ascii=rng.random() < 0.5, separators=("," + blank, ":" + blank)).encode()


def with_other_bytes(rng: random.Random, payload: bytes) -> bytes:
    for _ in range(rng.choice([1, 1, 1, 2])):
        at = rng.randrange(len(payload))
        payload = payload[:at] + rng.choice([b"", *TOKENS]) + payload[at + rng.choice([0, 0, 1, 1, 5]) :]
    return payload


def read(payload: bytes) -> Any:
    """What Python reads strictly by RFC 8259, to which `json` adds three numbers."""

    def refuse(name: str) -> None:
        raise ValueError(name)

    def number(text: str) -> float:
        return max(-1e300, min(1e300, float(text)))  # else `json` makes 1e400 infinite

    value = json.loads(payload.decode("utf-8"), parse_constant=refuse, parse_float=number)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # half a surrogate pair is no character
    return value


def is_valid(payload: bytes) -> bool:
    try:
        event = read(payload)
    except (ValueError, RecursionError):
        return False
    name = event.get("event") if isinstance(event, dict) else None
    return isinstance(name, str) and name in KNOWN and KNOWN[name].is_valid(event)


KNOWN = validators()


@pytest.mark.parametrize("change", [with_other_values, with_other_bytes])
def test_json_and_the_schema_reject_what_diagnose_finds(change: Any) -> None:
    rng = random.Random(7)
    counts = {True: 0, False: 0}
    for _ in range(PAYLOADS // 2):
        payload = change(rng, rng.choice(SAMPLES))
        found = {finding.rule for finding in bankhook.diagnose(payload)} - NOT_IN_A_SCHEMA.keys()
        assert is_valid(payload) != bool(found), (payload, found)
        counts[bool(found)] += 1
    assert min(counts.values()) > PAYLOADS // 50  # both answers were asked for
