# SPDX-License-Identifier: MIT
"""New deliveries, by the driver of a database, whose statements take less time than others."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bankhook._records.stored import Delivery
from bankhook.inbox._sql.rows import findings_of, last_number_for_all
from bankhook.inbox._sql.tables import deliveries, states
from bankhook.inbox._sql.types import encoded, shortened

NEW = {
    deliveries.name: ("number", "received", "event", "member", "key", "headers", "findings", "rule", "body"),
    states.name: ("number", "state", "attempts"),
}


def _insert(driver: Any, first: int, new: Sequence[Delivery]) -> None:
    """Insert new deliveries, numbered from the first one on."""
    is_sqlite = isinstance(driver, sqlite3.Connection)
    rows = [
        (
            number,
            one.received.astimezone(datetime.UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
            if is_sqlite
            else one.received,
            *(None if text is None else encoded(shortened(text)) for text in (one.event, one.member, one.key)),
            _headers_as_stored(one.headers),
            *findings_of(one.findings).values(),
            one.body,
        )
        for number, one in enumerate(new, first)
    ]
    of_states = [(number, one.state.value, 0) for number, one in enumerate(new, first)]
    for (name, into), values in zip(NEW.items(), (rows, of_states), strict=True):
        places = ", ".join(["?" if is_sqlite else "%s"] * len(into))
        driver.cursor().executemany(f"INSERT INTO {name} ({', '.join(into)}) VALUES ({places})", values)


@lru_cache(1024)
def _headers_as_stored(headers: tuple[tuple[str, str], ...]) -> str:
    return json.dumps(headers)  # ASCII, so it can be stored whatever the headers contain


def append(driver: Any, new: Sequence[Delivery]) -> Sequence[int]:
    """Insert deliveries by the driver; numbers follow one another, and become visible in their order."""
    first = last_number_for_all(driver) + 1
    _insert(driver, first, new)
    return range(first, first + len(new))
