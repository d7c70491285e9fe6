# SPDX-License-Identifier: MIT
"""When a delivery whose handler failed is tried again, and what is stored of the failure."""

from __future__ import annotations

import datetime
import logging
import random
import traceback
from contextlib import suppress

from bankhook._core import _event_names
from bankhook._handlers._failures import LONGEST as LONGEST_WAIT, Park, Retry, wait
from bankhook._records.errors import check_type, check_whole
from bankhook._records.stored import Delivery

log = logging.getLogger("bankhook.inbox")
LONGEST = datetime.timedelta(hours=1)
LONGEST_TEXT = 20_000  # characters of a traceback


class Retries:
    """How many attempts there are, and how long to wait before each: twice as long each time, at most an hour."""

    def __init__(self, attempts: int, backoff: datetime.timedelta, give_up: datetime.timedelta) -> None:
        check_whole("attempts", attempts, 1)
        for name, value in (("backoff", backoff), ("give_up", give_up)):
            check_type(name, value, datetime.timedelta, "a timedelta")
            if value < datetime.timedelta():
                raise ValueError(f"{name}: expected a time that is not negative")
        self._attempts, self._backoff, self._give_up = attempts, min(backoff, LONGEST), give_up

    def next(self, delivery: Delivery, error: Exception, now: datetime.datetime, /) -> tuple[int, datetime.datetime | None]:
        """Return how many attempts have failed after this error, and when to try again; None if never."""
        kind, failures = type(error), delivery.attempts + 1  # not what the error, which is a user's, says of its class
        if issubclass(kind, Park) or (issubclass(kind, Retry) and now - delivery.received >= self._give_up):
            return failures, None
        if issubclass(kind, Retry):
            with suppress(Exception):  # of a class that does not call what it inherits
                return delivery.attempts, now + min(wait(error.args[0], now), LONGEST_WAIT)
        return failures, self.after(failures, now)

    def after(self, failures: int, now: datetime.datetime, /) -> datetime.datetime | None:
        """Return when to try again after this many failures; None if there were enough.

        Up to a quarter is added at random: what failed together is not tried together again.
        """
        if failures >= self._attempts:
            return None
        doubled = LONGEST if failures > 32 else min(self._backoff * 2 ** (failures - 1), LONGEST)
        return now + doubled * (1 + random.random() / 4)


def listed_event(name: str | None) -> str:
    """What a log may show of the event of a delivery."""
    return name if name in _event_names else "unknown"


def log_failure(delivery: Delivery, who: str, error: BaseException, *, is_attempt: bool, is_parked: bool) -> None:
    """Log who raised what for a delivery. The text of an error may contain personal values: it is stored, and not logged."""
    number, event, kind = delivery.number, listed_event(delivery.event), type(error).__name__
    state, what = ("parked", "is parked") if is_parked else ("pending", "is tried again")
    more = f"; `bankhook inbox deliveries --show-values URL {number}` says where" if is_parked else ""
    level = logging.WARNING if is_attempt else logging.INFO
    about = {"delivery": number, "event": event, "state": state, "handler": who, "error": kind}
    log.log(level, "delivery %d %s: %s raised %s (%s)%s", number, what, who, kind, event, more, extra=about)


def text_of(error: BaseException, /) -> str:
    """Return the name of its class, or Retry, on the first line, then the traceback, or its end, if it is long."""
    try:
        text = "".join(traceback.format_exception(error))
    except BaseException:  # of an attribute of the error
        text = ""
    kind = Retry if issubclass(type(error), Retry) else type(error)  # whose times may be far
    return f"{kind.__name__}\n{text[-LONGEST_TEXT:]}"


def class_and_traceback(text: str | None, /) -> tuple[str | None, str | None]:
    """Return what `text_of` has joined. The class is not searched for in the traceback: a message may look like one."""
    name, _, rest = (text or "").partition("\n")
    return name or None, rest or None
