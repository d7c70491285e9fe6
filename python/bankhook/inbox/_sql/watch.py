# SPDX-License-Identifier: MIT
"""Does something in another thread when a block of code takes long: what is open is stored while a handler hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

__all__ = ["Watch"]

SECONDS = 0.01


class Watch:
    """One block at a time; the thread is started with the first, and ends with `close` or with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._act: Callable[[], object] | None = None
        self._end = 0.0
        self._is_closed = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, act: Callable[[], object]) -> Generator[None]:
        """Do this once if the block takes longer than SECONDS and nobody called it off."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="bankhook-inbox-watch", daemon=True)
            self._thread.start()
        with self._lock:
            self._act, self._end = act, time.monotonic() + SECONDS
        try:
            yield
        finally:
            self.call_off()

    def call_off(self) -> None:
        """Do nothing from now on; what is being done has ended when this returns. Any thread may call it."""
        with self._lock:
            self._act = None

    def close(self) -> None:
        """End the thread."""
        self._is_closed.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._is_closed.wait(SECONDS):
            with self._lock:
                if (act := self._act) is not None and time.monotonic() > self._end:
                    self._act = None
                    act()
