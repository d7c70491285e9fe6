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
from bankhook.inbox._sql.rows import execute, findings_of, last_number_for_all
from bankhook.inbox._sql.tables import deliveries, states
from bankhook.inbox._sql.types import encoded, shortened

INTO = ("number", "received", "event", "member", "key", "headers", "findings", "rule", "body")
INSERT = f"INSERT INTO {deliveries.name} ({', '.join(INTO)}) VALUES ({', '.join('?' * len(INTO))})"
IN_STATES = f"""INSERT INTO {states.name} (number, state, attempts)
SELECT CAST(key AS bigint), value, 0 FROM each(?) AS state"""


def append(driver: Any, new: Sequence[Delivery]) -> Sequence[int]:
    """Insert deliveries by the driver; numbers follow one another, and become visible in their order."""
    first = last_number_for_all(driver) + 1
    is_sqlite = isinstance(driver, sqlite3.Connection)
    rows = [
        (
            number,
            one.received.astimezone(datetime.UTC).isoformat(" ", "microseconds")[:26] if is_sqlite else one.received,
            *(None if text is None else encoded(shortened(text)) for text in (one.event, one.member, one.key)),
            _headers_as_stored(one.headers),
            *findings_of(one.findings).values(),
            one.body,
        )
        for number, one in enumerate(new, first)
    ]
    driver.cursor().executemany(INSERT if is_sqlite else INSERT.replace("?", "%s"), rows)
    execute(driver, IN_STATES, {number: one.state.value for number, one in enumerate(new, first)})
    return range(first, first + len(new))


@lru_cache(1024)
def _headers_as_stored(headers: tuple[tuple[str, str], ...]) -> str:
    return json.dumps(headers)  # ASCII, so it can be stored whatever the headers contain
