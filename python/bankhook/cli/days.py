# SPDX-License-Identifier: MIT
"""The days of an archive: those that its envelopes have, or estimates by the purchases that were created."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TypeAlias

import bankhook
from bankhook._archive._numbered import numbered_lines
from bankhook.cli.archives import Archive

_PIECE = 1 << 16
_DAY = re.compile(rb"\d{4}-\d\d-\d\d")
Days: TypeAlias = Iterator[tuple[tuple[int, int], str]]
"""Of each line that is not blank its place, number and column, and its day."""


def with_days(archive: Archive, received: str | None) -> tuple[SimpleNamespace, Days]:
    """Return the archive to be read by someone else, and the days of its lines, to be read at the same time.

    `received` is where its envelopes have the time of receipt.
    """
    pieces = itertools.tee(iter(functools.partial(archive.read, _PIECE), b""))
    one, again = (SimpleNamespace(read=functools.partial(_next, each), at=archive.at) for each in pieces)
    return one, _days(again, None if received is None else Archive(archive.name, received))


def _next(pieces: Iterator[bytes], _: int) -> bytes:
    return next(pieces, b"")


def _days(source: SimpleNamespace, times: Archive | None) -> Days:
    """Yield the days; a line and its time are of the same envelope."""
    day, lines = "unknown", numbered_lines(source)
    pairs = ((line, line) for line in lines) if times is None else zip(lines, numbered_lines(times), strict=False)
    for line, dated in pairs:
        event, time = dated.event, _DAY.match(dated.raw)
        if isinstance(event, bankhook.InitialTransactionUpdate) and event.event_type == "created":
            day = str(event.initial_transaction.date.date())
        elif time is not None:
            day = time[0].decode()
        yield (line.line, line.column), day
