# SPDX-License-Identifier: MIT
"""Tables of an inbox: the deliveries that are stored, by their numbers, whatever is in them."""

from __future__ import annotations

import asyncio
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
