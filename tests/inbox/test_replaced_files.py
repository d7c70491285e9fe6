# SPDX-License-Identifier: MIT
"""A file of SQLite that is deleted or replaced while it is open: this process writes nothing more, even once it is back."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError, InUse, examine
from bankhook.inbox._protocol import NeedsRestart
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
            for attempt in (
                inbox.append([examine(BODIES[6])]),
                inbox.drain(bankhook.Handlers()),
                inbox.run(bankhook.Handlers()),
            ):
                with pytest.raises(NeedsRestart):
                    await attempt
        with pytest.raises(NeedsRestart):
            await bankhook.inbox.open(tmp_path / "inbox.db").__aenter__()

    asyncio.run(run())
    command = [sys.executable, "-m", "bankhook", "inbox", "deliveries", "--json", str(tmp_path / "inbox.db")]
    assert len(subprocess.check_output(command, text=True).splitlines()) == 5  # a new process has what was acknowledged


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


def test_a_runner_that_lost_the_file_of_its_lock_commits_nothing_and_begins_again(tmp_path: Path) -> None:
    handlers, calls = bankhook.Handlers(), list[int]()

    @handlers.fallback
    def delete(event: bankhook.AnyEvent) -> None:
        (tmp_path / "inbox.db-runner").unlink()
        calls.append(len(calls))

    async def run() -> None:
        async with filled(tmp_path / "inbox.db", BODIES[:1]) as inbox:
            with pytest.raises(InUse):
                await inbox.drain(handlers)
            assert await inbox.drain(bankhook.Handlers()) == 1

    asyncio.run(run())
    assert calls == [0]


def test_a_file_with_two_names_is_refused_and_a_link_is_followed(tmp_path: Path) -> None:
    async def run() -> None:
        path, other = tmp_path / "inbox.db", tmp_path / "other.db"
        async with filled(path, BODIES[:3]):
            pass
        other.symlink_to(path)
        async with filled(other, BODIES[3:5]) as inbox, filled(path, BODIES[5:6]):
            assert (await inbox.counts())[DeliveryState.PENDING] == 6
        assert not (tmp_path / "other.db-wal").exists()
        other.unlink()
        other.hardlink_to(path)
        for name in (path, other):
            with pytest.raises(InboxError, match="several names"):
                await bankhook.inbox.open(name).__aenter__()
        other.unlink()
        async with filled(path, ()) as inbox:
            assert (await inbox.counts())[DeliveryState.PENDING] == 6

    asyncio.run(run())


def test_a_copy_that_another_process_begins_to_write_to_is_still_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "copy.db"

    async def run() -> None:
        async with filled(tmp_path / "inbox.db", BODIES[:3]):
            with closing(sqlite3.connect(tmp_path / "inbox.db")) as connection:
                connection.execute("VACUUM INTO ?", [str(path)])
        async with bankhook.inbox.open(path, create=False) as copy:  # it has no -wal yet
            assert await copy.append([examine(BODIES[3])]) == range(4, 5)
            async with filled(path, ()):
                assert await copy.append([examine(BODIES[4])]) == range(5, 6)
            assert (await copy.counts())[DeliveryState.PENDING] == 5

    asyncio.run(run())
