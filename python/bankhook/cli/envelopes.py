# SPDX-License-Identifier: MIT
"""Events inside of other JSON, as tools that capture requests store them: `{"headers": {...}, "body": {...}}`."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from bankhook import AnyEvent, _core

if TYPE_CHECKING:
    import json

__all__ = ["EnvelopeReader", "Source", "numbered_lines", "path_of_event", "value_at"]

_SPACE = " \t\n\r"
_DEEPEST = 3


class Source(Protocol):
    """What can be read."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most `size`; none at the end."""
        ...


class EnvelopeReader:
    """An archive of envelopes, read as an archive of what is in them; the events have the line numbers of their envelopes.

    An envelope that has no value at the path is passed on unchanged, so that it is reported.
    """

    def __init__(self, source: Source, path: str) -> None:
        """Take a path of names, `request.body`."""
        self._payloads = _payloads(source, path.split("."))

    def read(self, size: int) -> bytes:
        """Return the next payload after its line break, whatever the size; nothing at the end."""
        return next(self._payloads, b"")


def _payloads(source: Source, names: list[str]) -> Iterator[bytes]:
    number = 1
    for line, _, raw, _ in numbered_lines(source):
        value = value_at(raw, names)
        payload = (raw if value is None else value).replace(b"\r", b" ").replace(b"\n", b" ")
        yield b"\n" * max(line - number, 0) + payload + b"\n"
        number = max(line, number) + 1


class _Rejected(Exception):
    """A line that is not an event: its number and its bytes."""


def numbered_lines(source: Source) -> Iterator[tuple[int, int, bytes, AnyEvent | None]]:
    """Yield line, column, bytes and event of everything in a source, in its order; None for the event if it is not one."""

    def reject(line: int, raw: bytes) -> None:
        raise _Rejected(line, raw)

    reader = _core._read_archive(source, reject, None, True)
    while True:
        try:
            line, event = next(reader)
        except _Rejected as rejected:
            yield rejected.args[0], reader.column(), rejected.args[1], None
        except StopIteration:
            return
        else:
            yield line, reader.column(), event.raw, event


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


def _path(value: object, depth: int) -> str | None:
    for name, inner in value.items() if isinstance(value, dict) else ():
        found = inner
        if isinstance(inner, str) and inner.lstrip().startswith("{"):
            try:
                found = _decoder().decode(inner)
            except ValueError:
                continue
        if isinstance(found, dict) and isinstance(found.get("event"), str):
            return str(name)
        if depth < _DEEPEST and found is inner and (rest := _path(inner, depth + 1)) is not None:
            return f"{name}.{rest}"
    return None
