# SPDX-License-Identifier: MIT
"""A file of SQLite that is deleted or replaced while it is open: nothing counts as stored until it is back."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError, examine
from inbox.history import filled, payloads

BODIES = payloads(20)


@pytest.mark.parametrize("is_replaced", [False, True])
@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_nothing_counts_as_stored_in_a_file_that_is_not_there_any_more(
    tmp_path: Path, suffix: str, is_replaced: bool
) -> None:
    async def run() -> None:
        path, aside = tmp_path / f"inbox.db{suffix}", tmp_path / "aside"
        async with filled(tmp_path / "inbox.db", BODIES[:5]) as inbox:
            path.rename(aside)
            if is_replaced:
                shutil.copy(aside, path)
            for _ in range(2):
                with pytest.raises(InboxError, match="was deleted or replaced"):
                    await inbox.append([examine(BODIES[5])])
                with pytest.raises(InboxError, match="was deleted or replaced"):
                    await inbox.counts()
            assert path.exists() == is_replaced
            aside.replace(path)
            await inbox.append([examine(BODIES[6])])
            assert (await inbox.counts())[DeliveryState.PENDING] >= 6
            assert await inbox.drain(bankhook.Handlers()) >= 6

    asyncio.run(run())


def test_handlers_are_not_called_for_what_is_in_a_deleted_file(tmp_path: Path) -> None:
    async def run() -> None:
        handlers, seen = bankhook.Handlers(), list[int]()

        @handlers.fallback
        def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            seen.append(context.delivery.number)

        async with filled(tmp_path / "inbox.db", BODIES) as inbox:
            (tmp_path / "inbox.db").unlink()
            with pytest.raises(InboxError, match="was deleted or replaced"):
                await inbox.drain(handlers)
        assert seen == []
        async with filled(tmp_path / "inbox.db", BODIES) as inbox:  # opened again, it is a new one
            assert await inbox.drain(handlers) == 20

    asyncio.run(run())


def test_an_inbox_that_others_closed_is_read_and_written(tmp_path: Path) -> None:
    async def run() -> None:
        async with filled(tmp_path / "inbox.db", BODIES):
            pass
        async with bankhook.inbox.open(tmp_path / "inbox.db", create=False) as inbox:
            assert await inbox.append([examine(BODIES[0])]) == range(21, 22)
            assert (await inbox.counts())[DeliveryState.PENDING] == 21

    asyncio.run(run())
