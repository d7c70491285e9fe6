# SPDX-License-Identifier: MIT
"""Tables of an inbox: the deliveries that are stored, by their numbers, whatever is in them."""

from __future__ import annotations

import asyncio
import datetime
from typing import Any

import pytest

import bankhook.inbox
from bankhook import tables
from python.table_rows import TABLES, archive, expected, rows_of

# Without the ends of lines of the archive: a delivery has none.
LINES = [line.strip() for line in archive(seed=13, count=300).split(b"\n") if line.strip()]


def test_an_open_inbox_is_read_as_often_as_its_tables_are(url: str) -> None:
    """Also by the thread that runs its event loop, as in a notebook."""

    async def store_and_read() -> tuple[list[int], dict[str, list[dict[str, Any]]]]:
        async with bankhook.inbox.open(url) as inbox:
            numbers = list(await inbox.append([bankhook.inbox.examine(line) for line in LINES]))
            found = tables([inbox, LINES[0]])
            return numbers, {name: rows_of(getattr(found, name)) for name in TABLES}

    numbers, found = asyncio.run(store_and_read())
    wanted = expected(b"\n".join(LINES))
    for name, rows in found.items():
        stored = [row for row in rows if row["source"] == 0]
        of_line = [{**row, "line": numbers[row["line"] - 1]} for row in wanted[name]]
        assert stored == of_line
    assert sum(row["source"] == 1 for rows in found.values() for row in rows) > 0


def test_a_delivery_over_several_lines_is_one_row(url: str) -> None:
    async def read() -> tuple[int, int]:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([bankhook.inbox.examine(b) for b in (b'{"event":\n"a"}', b"[\n{}]", b"")])
            found = tables(inbox)
            return len(rows_of(found.unknown_events)), len(rows_of(found.rejected))

    assert asyncio.run(read()) == (1, 2)


def test_an_inbox_that_is_not_open_is_refused_at_once(url: str) -> None:
    with pytest.raises(bankhook.inbox.InboxError, match="the inbox is not open: use `async with`"):
        tables([LINES[0], bankhook.inbox.open(url)])


def test_an_inbox_that_was_closed_since_fails_the_stream(url: str) -> None:
    async def taken() -> bankhook.types.Table:
        async with bankhook.inbox.open(url) as inbox:
            return tables(inbox).rejected

    table = asyncio.run(taken())
    with pytest.raises(OSError, match="the inbox is not open"):
        rows_of(table)


def test_what_is_stored_of_a_delivery_is_kept_beside_its_event(url: str) -> None:
    keep = ("received", "member", "key", "state", "attempts", "retry_at", "error")

    async def store_and_read() -> tuple[list[Any], list[dict[str, Any]]]:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([bankhook.inbox.examine(line) for line in LINES])
            stored = [delivery async for delivery in inbox.find()]
            found = tables([inbox, b'{"received":"now","b":{"event":"x"}}'], at="b", keep=keep, threads=2)
            return stored, [
                row for table in (found.rejected, found.unknown_events, found.outcomes) for row in rows_of(table)
            ]

    stored, rows = asyncio.run(store_and_read())
    deliveries = {delivery.number: delivery for delivery in stored}
    assert {row["line"] for row in rows if row["source"] == 0} == set(deliveries)
    for row in rows:
        if row["source"] == 1:
            assert [row[name] for name in keep] == ["now", *[None] * 6]
            continue
        delivery = deliveries[row["line"]]
        assert datetime.datetime.fromisoformat(row["received"]) == delivery.received
        assert row["received"].endswith("+00:00")
        assert [row[name] for name in keep[1:5]] == [delivery.member, delivery.key, delivery.state.value, "0"]
        assert (row["retry_at"], row["error"]) == (None, None)


def test_only_what_a_delivery_has_can_be_kept(url: str) -> None:
    async def taken(keep: tuple[str, ...]) -> None:
        async with bankhook.inbox.open(url) as inbox:
            tables(inbox, keep=keep)

    with pytest.raises(ValueError, match="a stored delivery has no received_at; it has received, member, key, state"):
        asyncio.run(taken(("key", "received_at")))
