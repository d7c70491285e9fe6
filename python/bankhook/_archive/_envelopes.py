# SPDX-License-Identifier: MIT
"""Events inside of other JSON, as tools that capture requests store them: `{"headers": {...}, "body": {...}}`."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from bankhook import _core
from bankhook._core import AnyEvent

if TYPE_CHECKING:
    import json

__all__ = ["EnvelopeReader", "Line", "numbered_lines", "path_of_event", "value_at"]

_SPACE = " \t\n\r"
_DEEPEST = 3


class _Source(Protocol):
    """What can be read and closed."""

    @property
    def position(self) -> int: ...
    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


class Line(NamedTuple):
    """An event of an archive, or a line that is not one."""

    line: int
    column: int
    """How many characters precede it on its line."""
    raw: bytes
    event: AnyEvent | None
    """None if the line is not an event."""


class EnvelopeReader:
    """An archive of envelopes, read as an archive of what is in them; the events have the line numbers of their envelopes.

    An envelope that has no value at the path is passed on unchanged, so that it is reported.
    """

    def __init__(self, source: bytes | _Source, path: str) -> None:
        """Take a path of names, `request.body`."""
        if not isinstance(path, str):
            raise TypeError(f"at: expected a path such as 'request.body', found {type(path).__name__}")
        self._source = source
        self._payloads = _payloads(source, path.split("."))

    @property
    def position(self) -> int:
        """How many bytes of the source itself were read."""
        return 0 if isinstance(self._source, bytes) else self._source.position

    def read(self, size: int) -> bytes:
        """Return the next payload after its line break, whatever the size; nothing at the end."""
        return next(self._payloads, b"")

    def close(self) -> None:
        """Close the source."""
        if not isinstance(self._source, bytes):
            self._source.close()


def _payloads(source: object, names: list[str]) -> Iterator[bytes]:
    number = 1
    for line, _, raw, _ in numbered_lines(source):
        value = value_at(raw, names)
        payload = (raw if value is None else value).replace(b"\r", b" ").replace(b"\n", b" ")
        yield b"\n" * max(line - number, 0) + payload + b"\n"
        number = max(line, number) + 1


class _Rejected(Exception):
    """A line that is not an event: its number and its bytes."""


def numbered_lines(source: object) -> Iterator[Line]:
    """Yield events and rejected lines, in the order of the source."""

    def reject(line: int, raw: bytes) -> None:
        raise _Rejected(line, raw)

    reader = _core._read_archive(source, reject, None, True)
    while True:
        try:
            line, event = next(reader)
        except _Rejected as rejected:
            yield Line(rejected.args[0], reader.column(), rejected.args[1], None)
        except StopIteration:
            return
        else:
            yield Line(line, reader.column(), event.raw, event)


def value_at(raw: bytes, names: list[str]) -> bytes | None:
    """Return the value at a path of names, as its bytes stand there, or what a string contains; None without one."""
    try:
        text = raw.decode()
        at = _after_space(text, 0)
        for name in names:
            if (found := _field(text, at, name)) is None:
                return None
            at = found
        value, end = _decoder().raw_decode(text, at)
    except (ValueError, RecursionError, IndexError):
        return None
    return (value if isinstance(value, str) else text[at:end]).encode(errors="replace")


@functools.cache
def _decoder() -> json.JSONDecoder:
    """Load what most archives do not need."""
    import json

    return json.JSONDecoder()


def _after_space(text: str, at: int) -> int:
    while text[at] in _SPACE:
        at += 1
    return at


def _field(text: str, at: int, name: str) -> int | None:
    """Return where the value of a field starts in the object at a place."""
    if text[at] != "{":
        return None
    at = _after_space(text, at + 1)
    while text[at] == '"':
        key, at = _decoder().raw_decode(text, at)
        at = _after_space(text, at)
        if text[at] != ":":
            return None
        at = _after_space(text, at + 1)
        if key == name:
            return at
        _, at = _decoder().raw_decode(text, at)
        at = _after_space(text, at)
        if text[at] != ",":
            return None
        at = _after_space(text, at + 1)
    return None


def path_of_event(raw: bytes) -> str | None:
    """Return the path at which a line that is not an event has one; None if it has none."""
    try:
        return _path(_decoder().decode(raw.decode("utf-8-sig")), 1)
    except (ValueError, RecursionError):
        return None


def _path(value: Any, depth: int) -> str | None:
    for name, inner in cast("dict[str, Any]", value).items() if isinstance(value, dict) else ():
        found: Any = inner
        if isinstance(inner, str) and inner.lstrip().startswith("{"):
            try:
                found = _decoder().decode(inner)
            except ValueError:
                continue
        if isinstance(found, dict) and isinstance(cast("dict[str, Any]", found).get("event"), str):
            return name
        if depth < _DEEPEST and found is inner and (rest := _path(inner, depth + 1)) is not None:
            return f"{name}.{rest}"
    return None
