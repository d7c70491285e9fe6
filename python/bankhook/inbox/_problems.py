# SPDX-License-Identifier: MIT
"""What goes wrong again and again, in the log: when it begins, when its reason is another one, and when it is over."""

from __future__ import annotations

import logging
from time import monotonic

QUIET_SECONDS = 10.0
"""It is over only if it did not happen for so long: what fails and works in turns is one problem."""
REMINDER_SECONDS = 3600.0  # after which what lasts is logged again: older lines may be gone


class Problem:
    """Logs each reason once, whatever the number of attempts, and in the end how many there were, and for how long.

    In the end it says what goes on again; without such a text, what was repeated, if anything was.
    """

    def __init__(self, log: logging.Logger, level: int, over: str | None = None) -> None:
        self._log, self._level, self._over = log, level, over
        self._reasons = set[str]()
        self._last_reason, self._count = "", 0
        self._began = self._last = self._logged = 0.0

    def note(self, reason: str, first: str | None = None, /, **details: object) -> None:
        """It has happened, for this reason, of which the first line may say more."""
        self._last, self._last_reason = monotonic(), reason
        if not self._count:
            self._began = self._logged = self._last
        self._count += 1
        if reason not in self._reasons:
            self._reasons.add(reason)
            self._log.log(self._level, first or reason, extra=details)
        elif self._last - self._logged >= REMINDER_SECONDS:
            self._logged = self._last
            self._sum_up(self._level, f"{reason} (repeated", self._count - 1)

    def end(self, *, at_once: bool = False) -> bool:
        """It may be over, since what failed has worked, or nothing was tried; whether it is."""
        if self._count and not at_once and monotonic() - self._last < QUIET_SECONDS:
            return False
        if self._count and self._over is not None:
            self._sum_up(min(self._level, logging.WARNING), f"{self._over} (failed", self._count)
        elif self._count > 1:
            self._sum_up(self._level, f"{self._last_reason} (repeated", self._count - 1)
        self._count = 0
        self._reasons.clear()
        return True

    def _sum_up(self, level: int, text: str, count: int) -> None:
        seconds = round(self._last - self._began)
        during = f" in {seconds:,} s" if seconds else ""
        self._log.log(level, f"{text}: {count:,}{during})", extra={"count": count, "seconds": seconds})
