# SPDX-License-Identifier: MIT
"""Events inside of other JSON, as tools that capture requests store them: `{"headers": {...}, "body": {...}}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from bankhook import _core
from bankhook._core import AnyEvent


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
        self._source, self._path = source, path
        self._reader = _core._read_archive(source)

    @property
    def position(self) -> int:
        """How many bytes of the source itself were read."""
        return 0 if isinstance(self._source, bytes) else self._source.position

    def read(self, size: int) -> bytes:
        """Return what is in the next lines, whatever the size; nothing at the end."""
        return _core._unwrap_part(self._reader, self._path) or b""

    def close(self) -> None:
        """Close the source."""
        if not isinstance(self._source, bytes):
            self._source.close()


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
