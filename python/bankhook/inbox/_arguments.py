# SPDX-License-Identifier: MIT
"""What the methods of every inbox refuse: a mistake in an argument must not look like an empty answer."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias, cast

from bankhook._records.closest import did_you_mean_one_of
from bankhook._records.errors import check_time, check_type, check_whole, wrong_type
from bankhook._records.findings import Finding
from bankhook._records.lines import Buffer
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._records import CaseKind, Overdue, Query

Headers: TypeAlias = Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]]
Texts = str | bytes | bytearray | memoryview
TEXT, UTC = (str, type(None)), datetime.UTC
STATES = [state.value for state in DeliveryState]


def bytes_of(body: Buffer) -> bytes:
    """Return a copy of the bytes: what they are in may be changed afterwards."""
    if type(body) is bytes:
        return body
    try:
        return memoryview(body).tobytes()
    except TypeError:
        raise wrong_type("body", "bytes", body) from None
    except ValueError as error:  # as of a file in memory that was closed
        raise ValueError(f"body: {error}") from None


def pairs_of(headers: Headers) -> tuple[tuple[str, str], ...]:
    """Return headers as pairs of texts, names in lower case; of a mapping all of each name, if it tells them apart."""
    items = getattr(headers, "multi_items", None) or getattr(headers, "items", None)
    pairs: object = items() if callable(items) and not isinstance(headers, type) else headers
    if isinstance(pairs, Texts) or not isinstance(pairs, Iterable):
        raise wrong_type("headers", "pairs of str or a mapping", headers)
    return tuple(_pair_of(pair) for pair in cast("Iterable[object]", pairs))


def _pair_of(pair: object) -> tuple[str, str]:
    match pair:
        case (str() | bytes() as name, str() | bytes() as value):
            return _text_of(name).lower(), _text_of(value)
        case (_, _):  # pyright: ignore[reportUnknownVariableType]
            name, value = (type(one).__name__ for one in cast("tuple[object, object]", pair))
            raise TypeError(f"headers: expected pairs of str, found one of {name} and {value}")
        case _:
            raise TypeError(f"headers: expected pairs of str, found {type(pair).__name__}")


def _text_of(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("latin-1")  # as HTTP is read


def checked_deliveries(given: Sequence[Delivery]) -> Sequence[Delivery]:
    """Deliveries as new ones; TypeError or ValueError for what `examine` did not return, and for what it would not."""
    if isinstance(given, Texts) or not isinstance(given, Sequence):
        raise wrong_type("append", "a sequence of what examine returns", given)
    return [one if _is_plain(one) else _checked(one) for one in given]  # plain ones, nearly all, take a tenth of the time


def _is_plain(one: Delivery) -> bool:
    if type(one) is not Delivery or type(one.body) is not bytes or one.findings or one.state is not DeliveryState.PENDING:
        return False
    if type(one.headers) is not tuple or type(one.received) is not datetime.datetime or one.received.tzinfo is not UTC:
        return False
    for pair in one.headers:
        if type(pair) is not tuple or [*map(type, pair)] != [str, str]:
            return False
    return type(one.event) in TEXT and type(one.member) in TEXT and type(one.key) in TEXT


def _checked(one: Delivery) -> Delivery:
    check_type("append", one, Delivery, "what examine returns")
    check_type("body", one.body, bytes)
    check_time("received", one.received)
    for name in ("event", "member", "key"):
        check_type(name, getattr(one, name), str | None, "str or None")
    check_type("headers", one.headers, tuple, "a tuple of pairs")
    for pair in one.headers:
        _pair_of(pair)
    check_type("findings", one.findings, tuple, "a tuple of Finding")
    for finding in one.findings:
        check_type("findings", finding, Finding)
    return one.replace(state=DeliveryState.QUARANTINED if one.findings else DeliveryState.PENDING)


def check_kind(kind: str | None) -> None:
    """TypeError or ValueError for a kind of cases that there is not."""
    check_type("kind", kind, str | None, "CaseKind or str")
    if kind is not None and kind not in (kinds := [one.value for one in CaseKind]):
        raise ValueError(f"kind: {kind!r} is not a kind of case{did_you_mean_one_of(kind, kinds)}")


def check_whose(member: str | None, external_id: str | None) -> None:
    """TypeError unless there is one of the two ids."""
    if external_id is None:
        check_type("member", member, str, "str, or external_id=")
    else:
        check_type("external_id", external_id, str)
        check_type("member", member, type(None), "none beside external_id")


def check_which(asked: object) -> None:
    """TypeError or ValueError for what names no deliveries."""
    if isinstance(asked, Query):
        check_query(asked)
    else:
        check_numbers(asked, "a collection of int or a Query")


def check_numbers(numbers: object, expected: str = "a collection of int") -> None:
    """TypeError for what are not numbers."""
    wrong = [numbers]
    if isinstance(numbers, Collection) and not isinstance(numbers, Texts):
        these = cast("Collection[object]", numbers)
        wrong = [one for one in these if not isinstance(one, int) or isinstance(one, bool)]
    if wrong:
        raise wrong_type("numbers", expected, wrong[0])


def check_query(query: Query) -> None:
    """TypeError or ValueError for what no delivery can meet."""
    check_type("query", query, Query)
    for name in ("event", "member", "key", "rule"):
        check_type(name, getattr(query, name), str | None, "str")
    for name in ("after", "before"):
        if (number := getattr(query, name)) is not None or name == "after":
            check_whole(name, number)
    for name in ("since", "until"):
        if (time := getattr(query, name)) is not None:
            check_time(name, time)
    states: object = query.states
    if isinstance(states, str) or not isinstance(states, Collection):
        raise wrong_type("states", "a tuple of states", states)
    for state in cast("Collection[object]", states):
        check_type("states", state, str, "members of DeliveryState")
        if state not in STATES:
            raise ValueError(f"states: {state!r} is not a state of deliveries{did_you_mean_one_of(str(state), STATES)}")


def time_before(age: datetime.timedelta, now: datetime.datetime) -> datetime.datetime:
    """When it was so long ago; TypeError or ValueError if that was never."""
    check_type("age", age, datetime.timedelta, "a timedelta")
    try:
        return now - age
    except OverflowError:
        raise ValueError("age: expected one that leads to a year from 1 to 9999") from None


def check_overdue(after: Overdue | None) -> None:
    """TypeError or ValueError for what `open_since` did not return, and for what it would not."""
    check_type("after", after, Overdue | None, "what open_since returns")
    if after is not None:
        check_time("after.received", after.received)
        check_whole("after.delivery", after.delivery)


def checked_seconds(name: str, time: object) -> float:
    """The seconds of a time; TypeError or ValueError for what is not a positive number."""
    seconds = time.total_seconds() if isinstance(time, datetime.timedelta) else time
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        raise wrong_type(name, "seconds or a timedelta", time)
    if not 0 < seconds <= sys.float_info.max:
        raise ValueError(f"{name}: expected a positive time")
    return float(seconds)


def checked_limit(limit: int | None) -> int:
    """The most that are asked for, as a number that every store can take; ValueError for less than none."""
    if limit is not None:
        check_whole("limit", limit, 0)
    return sys.maxsize if limit is None else min(limit, sys.maxsize)
