# SPDX-License-Identifier: MIT
"""`--set PATH=VALUE`: fields of an event replaced by their wire path, checked against the tables of the specification."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import click

import bankhook
from bankhook import _core
from bankhook._records.closest import did_you_mean
from bankhook.cli.emissions import SandboxEvent

_PATH = re.compile(r"\w+(\[\d{1,4}\])?(\.\w+(\[\d{1,4}\])?)*", re.ASCII)
_STEP = re.compile(r"(\w+)|\[(\d+)\]", re.ASCII)
_KINDS: dict[str, Callable[[str], object]] = {"Decimal": Decimal, "int": int}  # of the fields that are no text


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
        _replace(wire, event, override)
    try:
        return type(event).from_wire(wire) if overrides else event
    except bankhook.ParseError as error:
        raise _wrong(f"{error.finding.path.removeprefix('$.')}: {error.finding.message}") from None


def _replace(wire: Any, event: Any, override: Override) -> None:
    """Walk to the field that the last step names, in the wire form and in the event, and put the value there."""
    field, place, inner, about = None, wire, wire, event
    for step in override.steps:
        place = inner
        if isinstance(about, tuple):
            if not isinstance(step, int) or step >= len(about):
                raise _wrong(
                    f"{override.path}: expected an index below {len(about)}, such as [0], after the name of an array"
                )
            inner, about = place[step], about[step]
            continue
        if type(about) not in _core._classes:
            raise _wrong(f"{override.path}: only an object has fields")
        fields = {one.wire_name: one for one in bankhook.fields(type(about))}
        if (field := fields.get(str(step))) is None:
            known = did_you_mean(str(step), fields) or f"; {type(about).__name__} has {', '.join(fields)}"
            raise _wrong(f"{override.path}: there is no field {step!r}{known}")
        inner, about = place.get(step), getattr(about, field.name)
    if field is None or isinstance(about, tuple) or type(about) in _core._classes:
        raise _wrong(f"{override.path}: it has fields of its own; set one of them")
    try:
        value = None if override.value == "null" and field.nullable else _KINDS.get(field.type, str)(override.value)
    except (ValueError, InvalidOperation):
        raise _wrong(f"{override.path}: expected number, found text") from None
    place[override.steps[-1]] = value


def _wrong(reason: str) -> click.BadParameter:
    return click.BadParameter(reason, param_hint="--set")
