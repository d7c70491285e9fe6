# SPDX-License-Identifier: MIT
"""The archives that commands read: each has a name, and a reason if it cannot be read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from bankhook._archive._source import Container, OpenedSource
from bankhook._records.words import listed
from bankhook._render.progress import Bar, size_of
from bankhook.cli.files import FileFault, named
from bankhook.cli.options import Chosen
from bankhook.cli.shapes import UNREADABLE, shaped
from bankhook.cli.terminal import complain, say_json

if TYPE_CHECKING:
    from bankhook.types import AppliedLines, LinesReport


class Archive(OpenedSource):
    """An archive by its file name, `-` for standard input; it raises FileFault if the file cannot be read."""

    def __init__(self, file: str, chosen: Chosen) -> None:
        """Open the file, with what was chosen as its container."""
        self.name = name_of(file)
        """The name in messages."""
        with named(self.name):
            super().__init__(file, Container.of(chosen.at, chosen.encoding, chosen.format))

    def refuse(self, why: str) -> NoReturn:
        """Raise FileFault."""
        with named(self.name):
            super().refuse(why)

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
                with contextlib.closing(Archive(name, chosen)) as archive:
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


def counts_of(read: LinesReport | AppliedLines, files: int, unreadable: int) -> dict[str, Any]:
    """Return how much was read, as the summaries of commands have it."""
    events = dict(read.events)
    unlisted = events.pop(None)
    return {"files": files, "unreadable": unreadable, "events": dict(sorted(events.items())), "unlisted_events": unlisted}
