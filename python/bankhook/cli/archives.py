# SPDX-License-Identifier: MIT
"""Archives as commands read them: with a name, and with one sentence if they cannot be read."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Callable

from bankhook.archive._source import OpenedSource
from bankhook.cli.progress import Bar
from bankhook.cli.terminal import complain, say_json

__all__ = ["Archive", "Unreadable", "read_each"]

_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


class Unreadable(Exception):
    """A file that cannot be read, or not to its end; says why."""


class Archive:
    """A file by its name, `-` for standard input; the reader of the library reads it."""

    def __init__(self, name: str) -> None:
        """Raises Unreadable."""
        self.name = "<stdin>" if name == "-" else name
        """As messages call it."""
        try:
            self._source = OpenedSource(name)
        except OSError as error:
            raise Unreadable(_reason(error)) from None
        self._is_new = True

    @property
    def position(self) -> int:
        """Bytes of the file that were read."""
        return self._source.position

    def read(self, size: int) -> bytes:
        """Return the next bytes of the text. Raises Unreadable: what was read of a line is left out then."""
        try:
            text = self._source.read(size)
        except (OSError, ImportError) as error:
            raise Unreadable(_reason(error)) from None
        if self._is_new and _is_binary(text):
            raise Unreadable("it is a binary file, not lines of JSON")
        self._is_new = False
        return text

    def close(self) -> None:
        """Close the file."""
        self._source.close()


def read_each(names: tuple[str, ...], take: Callable[[Archive, Bar], None], *, as_json: bool) -> int:
    """Give each archive to `take`, with the bar that shows how far the reading is.

    What cannot be read is reported, and the rest is read. Returns how many could not be read to their end.
    """
    unreadable = 0
    with Bar(_total_size(names)) as bar:
        for name in names:
            position = 0
            try:
                with contextlib.closing(Archive(name)) as archive:
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


def _total_size(names: tuple[str, ...]) -> int | None:
    """Bytes of all the files; None where one of them is no plain file."""
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


def _is_binary(text: bytes) -> bool:
    """Whether there are more control characters than a damaged line could have."""
    head = text[:4096]
    return len(_CONTROLS.findall(head)) > max(2, len(head) // 50)


def _reason(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return text[:1].lower() + text[1:]
