# SPDX-License-Identifier: MIT
"""When a delivery whose handler failed is tried again, and what is kept of the failure."""

from __future__ import annotations

import datetime
import random
import traceback

__all__ = ["Retries", "text_of"]

LONGEST = datetime.timedelta(hours=1)
LONGEST_TEXT = 20_000  # characters of a traceback


class Retries:
    """How many attempts there are, and how long to wait before each: twice as long each time, at most an hour."""

    def __init__(self, attempts: int, backoff: datetime.timedelta) -> None:
        if attempts < 1:
            raise ValueError(f"attempts: expected at least 1, found {attempts}")
        if backoff < datetime.timedelta():
            raise ValueError("backoff: expected a time that is not negative")
        self._attempts, self._backoff = attempts, backoff

    def after(self, failures: int, now: datetime.datetime, /) -> datetime.datetime | None:
        """Return when to try again after this many failures; None if there were enough.

        Up to a quarter is added at random: what failed together is not tried together again.
        """
        if failures >= self._attempts:
            return None
        doubled = LONGEST if failures > 32 else min(self._backoff * 2 ** (failures - 1), LONGEST)
        return now + doubled * (1 + random.random() / 4)


def text_of(error: BaseException, /) -> str:
    """Return the traceback, or its end, if it is long."""
    return "".join(traceback.format_exception(error))[-LONGEST_TEXT:]
