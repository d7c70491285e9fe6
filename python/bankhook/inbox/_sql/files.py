# SPDX-License-Identifier: MIT
"""The files of an inbox in SQLite. Nobody opens them by hand: closing a file ends all locks that its process has on it."""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress

from bankhook.inbox._protocol import InboxError, NeedsRestart

Identity = tuple[int, int]
WAL_BYTES = 1000 * (4096 + 24) + 32
"""A longer -wal file is copied into the database: it has 1,000 pages, as in SQLite itself."""
LOST = "the file of the inbox, or its -wal or -shm file, was deleted or replaced while it was open: restart this process"
_making = threading.Lock()


class _Watched:
    """What this process has open of a database: each of its inboxes has the same, because SQLite shares memory between them."""

    def __init__(self, files: list[Identity | None]) -> None:
        self.files, self.users, self.lost = files, 0, ""  # or why nothing may be written any more


_watched: dict[Identity | None, _Watched] = {}


def _leave_to_parent() -> None:
    """Let a forked process open nothing that is open: SQLite would take the locks of its parent for its own."""
    for one in _watched.values():
        one.lost = one.lost or "the inbox was open when this process was forked: open it afterwards, or start a new process"


os.register_at_fork(after_in_child=_leave_to_parent)


class Files:
    """A database of SQLite and the files beside it, `-wal` and `-shm`, which are watched from `watch` on.

    Whoever deletes or replaces one of them parts this process from others. Without its `-wal` a database lacks what was
    committed last; without its `-shm` processes do not see each other's locks. What this process writes then is lost, or
    damages what others write, even if the file is put back: so it writes nothing more, and never copies its `-wal` into the
    store.
    """

    def __init__(self, path: str) -> None:
        self.path, self._paths = path, (path, f"{path}-wal", f"{path}-shm")
        self.has_long_wal = False  # as of the last look
        self._watched: _Watched | None = None

    def make(self) -> None:
        """Make the file if it is missing; only its user may read it, and what SQLite makes beside it has the same permissions.

        A file that is there is not opened. Two threads may do this at a time.
        """
        with _making, suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))

    def make_private(self) -> None:
        """Let only its user read a file that was there, and those beside it, before there are deliveries in it."""
        for path in self._paths:
            with suppress(OSError):
                os.chmod(path, 0o600)

    def refuse(self) -> None:
        """InboxError if the file has a second name, or if this process has lost files of it."""
        with _making:  # whoever makes the file has closed it
            found = os.stat(self.path)
        if found.st_nlink > 1 and stat.S_ISREG(found.st_mode):  # SQLite looks for the -wal beside each
            raise InboxError("cannot open the inbox: its file has several names (hard links); keep one, or copy the file")
        self._check(_watched.get((found.st_dev, found.st_ino)))

    def watch(self) -> None:
        """Watch the files as they are."""
        files = self._found()
        self._watched = _watched.setdefault(files[0], _Watched(files))
        self._watched.users += 1
        self.check()

    def leave(self) -> None:
        """Let another inbox of this process begin with the files as they are then. A connection that is left goes on to look."""
        if self._watched is not None:
            self._watched.users -= 1
            if not (self._watched.users or self._watched.lost):
                _watched.pop(self._watched.files[0], None)

    def check(self) -> None:
        """NeedsRestart if one of them was deleted or replaced since `watch`."""
        self._check(self._watched)

    def _check(self, watched: _Watched | None) -> None:
        if watched is None:
            return
        if not watched.lost and (found := self._found()) != watched.files:
            # A copy may have had no -wal, until another process that writes to it made one.
            watched.lost = "" if watched.files == [found[0], None, None] else LOST
            watched.files = found
        if watched.lost:
            raise NeedsRestart(watched.lost)

    def _found(self) -> list[Identity | None]:
        found: list[Identity | None] = []
        for path in self._paths:
            try:
                status = os.stat(path)
            except (FileNotFoundError, NotADirectoryError):
                found.append(None)
                continue
            except OSError as error:
                raise InboxError(f"cannot look at the files of the inbox: {error.strerror}") from error
            found.append((status.st_dev, status.st_ino))
            if path is self._paths[1]:
                self.has_long_wal = status.st_size > WAL_BYTES
        return found
