# SPDX-License-Identifier: MIT
"""What the methods of every inbox refuse: a mistake in an argument must not look like an empty answer."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Collection, Sequence
from typing import cast

from bankhook._records.closest import did_you_mean
from bankhook._records.errors import check_type, wrong_type
from bankhook._records.stored import DeliveryState
from bankhook.inbox._records import Arrival, CaseKind, Query


def check_arrivals(arrivals: Sequence[Arrival]) -> None:
    """TypeError for what `examine` did not return."""
    check_type("append", arrivals, Sequence, "a sequence of what examine returns")
    for arrival in arrivals:
        check_type("append", arrival, Arrival, "what examine returns")


def check_kind(kind: str | None) -> None:
    """ValueError for a kind of cases that there is not."""
    if kind is not None and kind not in (kinds := [one.value for one in CaseKind]):
        raise ValueError(
            f"kind: {kind!r} is not a kind of case{did_you_mean(kind, kinds) or '; there are ' + ', '.join(kinds)}"
        )


def check_which(asked: object) -> None:
    """TypeError or ValueError for what names no deliveries."""
    if isinstance(asked, Query):
        check_query(asked)
    else:
        check_numbers(asked, "a collection of int or a Query")


def check_numbers(numbers: object, expected: str = "a collection of int") -> None:
    """TypeError for what are not numbers."""
    wrong = [numbers]
    if isinstance(numbers, Collection):
        wrong = [one for one in cast("Collection[object]", numbers) if not isinstance(one, int)]
    if wrong:
        raise wrong_type("numbers", expected, wrong[0])


def check_query(query: Query) -> None:
    """TypeError or ValueError for what no delivery can meet."""
    check_type("query", query, Query)
    for name in ("event", "member", "key", "rule"):
        check_type(name, getattr(query, name), str | None, "str")
    for name in ("after", "before"):
        check_type(name, getattr(query, name), int | None, "int")
    for name in ("since", "until"):
        if (time := getattr(query, name)) is not None:
            check_time(name, time)
    for state in query.states:
        if not isinstance(state, DeliveryState):
            close = did_you_mean(str(state), map(str, DeliveryState))
            raise TypeError(f"states: expected members of DeliveryState, found {state!r}{close}")


def check_time(name: str, time: datetime.datetime) -> None:
    """TypeError or ValueError unless it is a time with a zone."""
    check_type(name, time, datetime.datetime, "an aware datetime")
    if time.tzinfo is None:
        raise ValueError(f"{name}: expected an aware datetime, found one without a zone")


def check_concurrency(concurrency: object) -> None:
    """TypeError or ValueError unless it is a positive number."""
    if not isinstance(concurrency, int) or isinstance(concurrency, bool):
        raise wrong_type("concurrency", "an int", concurrency)
    if concurrency < 1:
        raise ValueError(f"concurrency: expected at least 1, found {concurrency}")


def checked_limit(limit: int | None) -> int:
    """The most that are asked for, as a number that every store can take; ValueError for less than none."""
    check_type("limit", limit, int | None, "int")
    if limit is not None and limit < 0:
        raise ValueError(f"limit: expected 0 or more, found {limit}")
    return sys.maxsize if limit is None else min(limit, sys.maxsize)
