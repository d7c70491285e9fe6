# SPDX-License-Identifier: MIT
"""A clock that can be stopped."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager


class Clock:
    """How long a handler has run: what it waits for its turn to write does not count."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._seconds = 0.0

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        since = self._since
        return self._seconds + (0.0 if since is None else time.monotonic() - since)

    def start(self) -> None:
        """Begin with 0."""
        self._seconds, self._since = 0.0, time.monotonic()

    @contextmanager
    def stopped(self) -> Generator[None]:
        """Let what the block takes not count."""
        self._seconds, self._since = self.seconds, None
        try:
            yield
        finally:
            self._since = time.monotonic()
