# SPDX-License-Identifier: MIT
"""Tables of an inbox: the deliveries that are stored, by their numbers, whatever is in them."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

import bankhook.inbox
from bankhook import tables
from inbox.nats_server import NatsServer
from inbox.servers import started
from python.table_rows import TABLES, archive, expected, pyarrow, rows_of

# Without the ends of lines of the archive: a delivery has none.
LINES = [line.strip() for line in archive(seed=13, count=300).split(b"\n") if line.strip()]


def test_an_open_inbox_is_read_as_often_as_its_tables_are(any_url: str) -> None:
    """Also by the thread that runs its event loop, as in a notebook."""

    async def store_and_read() -> tuple[list[int], dict[str, list[dict[str, Any]]]]:
        async with bankhook.inbox.open(any_url) as inbox:
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


def test_a_delivery_over_several_lines_is_one_row(any_url: str) -> None:
    async def read() -> tuple[int, int]:
        async with bankhook.inbox.open(any_url) as inbox:
            await inbox.append([bankhook.inbox.examine(b) for b in (b'{"event":\n"a"}', b"[\n{}]", b"")])
            found = tables(inbox)
            return len(rows_of(found.unknown_events)), len(rows_of(found.rejected))

    assert asyncio.run(read()) == (1, 2)


def test_an_inbox_that_is_not_open_is_refused_at_once(any_url: str) -> None:
    with pytest.raises(bankhook.inbox.InboxError, match="the inbox is not open: use `async with`"):
        tables([LINES[0], bankhook.inbox.open(any_url)])


def test_an_inbox_that_was_closed_since_fails_the_stream(any_url: str) -> None:
    async def taken() -> bankhook.Table:
        async with bankhook.inbox.open(any_url) as inbox:
            return tables(inbox).rejected

    table = asyncio.run(taken())
    with pytest.raises(OSError, match="the inbox is not open"):
        rows_of(table)


def test_a_stream_that_is_dropped_early_leaves_nothing_on_the_server(nats: NatsServer) -> None:
    async def left() -> tuple[int, int, int]:
        opened: Any = bankhook.inbox.open(nats.url())
        async with opened as inbox:
            await inbox.append([bankhook.inbox.examine(b'{"event":"a"}')] * 5000)

            async def consumers() -> int:
                info = await inbox._connection.js.stream_info(inbox._layout.deliveries)
                return int(info.state.consumer_count)

            before = await consumers()
            stream = pyarrow.RecordBatchReader.from_stream(tables(inbox, batch_rows=100).unknown_events)
            assert stream.read_next_batch().num_rows > 0
            between = await consumers()
            del stream
            gc.collect()
            return before, between, await consumers()

    before, between, after = asyncio.run(left())
    assert (between, after) == (before + 1, before)


@pytest.mark.slow
def test_a_server_that_ends_while_it_is_read_fails_the_stream() -> None:
    async def read(server: NatsServer) -> list[int]:
        url = server.url(timeout=60)
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([bankhook.inbox.examine(b'{"event":"a"}')] * 9000)
        async with bankhook.inbox.open(url.replace("=60", "=1")) as inbox:
            stream = pyarrow.RecordBatchReader.from_stream(tables(inbox, batch_rows=100).unknown_events)
            lines: list[int] = stream.read_next_batch().column("line").to_pylist()
            server.kill()
            with pytest.raises(OSError, match=r"InboxError: NATS: "):
                for batch in stream:
                    lines += batch.column("line").to_pylist()
            return lines

    with started("nats") as server:
        assert isinstance(server, NatsServer)
        lines = asyncio.run(read(server))
    assert lines == list(range(1, len(lines) + 1))
    assert 0 < len(lines) < 9000
