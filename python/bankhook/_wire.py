# SPDX-License-Identifier: MIT
"""What the adapters share: objects of the library from JSON or from its dicts, and back, without losing a digit."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Any, Final, TypeAlias, TypeGuard, Union, cast, get_args, get_origin

import bankhook
from bankhook import Finding, ParseError, _core

__all__ = ["CLASSES", "EVENTS", "Splice", "classes_of", "exact_float", "from_wire", "loc", "read", "schema", "to_wire"]

_Steps: TypeAlias = tuple[str | int, ...]

CLASSES: Final[tuple[type, ...]] = tuple(cls for cls, _, _ in _core._describe())
EVENTS: Final[tuple[type, ...]] = tuple(cls for cls, _, is_event in _core._describe() if is_event)

_MAX_DEPTH = 32  # how deep to search for a part that is not JSON
_RULES = {rule.id: rule for rule in bankhook.rules}


def classes_of(annotation: object, *, or_none: bool = False) -> tuple[type, ...]:
    """The classes that an annotation names: one of the library's, or a union of events; empty for anything else."""
    if get_origin(annotation) is Annotated:
        return classes_of(get_args(annotation)[0], or_none=or_none)
    if get_origin(annotation) in (Union, UnionType):
        named = tuple(argument for argument in get_args(annotation) if argument is not NoneType or not or_none)
        return named if set(named) <= set(EVENTS) else ()
    return tuple(cls for cls in CLASSES if annotation is cls)


def read(source: object, classes: tuple[type, ...], *, strict: bool = False) -> Any:
    """An object of one of these classes: `source` itself, or what its JSON (bytes, str, ...) or its wire form says.

    The wire form is what json.loads gives. It is written as JSON again, because the library reads nothing else.
    Raises ParseError; its findings have no offset, line and column where the caller never had a text.
    """
    if type(source) in classes:
        if strict and type(source) in EVENTS:
            _core.hold_to_what_is_stated(cast(bankhook.AnyEvent, source))
        return source
    if type(source) in CLASSES:
        raise _other_class(classes, source)
    if _is_text(source):
        return _read_text(source, classes, strict)
    try:
        return _read_text(_text_of(source), classes, strict)
    except ParseError as error:
        raise _without_places(error) from None


def from_wire(cls: type, mapping: Mapping[str, object]) -> Any:
    """An object of this class from its wire form: what `cls.from_dict(mapping, json=True)` gives."""
    return read(mapping, (cls,))


def to_wire(value: Any, number: Callable[[str], object] | None = None) -> Any:
    """The wire form of an object of the library; `number` makes what stands for a number with a fraction or an exponent.

    Without it that is a float if one has exactly this value, and otherwise a Decimal. Raises ValueError for an unknown
    event that is nested more deeply than Python's json can read.
    """
    if number is not None and not callable(number):
        raise TypeError(f"number: expected a function of digits, found {type(number).__name__}")
    try:
        return json.loads(value.to_json(), parse_float=number or _number, parse_int=_whole)
    except RecursionError:
        raise ValueError("expected an event that Python's json can read, found one that is nested more deeply") from None


def exact_float(digits: str) -> float:
    """The float that is written back with the value that `digits` have; ValueError where there is none."""
    value = float(digits)
    if Decimal(repr(value)) != Decimal(digits):
        raise ValueError("expected a number that a float holds, found more digits")
    return value


def _number(digits: str) -> float | Decimal:
    try:
        return exact_float(digits)
    except ValueError:
        return Decimal(digits)


def _whole(digits: str) -> int | Decimal:
    try:
        return int(digits)
    except ValueError:  # thousands of digits, in a member that is not listed: Python makes no int of them
        return Decimal(digits)


class Splice:
    """Parts of a JSON text as they are, where its writer would change them: marks stand for them until it is done."""

    def __init__(self) -> None:
        self._mark = os.urandom(16).hex()  # what no text holds by chance, and nobody can know
        self._parts: list[bytes] = []

    def mark(self, part: bytes) -> str:
        """The text to be written instead of `part`."""
        self._parts.append(part)
        return f"{self._mark}:{len(self._parts) - 1}"

    def fill(self, text: bytes) -> bytes:
        """What was written, with the parts in their places."""
        before, *others = text.split(b'"%s:' % self._mark.encode())
        filled = [before]
        for other in others:
            index, _, rest = other.partition(b'"')
            filled += (self._parts[int(index)], rest)
        return b"".join(filled)


def loc(finding: Finding) -> tuple[str | int, ...]:
    """The steps of a finding for messages: names are escaped as in its path."""
    return tuple(_core._escaped(step) if isinstance(step, str) else step for step in finding.steps)


