# SPDX-License-Identifier: MIT
"""The lines of archives one by one, those that are not events too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bankhook import _core
from bankhook._core import AnyEvent


class Line(NamedTuple):
    """An event of an archive, or a line that is not one."""

    line: int
    column: int
    """How many characters precede it on its line."""
    raw: bytes
    event: AnyEvent | None
    """None if the line is not an event."""


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
