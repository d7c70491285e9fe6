# SPDX-License-Identifier: MIT
"""The archives that commands read: each has a name, and a reason if it cannot be read."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple, cast

from bankhook import AnyEvent
from bankhook._archive._source import OpenedSource
from bankhook._render.progress import Bar
from bankhook.cli.envelopes import EnvelopeReader, numbered_lines
from bankhook.cli.growing import GrowingFile
from bankhook.cli.terminal import complain, say_json

__all__ = ["Archive", "Line", "Unreadable", "each_line", "read_each"]


class Line(NamedTuple):
    """An event of an archive, or a line that is not one."""

    line: int
    column: int
    """How many characters precede it on its line."""
    raw: bytes
    event: AnyEvent | None
    """None if the line is not an event."""


class Unreadable(Exception):
    """A file that cannot be read to its end; the message says why."""


class Archive:
    """An archive by its file name, `-` for standard input."""

    def __init__(self, name: str, at: str | None = None, *, grows: bool = False) -> None:
        """Open the file. Raises Unreadable.

        With `at`, the events are the values at this path of its lines; with `grows`, its end is waited at until an
        interruption.
        """
        self.name = "<stdin>" if name == "-" else name
        """The name in messages."""
        try:
            file = cast("IO[bytes]", GrowingFile(name)) if grows else name
            self._source = OpenedSource(_unbuffered_input() if name == "-" else file)
        except OSError as error:
            raise Unreadable(_reason(error)) from None
        self.grows = grows
        self._events = None if at is None else EnvelopeReader(_Text(self._text), at)

    @property
    def position(self) -> int:
        """How many bytes of the file were read."""
        return self._source.position

    def read(self, size: int) -> bytes:
        """Return the next bytes of the events. Raises Unreadable; an incomplete last line is then left out."""
        return self._text(size) if self._events is None else self._events.read(size)

    def _text(self, size: int) -> bytes:
        try:
            return self._source.read(size)
        except (OSError, ImportError) as error:
            raise Unreadable(_reason(error)) from None

    def close(self) -> None:
        """Close the file."""
        self._source.close()


class _Text:
    """The text of an archive, to be read by another reader."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self.read = read


def each_line(archive: Archive) -> Iterator[Line]:
    """Yield events and rejected lines, in the archive's order."""
    for line, column, raw, event in numbered_lines(archive):
        yield Line(line, column, raw, event)


def read_each(
    names: tuple[str, ...],
    take: Callable[[Archive, Bar], None],
    *,
    as_json: bool,
    at: str | None = None,
    grows: bool = False,
) -> int:
    """Pass each archive to `take`, with the bar that shows the progress; for `at` and `grows` see Archive.

    An archive that cannot be read is reported, and the others are read. Returns how many could not be read to their end.
    """
    unreadable = 0
    with Bar(_total_size(names)) as bar:
        for name in names:
            position = 0
            try:
                with contextlib.closing(Archive(name, at, grows=grows)) as archive:
                    try:
                        take(archive, bar)
                    finally:
                        position = archive.position
            except Unreadable as fault:
                unreadable += 1
                bar.hide()
                shown = "<stdin>" if name == "-" else name
                complain(f"{shown}: {fault}")
                if as_json:
                    say_json({"type": "unreadable", "file": shown, "reason": str(fault)})
            bar.pass_by(position)
    return unreadable


def _unbuffered_input() -> IO[bytes] | str:
    """Return standard input without its buffer: a thread that waits for it would hold its lock, and abort the process's end."""
    raw: IO[bytes] | None = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
    return "-" if raw is None else raw


def _total_size(names: tuple[str, ...]) -> int | None:
    """Return the bytes of all the files; None if one of them is not a regular file."""
    size = 0
    for name in names:
        try:
            found = os.stat(0 if name == "-" else name)
        except OSError:
            continue
        if not stat.S_ISREG(found.st_mode):
            return None
        size += found.st_size
    return size


def _reason(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return text[:1].lower() + text[1:]
