# SPDX-License-Identifier: MIT
"""When a delivery whose handler failed is tried again, and what is stored of the failure."""

from __future__ import annotations

import datetime
import logging
import random
import traceback

from bankhook._records.errors import check_type, check_whole

log = logging.getLogger("bankhook.inbox")
LONGEST = datetime.timedelta(hours=1)
LONGEST_TEXT = 20_000  # characters of a traceback


class Retries:
    """How many attempts there are, and how long to wait before each: twice as long each time, at most an hour."""

    def __init__(self, attempts: int, backoff: datetime.timedelta) -> None:
        check_whole("attempts", attempts, 1)
        check_type("backoff", backoff, datetime.timedelta, "a timedelta")
        if backoff < datetime.timedelta():
            raise ValueError("backoff: expected a time that is not negative")
        self._attempts, self._backoff = attempts, min(backoff, LONGEST)

    def after(self, failures: int, now: datetime.datetime, /) -> datetime.datetime | None:
        """Return when to try again after this many failures; None if there were enough.

        Up to a quarter is added at random: what failed together is not tried together again.
        """
        if failures >= self._attempts:
            return None
        doubled = LONGEST if failures > 32 else min(self._backoff * 2 ** (failures - 1), LONGEST)
        return now + doubled * (1 + random.random() / 4)


def log_failure(delivery: int, who: str, error: BaseException, *, is_parked: bool) -> None:
    """Log who raised what for a delivery. The text of an error may contain personal values: it is stored, and not logged."""
    what = "is parked" if is_parked else "is tried again"
    more = f"; `bankhook inbox deliveries --show-values URL {delivery}` says where" if is_parked else ""
    log.warning("delivery %d %s: %s raised %s%s", delivery, what, who, type(error).__name__, more)


def text_of(error: BaseException, /) -> str:
    """Return the name of its class on the first line, then the traceback, or its end, if it is long."""
    try:
        text = "".join(traceback.format_exception(error))
    except BaseException:  # of an attribute of the error
        text = ""
    return f"{type(error).__name__}\n{text[-LONGEST_TEXT:]}"


def class_and_traceback(text: str | None, /) -> tuple[str | None, str | None]:
    """Return what `text_of` has joined. The class is not searched for in the traceback: a message may look like one."""
    name, _, rest = (text or "").partition("\n")
    return name or None, rest or None
