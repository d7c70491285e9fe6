# SPDX-License-Identifier: MIT
"""The days of an archive: those that its envelopes have, or estimates by the purchases that were created."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING

import bankhook
from bankhook._archive._numbered import numbered_lines
from bankhook.cli.archives import Archive

if TYPE_CHECKING:
    from bankhook.types import LineFindings

_PIECE = 1 << 16
_DAY = re.compile(rb"\d{4}-\d\d-\d\d")


def _reading(pieces: Iterator[bytes]) -> Callable[[int], bytes]:
    return lambda _: next(pieces, b"")


class Days:
    """An archive that is read twice at the same time: by someone who asks for the days of its lines, and here for these."""

    def __init__(self, archive: Archive, received: str | None, events: Counter[str]) -> None:
        """Take the archive, where its envelopes have the time of receipt, and where events are counted by day."""
        one, again = itertools.tee(iter(functools.partial(archive.read, _PIECE), b""))
        self.read, self.at = _reading(one), archive.at
        lines = numbered_lines(SimpleNamespace(read=_reading(again), at=self.at))
        times = None if received is None else numbered_lines(Archive(archive.name, received))
        self._lines = ((line, line) for line in lines) if times is None else zip(lines, times, strict=False)
        self._events = events
        self._place = 0, 0
        self._ahead = 0  # how many lines were read here and not elsewhere
        self._day = "unknown"

    def of(self, line: LineFindings) -> str:
        """Return the day of a line, no earlier one than the last that was asked for."""
        while self._place < (line.line, line.column) and self._read_on():
            pass
        return self._day

    def pass_by(self, lines: int) -> None:
        """Read as many lines as were read elsewhere, blank ones not counted, so that they need not be kept."""
        self._ahead -= lines
        while self._ahead < 0 and self._read_on():
            pass

    def _read_on(self) -> bool:
        """Count the next line, and return whether there was one; a line and its time are of the same envelope."""
        if (pair := next(self._lines, None)) is None:
            return False
        line, dated = pair
        self._place = line.line, line.column
        if isinstance(dated.event, bankhook.InitialTransactionUpdate) and dated.event.event_type == "created":
            self._day = str(dated.event.initial_transaction.date.date())
        elif time := _DAY.match(dated.raw):
            self._day = time[0].decode()
        self._events[self._day] += 1
        self._ahead += 1
        return True
