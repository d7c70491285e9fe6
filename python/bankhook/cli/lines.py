# SPDX-License-Identifier: MIT
"""Lines printed by a thread of their own: a terminal that stands still must not stop what is reported."""

from __future__ import annotations

import contextlib
import datetime
import logging
import queue
import sys
import threading
from typing import Self

from bankhook.cli.terminal import Part, say

_LIMIT = 1_000  # lines


class LinePrinter(logging.Handler):
    """Prints lines on standard output, and what is logged; a context manager. Lines that wait for too long are only counted."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._lines: queue.Queue[tuple[Part, ...] | None] = queue.Queue(_LIMIT)
        self._left_out = 0
        self._thread = threading.Thread(target=self._run, name="bankhook: print", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=1)
        self._thread.join(timeout=1)

    def emit(self, record: logging.LogRecord) -> None:
        """Print what is logged."""
        self.say("", (record.getMessage(), "red"))

    def say(self, number: object, *parts: Part) -> None:
        """Print styled texts about a delivery, with the time; lines after the first one are indented."""
        try:
            self._lines.put_nowait((f"{datetime.datetime.now():%H:%M:%S} {number}".rstrip(), *parts))
        except queue.Full:
            self._left_out += 1

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # whoever read the output has gone; receiving goes on
            while (parts := self._lines.get()) is not None:
                say(*parts, rest=4)
                if self._left_out and self._lines.empty():
                    left_out, self._left_out = self._left_out, 0
                    say(f"… {left_out:,} lines were left out")
                if self._lines.empty():
                    sys.stdout.flush()
