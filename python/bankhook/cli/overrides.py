# SPDX-License-Identifier: MIT
"""`--set PATH=VALUE`: fields of an event replaced by their wire path, checked against the tables of the specification."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple, cast

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
    return Override(path, tuple(name or int(index) for name, index in _STEP.findall(path)), value)


def replaced(event: SandboxEvent, overrides: tuple[Override, ...]) -> SandboxEvent:
    """Return the event with these fields replaced. Raises click.BadParameter for what it does not have or cannot hold."""
    wire = event.to_wire()
    for override in overrides:
        _replace(wire, type(event), override)
    try:
        return type(event).from_wire(wire) if overrides else event
    except bankhook.ParseError as error:
        raise _wrong(f"{error.finding.path.removeprefix('$.')}: {error.finding.message}") from None


def _replace(wire: dict[str, Any], cls: type | None, override: Override) -> None:
    """Walk to the field that the last step names, and put the value there."""
    inner: Any = wire
    place: Any = wire
    field: bankhook.types.Field | None = None
    for step in override.steps:
        place = inner
        if isinstance(step, int):
            if not isinstance(place, list) or step >= len(place):
                raise _wrong(f"{override.path}: there is no element {step} in this event")
        elif isinstance(place, list):
            raise _wrong(f"{override.path}: expected an index such as [0] after the name of an array")
        elif cls is None:
            raise _wrong(f"{override.path}: only an object has fields")
        else:
            fields = {one.wire_name: one for one in bankhook.fields(cls)}
            if step not in fields:
                known = did_you_mean(step, fields) or f"; {cls.__name__} has {', '.join(fields)}"
                raise _wrong(f"{override.path}: there is no field {step!r}{known}")
            field, cls = fields[step], _class_of(fields[step])
        inner = cast("Any", place)[step] if isinstance(step, int) else cast("Any", place).get(step)
    if field is None or cls is not None:
        raise _wrong(f"{override.path}: it has fields of its own; set one of them")
    cast("Any", place)[override.steps[-1]] = _value(field, override)


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
