# SPDX-License-Identifier: MIT
"""Archives of one event a line (NDJSON), plain or compressed, read part by part."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast, get_args

from bankhook import _core
from bankhook._records.display import Printer, html, pretty
from bankhook._records.errors import ParseError

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from bankhook._core import AnyEvent
    from bankhook._records.findings import Finding
    from bankhook.archive._source import Part, Source

__all__ = ["ParsedLines", "Rejected", "parse_lines"]

OnError: TypeAlias = Literal["collect", "raise", "skip"]


class Rejected(NamedTuple):
    """A line that is no event: nothing of it is lost."""

    line: int
    """Counted from 1, blank lines included."""
    raw: bytes
    """The line without its end."""
    findings: tuple[Finding, ...]
    """Everything that is wrong with it; places count from the start of the line."""

    def _repr_html_(self) -> str:
        return html(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        pretty(self, printer)


class ParsedLines:
    """What `parse_lines` gives: iterates events, and keeps the lines that are none in `rejected`.

    Iterating again starts again, unless the source is a file object, which goes on where it stands.
    """

    __slots__ = ("_on_error", "_rejected", "_source")

    def __init__(self, source: Source, on_error: OnError) -> None:
        if not isinstance(on_error, str) or str.__str__(on_error) not in get_args(OnError):
            raise ValueError(f"on_error: expected one of {', '.join(map(repr, get_args(OnError)))}")
        if not (isinstance(source, (str, os.PathLike)) or hasattr(source, "read") or _is_buffer(source)):
            raise TypeError(f"parse_lines() expects a path, a buffer or a binary file, found {type(source).__name__}")
        self._source = source
        self._on_error = cast(OnError, str.__str__(on_error))
        self._rejected: list[Rejected] = []

    @property
    def rejected(self) -> list[Rejected]:
        """The lines so far that are no events, with their findings; of the last iteration."""
        return self._rejected

    def __iter__(self) -> Iterator[AnyEvent]:
        rejected: list[Rejected] = []
        self._rejected = rejected

        def collect(line: int, raw: bytes) -> None:
            rejected.append(_rejected(line, raw))

        ways: dict[str, Callable[[int, bytes], None]] = {"collect": collect, "raise": _raise, "skip": _skip}
        return _core._events(_parts(self._source), ways[self._on_error])

    def __repr__(self) -> str:
        return f"<bankhook.ParsedLines, on_error={self._on_error!r}, {len(self._rejected)} lines rejected>"

    def _repr_html_(self) -> str:
        return html(self)


def parse_lines(source: Source, *, on_error: OnError = "collect") -> ParsedLines:
    """Iterates the events of an archive of one event a line: a path, a buffer or a binary file, gzip or Zstandard or plain.

    A line that is no event never stops the rest: it is collected in `.rejected` with its number, bytes and findings;
    `on_error="raise"` raises its ParseError instead when its turn comes, `"skip"` leaves it out. Blank lines count.
    Lines are read in parts of about 256 KiB without the interpreter's lock; an event that is kept keeps its part alive,
    or all of the bytes where exact `bytes` were given: those are not copied. Files are read, not mapped: one that shrinks
    meanwhile ends early, where a map would end the process (so would one of yours).

    Raises TypeError for another source and ValueError for another `on_error`. Iterating raises OSError where the source
    cannot be read or is damaged, once it has given all that lies before; ImportError where Zstandard needs `bankhook[zstd]`.
    """
    return ParsedLines(source, on_error)


def _rejected(line: int, raw: bytes) -> Rejected:
    return Rejected(line, raw, _core.diagnose(raw))


def _skip(line: int, raw: bytes) -> None:
    """Nothing is done about it."""


def _raise(line: int, raw: bytes) -> None:
    try:
        _core.parse(raw)
    except ParseError as error:
        error.add_note(f"in line {line} of the archive")
        raise


def _is_buffer(source: object) -> bool:
    try:
        memoryview(cast("Buffer", source)).release()
    except TypeError:
        return False
    return True


def _parts(source: Source) -> Callable[[], Part | None]:
    from bankhook.archive._source import (  # not at the start of who reads none
        archive_reader,
        is_compressed,
        whole_lines,
        windows,
    )

    if type(source) is bytes and not is_compressed(source):
        return windows(source)
    return whole_lines(archive_reader(source))


ParsedLines.__module__ = Rejected.__module__ = parse_lines.__module__ = "bankhook"
