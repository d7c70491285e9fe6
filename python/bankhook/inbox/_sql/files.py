# SPDX-License-Identifier: MIT
"""The files of a SQLite database: a deleted one can still be written to, and what is written is lost."""

from __future__ import annotations

import os

from bankhook.inbox._protocol import InboxError

__all__ = ["Files"]


class Files:
    """Whether the files that are open are still those at their paths; all stay while a connection is open.

    Without its `-wal` a database lacks what was committed last, and without its `-shm` processes do not see each other's locks.
    """

    def __init__(self, path: str) -> None:
        self._paths = [f"{path}{suffix}" for suffix in ("", "-wal", "-shm")]
        self._open: list[tuple[int, int] | None] | None = None

    def remember(self) -> None:
        """Take the files that are there now for those that are open."""
        self._open = self._found()

    def forget(self) -> None:
        """They are closed: what happens to them now is fine."""
        self._open = None

    def check(self) -> None:
        """InboxError if one of them was deleted, moved or replaced."""
        if self._open is not None and self._found() != self._open:
            raise InboxError(
                "the file of the inbox, or its -wal or -shm file, was deleted or replaced while it was open: "
                "put it back, or restart"
            )

    def _found(self) -> list[tuple[int, int] | None]:
        return [_identity(path) for path in self._paths]


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
