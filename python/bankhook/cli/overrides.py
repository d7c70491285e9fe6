# SPDX-License-Identifier: MIT
"""`--set PATH=VALUE`: fields of an event replaced by their wire path, checked against the tables of the specification."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

import click

import bankhook
from bankhook import _core
from bankhook._records.closest import did_you_mean
from bankhook.cli.emissions import SandboxEvent
from bankhook.cli.options import Parsed, utf8

_PATH = re.compile(r"\w+(\[\d{1,4}\])?(\.\w+(\[\d{1,4}\])?)*", re.ASCII)
_STEP = re.compile(r"(\w+)|\[(\d+)\]", re.ASCII)
_KINDS: dict[str, Callable[[str], object]] = {"Decimal": Decimal, "int": int}  # of the fields that are no text


def _override(text: str) -> tuple[str, str]:
    """Return the path and the value, which no message shows: it may be personal."""
    path, equals, value = text.partition("=")
    if not equals or not _PATH.fullmatch(path):
        raise ValueError("expected PATH=VALUE, such as initialTransaction.amount=19.90")
    return path, utf8(value)


OVERRIDE = Parsed("path=value", _override)


def replaced(event: SandboxEvent, overrides: Iterable[tuple[str, str]]) -> SandboxEvent:
    """Return the event with these fields replaced. Raises click.BadParameter for what it does not have or cannot hold."""
    wire = event.to_wire()
    for path, value in overrides:
        _replace(wire, event, path, value)
    try:
        return type(event).from_wire(wire)
    except bankhook.ParseError as error:
        raise _wrong(error.finding.path.removeprefix("$."), error.finding.message) from None


def _replace(wire: Any, event: object, path: str, value: str) -> None:
    """Walk to the field that the last step names, in the wire form and in the event, and put the value there."""
    field, about = None, event
    step: str | int = ""
    holder = place = wire
    for name, index in _STEP.findall(path):
        step, holder, inner = name or int(index), place, _inner(about)
        if step not in inner:
            names = list(map(str, inner))
            known = f"; there is {', '.join(names)}" if names else "; only an object has fields"
            raise _wrong(path, f"there is no field {step!r}{did_you_mean(str(step), names) or known}")
        about, field = inner[step]
        place = place.get(step) if name else place[step]
    if field is None or isinstance(place, (dict, list)):
        raise _wrong(path, "it has fields of its own; set one of them")
    try:
        holder[step] = None if value == "null" and field.nullable else _KINDS.get(field.type, str)(value)
    except (ValueError, InvalidOperation):
        raise _wrong(path, "expected number, found text") from None


def _inner(about: object) -> dict[str | int, tuple[object, bankhook.types.Field | None]]:
    """Return what an object or an array has, by its wire name or its index."""
    if isinstance(about, tuple):
        return {index: (one, None) for index, one in enumerate(about)}
    known = bankhook.fields(type(about)) if type(about) in _core._classes else ()
    return {one.wire_name: (getattr(about, one.name), one) for one in known}


def _wrong(path: str, reason: str) -> click.BadParameter:
    return click.BadParameter(f"{path}: {reason}", param_hint="--set")
