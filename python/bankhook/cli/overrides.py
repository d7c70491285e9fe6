# SPDX-License-Identifier: MIT
"""`--set PATH=VALUE`: fields of an event replaced by their wire path, checked against the tables of the specification."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import click

import bankhook
from bankhook._records.closest import did_you_mean
from bankhook.cli.emissions import SandboxEvent

__all__ = ["Override", "override_of", "replaced"]

_PATH = re.compile(r"\w+(\[\d{1,4}\])?(\.\w+(\[\d{1,4}\])?)*", re.ASCII)
_STEP = re.compile(r"(\w+)|\[(\d+)\]", re.ASCII)


class Override(NamedTuple):
    """A field and its new value."""

    path: str
    """As it was given, for messages."""
    steps: tuple[str | int, ...]
    value: str
    """The new value, which no message shows: it may be personal."""


def override_of(text: str) -> Override:
    """Return what `PATH=VALUE` means. Raises click.BadParameter."""
    path, equals, value = text.partition("=")
    if not equals or not _PATH.fullmatch(path):
        raise _wrong("expected PATH=VALUE, such as initialTransaction.amount=19.90")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _wrong(f"{path}: the value is not UTF-8") from None
    steps = tuple(name or int(index) for name, index in _STEP.findall(path))
    return Override(path, steps, value)


def replaced(event: SandboxEvent, overrides: tuple[Override, ...]) -> SandboxEvent:
    """Return the event with these fields replaced. Raises click.BadParameter for what it does not have or cannot hold."""
    if not overrides:
        return event
    wire = event.to_wire()
    for override in overrides:
        _replace(wire, type(event), override)
    try:
        return type(event).from_wire(wire)
    except bankhook.ParseError as error:
        raise _wrong(f"{error.finding.path.removeprefix('$.')}: {error.finding.message}") from None


def _replace(wire: dict[str, Any], cls: type, override: Override) -> None:
    """Walk to the field that the last step names, and put the value there."""
    place: Any = wire
    field: bankhook.types.Field | None = None
    for depth, step in enumerate(override.steps, 1):
        if isinstance(step, int):
            if not _is_array(place) or step >= len(place):
                raise _wrong(f"{override.path}: there is no element {step} in this event")
        else:
            if _is_array(place):
                raise _wrong(f"{override.path}: expected an index such as [0] after the name of an array")
            field = _field_of(cls, step, override)
            cls = _class_of(field) or cls
        if depth < len(override.steps):
            if field is None or _class_of(field) is None:
                raise _wrong(f"{override.path}: only an object has fields")
            place = place[step]
    last = override.steps[-1]
    if field is None or _class_of(field) is not None:
        raise _wrong(f"{override.path}: it has fields of its own; set one of them")
    place[last] = _value(field, override)


def _is_array(value: object) -> bool:
    return isinstance(value, list)


def _field_of(cls: type, name: str, override: Override) -> bankhook.types.Field:
    fields = {field.wire_name: field for field in bankhook.fields(cls)}
    if name in fields:
        return fields[name]
    known = did_you_mean(name, fields) or f"; {cls.__name__} has {', '.join(fields)}"
    raise _wrong(f"{override.path}: there is no field {name!r}{known}")


def _class_of(field: bankhook.types.Field) -> type | None:
    """Return the class of a field that has fields of its own, or whose elements have."""
    name = field.type.removeprefix("tuple[").removesuffix(", ...]")
    cls: object = getattr(bankhook, name, None) if name.isidentifier() else None
    return cls if isinstance(cls, type) else None


def _value(field: bankhook.types.Field, override: Override) -> object:
    """Return the value as JSON has it: null only where the field may be null, a number only where it is one."""
    if override.value == "null" and field.nullable:
        return None
    if field.type not in ("Decimal", "int"):
        return override.value
    try:
        return int(override.value) if field.type == "int" else Decimal(override.value)
    except (ValueError, InvalidOperation):
        raise _wrong(f"{override.path}: expected number, found text") from None


def _wrong(reason: str) -> click.BadParameter:
    return click.BadParameter(reason, param_hint="--set")
