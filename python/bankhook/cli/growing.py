# SPDX-License-Identifier: MIT
"""A file that grows: at its end more is waited for, until the user interrupts."""

from __future__ import annotations

import os
import signal
import time
from types import FrameType
from typing import IO

__all__ = ["GrowingFile"]

_PAUSE = 0.1  # seconds between two looks at the file


class GrowingFile:
    """Reads a file on and on; also after it was replaced by a new one of its name, or emptied. An interruption is its end."""

    def __init__(self, name: str) -> None:
        """Open the file. Raises OSError."""
        self._name = name
        self._file: IO[bytes] = open(name, "rb", buffering=0)
        self._is_stopped = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most `size`, as soon as there are some; none after an interruption."""
        while not self._is_stopped:
            if part := self._file.read(size):
                return part
            if not self._reopened():
                time.sleep(_PAUSE)
        self._file.close()
        return b""

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._is_stopped = True

    def _reopened(self) -> bool:
        """Open the file that has the name now, if it is another one; start again in one that became shorter."""
        try:
            now, ours = os.stat(self._name), os.fstat(self._file.fileno())
            if (now.st_dev, now.st_ino) != (ours.st_dev, ours.st_ino):
                new = open(self._name, "rb", buffering=0)
                self._file.close()
                self._file = new
                return True
        except OSError:  # no file has the name at the moment
            return False
        if now.st_size < self._file.tell():
            self._file.seek(0)
            return True
        return False
