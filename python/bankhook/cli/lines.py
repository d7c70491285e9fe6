# SPDX-License-Identifier: MIT
"""Lines printed by a thread of their own: a terminal that stands still must not stop what is reported."""

from __future__ import annotations

import datetime
import queue
import sys
import threading
from typing import Self

from bankhook.cli.terminal import styled

__all__ = ["LinePrinter"]

_LIMIT = 1_000  # lines


class LinePrinter:
    """Prints lines on standard output; a context manager. Lines that wait for too long a time are counted, not printed."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue(_LIMIT)
        self._left_out = 0
        self._thread = threading.Thread(target=self._run, name="bankhook: print", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self._lines.put(None, timeout=1)
        except queue.Full:
            return
        self._thread.join(timeout=1)

    def numbered(self, number: int, text: str) -> None:
        """Print a line about a delivery, with the time."""
        self.line(f"{styled(str(number), bold=True)} {text}")

    def line(self, text: str) -> None:
        """Print a line with the time."""
        line = f"{datetime.datetime.now():%H:%M:%S} {text}"
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self._left_out += 1

    def _run(self) -> None:
        try:
            while (line := self._lines.get()) is not None:
                if self._left_out and self._lines.empty():
                    line, self._left_out = f"{line}\n… {self._left_out:,} lines were left out", 0
                sys.stdout.write(line + "\n")
                if self._lines.empty():
                    sys.stdout.flush()
        except OSError:  # whoever read the output has gone; receiving goes on
            return
