# SPDX-License-Identifier: MIT
"""The log of a receiver: what repeats is counted, so that a flood of requests is not a flood of lines."""

from __future__ import annotations

import asyncio
import logging

WINDOW_SECONDS = 10.0

_log = logging.getLogger("bankhook.receiver")


class Log:
    """Logs a problem at once, and while it repeats one line with its count every some seconds.

    Messages are sentences of the receiver, without values of a request, so there are few different ones.
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[int, str], int] = {}

    def problem(self, level: int, message: str, **details: object) -> None:
        """Log a message with its details, in a running event loop."""
        key = level, message
        if key in self._counts:
            self._counts[key] += 1
        else:
            _log.log(level, message, extra=details)
            self._watch(key)

    def close(self) -> None:
        """Log what was counted."""
        for key in list(self._counts):
            self._report(key, is_last=True)

    def _watch(self, key: tuple[int, str]) -> None:
        self._counts[key] = 0
        asyncio.get_running_loop().call_later(WINDOW_SECONDS, self._report, key)

    def _report(self, key: tuple[int, str], *, is_last: bool = False) -> None:
        """Log how often a message was repeated, if it was; then watch it on."""
        level, message = key
        if count := self._counts.pop(key, 0):
            _log.log(level, f"{message} (repeated: {count:,})", extra={"count": count})
            if not is_last:
                self._watch(key)
