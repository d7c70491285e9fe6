# SPDX-License-Identifier: MIT
"""What the adapters share: objects of the library to and from JSON and its dicts, without losing a digit."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

import bankhook
from bankhook import _core
from bankhook.types import Finding

CLASSES: Final[tuple[type, ...]] = _core._classes
EVENTS: Final[tuple[type, ...]] = get_args(_core.AnyEvent)


def classes_of(annotation: object, *, or_none: bool = False) -> tuple[type, ...]:
    """Return the classes that an annotation names: one of the library's, or a union of events; empty for anything else."""
    if get_origin(annotation) is Annotated:
        return classes_of(get_args(annotation)[0], or_none=or_none)
    if get_origin(annotation) in (Union, UnionType):
        named = tuple(argument for argument in get_args(annotation) if argument is not NoneType or not or_none)
        return named if set(named) <= set(EVENTS) else ()
    return tuple(cls for cls in CLASSES if annotation is cls)


def read(source: object, classes: tuple[type, ...], *, strict: bool = False) -> Any:
    """Return an object of one of these classes: `source` itself, or one parsed from JSON (bytes, str, ...) or a wire form.

    The wire form is what json.loads returns. Raises ParseError; for a wire form, its findings have no offset, line and
    column.
    """
    return _core._read(source, classes, bool(strict))  # any truth value, as for parse


def exact_float(digits: str) -> float:
    """Return the float that is written with the same value as `digits`; raises ValueError if there is no such float."""
    if digits.removeprefix("-").isdecimal():
        return int(digits)
    value = float(digits)
    if Decimal(repr(value)) != Decimal(digits):
        raise ValueError("expected a number that a float holds, found more digits")
    return value


def loc(finding: Finding) -> tuple[str | int, ...]:
    """Return the steps of a finding for messages: names are escaped as in its path."""
    return tuple(_core._escaped(step) if isinstance(step, str) else step for step in finding.steps)


def schema(cls: type, reference: Callable[[type], dict[str, Any]]) -> dict[str, Any]:
    """Return the JSON Schema of a class for use inside another; `reference` returns what stands for each resource in it."""
    if cls is bankhook.UnknownEvent:
        return _schema_of_unknown_event()
    whole = bankhook.json_schema(cls)
    by_name = {known.__name__: known for known in CLASSES}

    def resolved(part: dict[str, Any]) -> dict[str, Any]:
        name = part.pop("$ref", "").rpartition("/")[2]
        return copy.deepcopy(reference(by_name[name])) | part if name else part

    without_definitions = {name: part for name, part in whole.items() if name not in ("$schema", "$defs")}
    made: dict[str, Any] = json.loads(json.dumps(without_definitions), object_hook=resolved)
    return made


def _schema_of_unknown_event() -> dict[str, Any]:
    """Return the schema of an event with any name but the listed ones (section 6)."""
    listed = [bankhook.json_schema(cls)["properties"]["event"] for cls in EVENTS if cls is not bankhook.UnknownEvent]
    return {
        "title": bankhook.UnknownEvent.__name__,
        "description": bankhook.UnknownEvent.__doc__,
        "type": "object",
        "properties": {"event": {"type": "string", "not": {"anyOf": listed}}},
        "required": ["event"],
    }
