# SPDX-License-Identifier: MIT
"""Progress on standard error: on a terminal a bar for work over a second, elsewhere a line a minute."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.progress import Progress

When = Literal["always", "never", "auto"]
_when: When = "auto"

_PATIENCE, _MINUTE = 1.0, 60.0


def size_of(files: Iterable[str]) -> int | None:
    """Return the bytes of all files, `-` for standard input; None if one of them is not a regular file."""
    try:
        found = [os.stat(0 if name == "-" else name) for name in files]
    except OSError:
        return None
    return sum(one.st_size for one in found) if all(stat.S_ISREG(one.st_mode) for one in found) else None


class Bar:
    """Show how much of the work is done; a context manager. Call `hide` before writing to the terminal meanwhile."""

    def __init__(self, total: int | None, *, counts: bool = False) -> None:
        """Take the number of all bytes, or of all things that are counted; None if it is not known."""
        self._total, self._counts, self._passed = total, counts, 0
        self._start, self._wanted = time.monotonic(), sys.stderr.isatty()
        self._said = self._start
        self._progress: Progress | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def pass_by(self, size: int) -> None:
        """Count these bytes of an archive as read; later positions count from their end."""
        self._passed += size

    def update(self, position: int) -> None:
        """Set the position in the current archive; show the bar once the work has taken a second.

        Where there is no terminal, a line a minute says how much is done.
        """
        now = time.monotonic()
        if not self._wanted:
            if now - self._said >= _MINUTE:
                self._said = now
                self._say(self._passed + position)
            return
        if now - self._start < _PATIENCE:
            return
        if self._progress is None:
            self._progress = _progress(counts=self._counts)
            self._progress.add_task("", total=self._total)
        self._progress.start()
        self._progress.update(self._progress.task_ids[0], completed=self._passed + position)

    def _say(self, done: int) -> None:
        unit, word = (1, "") if self._counts else (1_000_000, " MB")
        of = "" if self._total is None else f" of {self._total // unit:,}{word}"
        with contextlib.suppress(OSError, AttributeError):  # progress is never a reason to fail
            sys.stderr.write(f"bankhook: {done // unit:,}{word}{of} after {(self._said - self._start) / 60:.0f} min\n")
            sys.stderr.flush()

    def hide(self) -> None:
        """Clear the line of the bar; the next update shows it again."""
        if self._progress is not None and self._progress.live.is_started:
            self._progress.stop()


def set_colours(when: When) -> None:
    """Choose whether output has colours; `auto` leaves it to the terminal and to NO_COLOR and FORCE_COLOR."""
    global _when
    _when = when


def has_colours(stream: IO[str]) -> bool:
    """Return whether colours are written to a stream: to a terminal that shows them, unless the user has chosen."""
    if _when != "auto":
        return _when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _progress(*, counts: bool) -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    screen = Console(stderr=True, no_color=not has_colours(sys.stderr))
    amounts: list[ProgressColumn] = [MofNCompleteColumn()] if counts else [DownloadColumn(), TransferSpeedColumn()]
    columns = (BarColumn(), *amounts, TimeRemainingColumn())
    return Progress(*columns, console=screen, transient=True, redirect_stdout=False, redirect_stderr=False)
