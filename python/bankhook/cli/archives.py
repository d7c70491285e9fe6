# SPDX-License-Identifier: MIT
"""The archives that commands read: each has a name, and a reason if it cannot be read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from bankhook import _core
from bankhook._archive._numbered import numbered_lines
from bankhook._archive._source import OpenedSource
from bankhook._records.words import listed
from bankhook._render.progress import Bar, size_of
from bankhook.cli.files import FileFault, named
from bankhook.cli.options import Chosen
from bankhook.cli.shapes import UNREADABLE, shaped
from bankhook.cli.terminal import complain, say, say_json

if TYPE_CHECKING:
    from bankhook.types import AppliedLines, LinesReport


class Archive(OpenedSource):
    """An archive by its file name, `-` for standard input; it raises FileFault if the file cannot be read."""

    def __init__(self, file: str, at: str | None = None) -> None:
        """Open the file. With `at`, the events are the values at this path of its lines."""
        self.name = name_of(file)
        """The name in messages."""
        with named(self.name):
            super().__init__(file, at)

    def readinto(self, buffer: memoryview) -> int:
        """Read the next bytes of the events; if that fails, an incomplete last line is left out."""
        with named(self.name):
            return super().readinto(buffer)


def name_of(file: str) -> str:
    """Return the name of a file in messages."""
    return "<stdin>" if file == "-" else file


def read_each(chosen: Chosen, take: Callable[[Archive, Bar], None]) -> int:
    """Pass each archive to `take`, with the bar that shows the progress.

    An archive that cannot be read is reported, and the others are read. Returns how many could not be read to their end.
    """
    unreadable = 0
    with Bar(size_of(chosen.files)) as bar:
        for name in chosen.files:
            try:
                with contextlib.closing(Archive(name, chosen.at)) as archive:
                    take(archive, bar)
                    bar.pass_by(archive.position)
            except FileFault as fault:
                unreadable += 1
                bar.hide()
                complain(f"{fault.ui_filename}: {fault.message}")
                if chosen.as_json:
                    say_json(shaped(UNREADABLE, file=name_of(name), reason=fault.message))
    return unreadable


def lacks_events(chosen: Chosen, read: LinesReport | AppliedLines, unreadable: int) -> bool:
    """Complain if there are files that could be read and no events, unless that is allowed; return whether it is so."""
    has_events = any(read.events.values()) or read.rejected
    if lacks := not (has_events or chosen.allow_empty) and unreadable < len(chosen.files):
        complain(f"{listed([name_of(one) for one in chosen.files])}: there are no events: --allow-empty accepts that")
    return lacks


def say_hint(files: Iterable[str], at: str | None) -> None:
    """Print where the events seem to be, if the first line of a file is an envelope that has none at the path."""
    for name in filter(os.path.isfile, files):  # what can be read again; that it cannot was reported
        with contextlib.suppress(FileFault):
            line, envelope = (next(numbered_lines(Archive(name, of)), None) for of in (at, None))
            if line is None or line.event is not None or envelope is None:
                continue
            if (path := _core._path_of_event(envelope.raw)) not in (None, at):
                say(("hint:", "bold"), f"there are events at `{path}`: try --at {path}")
                return


def counts_of(read: LinesReport | AppliedLines, files: int, unreadable: int) -> dict[str, Any]:
    """Return how much was read, as the summaries of commands have it."""
    events = dict(read.events)
    unlisted = events.pop(None)
    return {"files": files, "unreadable": unreadable, "events": dict(sorted(events.items())), "unlisted_events": unlisted}