def schema(cls: type, reference: Callable[[type], dict[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of a class for use inside of another; `reference` gives what stands for the resources in it."""
    if cls is bankhook.UnknownEvent:
        return _schema_of_unknown_event()
    whole = bankhook.json_schema(cls)
    by_name = {known.__name__: known for known in CLASSES}

    def rewritten(part: Any) -> Any:
        if _is_list(part):
            return [rewritten(item) for item in part]
        if not _is_dict(part):
            return part
        if "$ref" in part:
            resource = copy.deepcopy(reference(by_name[part["$ref"].rpartition("/")[2]]))
            return resource | {name: item for name, item in part.items() if name != "$ref"}
        return {name: rewritten(item) for name, item in part.items()}

    return {name: rewritten(part) for name, part in whole.items() if name not in ("$schema", "$defs")}


def _is_list(part: object) -> TypeGuard[list[Any]]:
    return isinstance(part, list)


def _is_dict(part: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(part, dict)


def _schema_of_unknown_event() -> dict[str, Any]:
    """Section 6: an event has a name. Any other than those that the specification lists."""
    listed = [bankhook.json_schema(cls)["properties"]["event"] for cls in EVENTS if cls is not bankhook.UnknownEvent]
    return {
        "title": bankhook.UnknownEvent.__name__,
        "description": bankhook.UnknownEvent.__doc__,
        "type": "object",
        "properties": {"event": {"type": "string", "not": {"anyOf": listed}}},
        "required": ["event"],
    }


def _is_text(source: object) -> bool:
    if isinstance(source, (bytes, str)):
        return True
    try:
        memoryview(source)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def _read_text(text: Any, classes: tuple[type[Any], ...], strict: bool) -> Any:
    if classes[0] not in EVENTS:
        return _core.restore(classes[0], text, _core._place_id_name())
    event = bankhook.parse(text, strict=strict)
    if type(event) not in classes:
        raise _other_class(classes, event)
    return event


def _text_of(source: object) -> bytes:
    exact = Splice()

    def written(value: object) -> object:
        if isinstance(value, Decimal):
            return exact.mark(Decimal.__str__(value).encode())
        if type(value) in CLASSES:
            return exact.mark(value.to_json())  # type: ignore[attr-defined]
        if isinstance(value, Mapping):
            return dict(cast(Mapping[object, object], value))
        raise TypeError

    write = json.JSONEncoder(default=written, ensure_ascii=False, separators=(",", ":")).encode
    try:
        text = write(source)
    except (TypeError, ValueError, RecursionError):
        steps, found = _unwritable(source, write)
        raise _refusal("fields_have_their_type", steps, "what JSON holds", found) from None
    return exact.fill(text.encode("utf-8", "surrogatepass"))


def _unwritable(source: object, write: Callable[[object], str]) -> tuple[_Steps, str]:
    """Where the first part of the wire form lies that is not written as JSON, and what kind it is of."""
    parts: list[tuple[_Steps, object]] = [((), source)]
    while parts:
        steps, part = parts.pop()
        if len(steps) > _MAX_DEPTH:  # nested for nesting's sake, or contains itself
            return steps, type(part).__name__
        inside: list[tuple[_Steps, object]] = []
        if isinstance(part, Mapping):
            members = cast(Mapping[object, object], part)
            inside = [((*steps, str(name)), value) for name, value in members.items()]
            if wrong := next((name for name in members if not isinstance(name, str)), None):
                return steps, f"{type(wrong).__name__} as a name"
        elif isinstance(part, (list, tuple)):
            items = cast(Sequence[object], part)
            inside = [((*steps, index), value) for index, value in enumerate(items)]
        else:
            try:
                write(part)
            except (TypeError, ValueError, RecursionError):
                return steps, type(part).__name__
        parts += reversed(inside)
    return (), type(source).__name__


def _other_class(classes: tuple[type, ...], found: object) -> ParseError:
    are_events = type(found) in EVENTS and classes[0] in EVENTS
    rule, steps = ("event_is_listed", ("event",)) if are_events else ("fields_have_their_type", ())
    return _refusal(rule, steps, " or ".join(cls.__name__ for cls in classes), type(found).__name__)


def _refusal(rule: str, way: _Steps, expected: str, found: str) -> ParseError:
    known = _RULES[rule]
    steps, path = _core._path(way)
    finding = Finding(rule, known.evidence, known.section, known.severity, steps, path, None, None, None, expected, _core._escaped(found))
    return ParseError(f"{path}: {finding.message}", finding, finding)


def _without_places(error: ParseError) -> ParseError:
    """The same findings for who never had a text: offsets would point into one that was written on the way."""
    first, *findings = (finding._replace(offset=None, line=None, column=None) for finding in error.args[1:])
    return ParseError(f"{first.path}: {first.message}", first, *findings)
