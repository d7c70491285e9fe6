# SPDX-License-Identifier: MIT
"""What a handler raises to say when its delivery is tried again, or that it never is."""

from __future__ import annotations

import datetime

from bankhook._records.errors import check_time, check_type

__all__ = ["LONGEST", "Park", "Retry", "wait"]

LONGEST = datetime.timedelta(days=7)
LONGEST_REASON = 500  # characters


class Retry(Exception):
    """A handler raises it if it cannot handle the delivery now: the inbox calls it again at a time that the handler chooses.

    What the handler wrote through `begin` is rolled back, and later deliveries of the member wait. It is no failed attempt,
    until the delivery is older than `give_up` of `bankhook.inbox.open`: then it is parked.

    It is no BankhookError, so code that catches the library's errors does not catch it.

    Parameters
    ----------
    after : datetime.timedelta or datetime.datetime
        How long to wait, 7 days at most, or until when, with a time zone. A time that has passed, or a negative one, means now.

    Raises
    ------
    TypeError
        If it is neither.
    ValueError
        If it is longer, or has no time zone.

    Examples
    --------
    >>> import datetime, bankhook
    >>> handlers = bankhook.Handlers()
    >>> @handlers.on_validated
    ... def credit(event, context):
    ...     answer = call_the_bank(event)
    ...     if answer.status_code == 429:
    ...         raise bankhook.Retry(datetime.timedelta(seconds=int(answer.headers["retry-after"])))
    """

    def __init__(self, after: datetime.timedelta | datetime.datetime) -> None:
        if not isinstance(after, datetime.timedelta):
            check_type("after", after, datetime.datetime, "a timedelta or an aware datetime")
            check_time("after", after)
        if wait(after, datetime.datetime.now(datetime.UTC)) > LONGEST:
            raise ValueError(f"after: expected {LONGEST.days} days at most")
        super().__init__(after)


class Park(Exception):
    """A handler raises it if the delivery can never be handled: it is parked at once, without further attempts.

    What the handler wrote through `begin` is rolled back, and later deliveries of the member go on. Like `Retry`, it is no
    BankhookError.

    Parameters
    ----------
    why : str
        What a person is to read who looks at the delivery. It is stored, up to 500 characters, and not logged.

    Raises
    ------
    TypeError
        If it is not a str.

    Examples
    --------
    >>> import bankhook
    >>> handlers = bankhook.Handlers()
    >>> @handlers.on_validated
    ... def credit(event, context):
    ...     if event.initial_transaction.amount <= 0:
    ...         raise bankhook.Park("nothing to credit")
    """

    def __init__(self, why: str) -> None:
        check_type("why", why, str)
        super().__init__(why[:LONGEST_REASON])


def wait(after: datetime.timedelta | datetime.datetime, now: datetime.datetime) -> datetime.timedelta:
    """Return how long to wait from now on; nothing if that is over."""
    return max(datetime.timedelta(), after if isinstance(after, datetime.timedelta) else after - now)


Retry.__module__ = Park.__module__ = "bankhook"
