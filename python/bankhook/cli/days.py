# SPDX-License-Identifier: MIT
"""The days of an archive: those that its envelopes have, or estimates by the purchases that were created."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import bankhook
from bankhook._archive._numbered import numbered_lines
from bankhook.cli.archives import Archive

_PIECE = 1 << 16
_DAY = re.compile(rb"\d{4}-\d\d-\d\d")


def _reading(pieces: Iterator[bytes]) -> Callable[[int], bytes]:
    return lambda _: next(pieces, b"")


class Days:
    """An archive that is read twice at the same time: by someone who asks for the days of its lines, and here for these."""

    def __init__(self, archive: Archive, received: str | None, events: Counter[str]) -> None:
        """Take the archive, where its envelopes have the time of receipt, and where events are counted by day."""
        one, *others = itertools.tee(iter(functools.partial(archive.read, _PIECE), b""), 2 if received is None else 1)
        self.read, self.at = _reading(one), archive.at
        again = [SimpleNamespace(read=_reading(other), at=self.at) for other in others]
        self._lines = numbered_lines(again[0] if again else Archive(archive.name, received))
        self._events = events
        self._line = self._passed = 0
        self._day = "unknown"

    def of(self, line: int) -> str:
        """Return the day of a line, no earlier one than the last that was asked for."""
        while self._line < line and (one := next(self._lines, None)) is not None:
            self._line = one.line
            if isinstance(one.event, bankhook.InitialTransactionUpdate) and one.event.event_type == "created":
                self._day = str(one.event.initial_transaction.date.date())
            elif time := _DAY.match(one.raw):
                self._day = time[0].decode()
            self._events[self._day] += 1
        return self._day

    def pass_by(self, lines: int) -> None:
        """Read as many lines as were read elsewhere, so that they need not be kept."""
        self._passed += lines
        self.of(self._passed)
