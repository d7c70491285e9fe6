# SPDX-License-Identifier: MIT
"""What the methods of every inbox refuse: a mistake in an argument must not look like an empty answer."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from bankhook._records.closest import did_you_mean
from bankhook.inbox._records import Arrival, CaseKind

__all__ = ["check_arrivals", "check_kind", "check_limit", "check_time"]


def check_arrivals(arrivals: Iterable[object]) -> None:
    """TypeError for what `examine` did not return."""
    for arrival in arrivals:
        if not isinstance(arrival, Arrival):
            raise TypeError(f"append: expected what examine returns, found {type(arrival).__name__}")


def check_kind(kind: str | None) -> None:
    """ValueError for a kind of cases that there is not."""
    if kind is not None and kind not in (kinds := [one.value for one in CaseKind]):
        raise ValueError(
            f"kind: {kind!r} is not a kind of case{did_you_mean(kind, kinds) or '; there are ' + ', '.join(kinds)}"
        )


def check_time(name: str, time: object) -> None:
    """TypeError or ValueError unless it is a time with a zone."""
    if not isinstance(time, datetime.datetime):
        raise TypeError(f"{name}: expected an aware datetime, found {type(time).__name__}")
    if time.tzinfo is None:
        raise ValueError(f"{name}: expected an aware datetime, found one without a zone")


def check_limit(limit: int | None) -> None:
    """ValueError for less than none."""
    if limit is not None and limit < 0:
        raise ValueError(f"limit: expected 0 or more, found {limit}")
