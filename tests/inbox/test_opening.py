# SPDX-License-Identifier: MIT
"""An inbox that is opened, closed, opened again, and asked for what it does not have."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import traceback
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Inbox, InboxError, examine
from bankhook.inbox._retries import Retries
from bankhook.inbox._sql.urls import shown
from inbox.history import HANGS

BODIES = [b'{"event":"one"}', b'{"event":"two"}']


async def filled(inbox: Inbox) -> None:
    await inbox.append([examine(body) for body in BODIES])


def test_an_inbox_that_was_closed_is_opened_again_even_in_another_event_loop(url: str) -> None:
    inbox = bankhook.inbox.open(url)

    async def use() -> int:
        async with inbox:
            await filled(inbox)
            await inbox.drain(bankhook.Handlers())
        async with inbox:
            return (await inbox.counts())[DeliveryState.HANDLED]

    assert [asyncio.run(use()), asyncio.run(use())] == [2, 4]


def test_an_inbox_that_could_not_be_opened_is_opened_once_its_file_is_there(tmp_path: Path) -> None:
    path = tmp_path / "inbox.db"

    async def use() -> None:
        late = bankhook.inbox.open(path, create=False)
        with pytest.raises(InboxError, match="there is no such file"):
            await late.__aenter__()
        async with bankhook.inbox.open(path) as inbox:
            await filled(inbox)
        async with late:
            assert (await late.counts())[DeliveryState.PENDING] == 2

    asyncio.run(use())


def test_an_inbox_is_opened_once_at_a_time(url: str) -> None:
    async def use() -> None:
        async with bankhook.inbox.open(url) as inbox:
            with pytest.raises(InboxError, match="is open already"):
                await inbox.__aenter__()
            await filled(inbox)  # and the first opening still counts

    asyncio.run(use())


def test_of_two_tasks_that_open_an_inbox_one_does(url: str) -> None:
    async def use() -> None:
        inbox = bankhook.inbox.open(url)
        opened = await asyncio.gather(inbox.__aenter__(), inbox.__aenter__(), return_exceptions=True)
        assert opened[0] is inbox
        assert isinstance(opened[1], InboxError)
        await inbox.__aexit__()

    asyncio.run(use())


def test_an_inbox_that_was_not_opened_is_closed(url: str, tmp_path: Path) -> None:
    asyncio.run(bankhook.inbox.open(url).__aexit__())
    asyncio.run(bankhook.inbox.open("postgresql://127.0.0.1:1/x", spool=tmp_path / "spool.db").__aexit__())


def test_without_the_driver_of_postgresql_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs psycopg: pip install 'bankhook\[postgresql\]'"):
        bankhook.inbox.open("postgresql://127.0.0.1:1/x")


def test_an_inbox_that_is_never_closed_is_a_warning_and_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    inbox = bankhook.inbox.open(tmp_path / "inbox.db")
    asyncio.run(inbox.__aenter__())
    its_own = [one for one in threading.enumerate() if one not in before and one.name.startswith("bankhook-inbox")]
    assert len(its_own) == 3
    with pytest.warns(ResourceWarning, match=r"inbox.db': open> was not closed"):
        del inbox
    for one in its_own:
        one.join(HANGS)
        assert not one.is_alive()


def test_run_ends_with_its_inbox_and_handles_nothing_afterwards(url: str) -> None:
    handlers, called = bankhook.Handlers(), list[str]()
    handlers.fallback(name="seen")(lambda event: called.append(event.event))

    async def use() -> None:
        async with bankhook.inbox.open(url) as inbox:
            running = asyncio.create_task(inbox.run(handlers))
            await filled(inbox)
            while len(called) < 2:
                await asyncio.sleep(0.01)
        with pytest.raises(InboxError):
            await asyncio.wait_for(running, 60)
        async with bankhook.inbox.open(url) as other:
            await filled(other)
            await other.drain(bankhook.Handlers())

    asyncio.run(use())
    assert called == ["one", "two"]


def test_a_new_file_and_those_beside_it_are_for_its_user_only(tmp_path: Path) -> None:
    async def use() -> set[int]:
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            await filled(inbox)
            await inbox.drain(bankhook.Handlers())
            assert {path.name for path in tmp_path.iterdir()} >= {f"inbox.db{end}" for end in ("", "-wal", "-shm")}
            return {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}

    before = os.umask(0o022)
    try:
        assert asyncio.run(use()) == {0o600}
    finally:
        os.umask(before)


@pytest.mark.parametrize("is_open", [False, True])
def test_an_inbox_on_media_that_cannot_be_written_is_refused_with_its_cause(tmp_path: Path, is_open: bool) -> None:
    media, path, copy = tmp_path / "media", tmp_path / "inbox.db", tmp_path / "copy"

    async def use() -> None:
        async with bankhook.inbox.open(path) as inbox:
            await filled(inbox)
            if is_open:
                shutil.copytree(tmp_path, media, dirs_exist_ok=True)
        if not is_open:
            shutil.copy(path, media)
        subprocess.run([*mount, "remount,ro", media], check=True)
        for create in (False, True):
            with pytest.raises(InboxError, match="SQLite writes beside the file: where that cannot be, open a copy"):
                async with bankhook.inbox.open(media / "inbox.db", create=create) as inbox:
                    await inbox.append([examine(BODIES[0])])
        shutil.copytree(media, copy)
        async with bankhook.inbox.open(copy / "inbox.db", create=False) as inbox:
            assert [one.body async for one in inbox.find()] == BODIES

    media.mkdir()
    mount = ["mount", "-o"]
    if subprocess.run([*mount, "size=4m", "-t", "tmpfs", "tmpfs", media], check=False, capture_output=True).returncode:
        pytest.skip("no rights to mount")
    try:
        asyncio.run(use())
    finally:
        subprocess.run(["umount", media], check=True)


def test_a_file_that_was_there_is_for_its_user_only_once_it_has_an_inbox_and_can_be_opened_to_others_then(
    tmp_path: Path,
) -> None:
    path = tmp_path / "inbox.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("create table credits (purchase text)")
    path.chmod(0o644)

    async def use(mode: int) -> None:
        async with bankhook.inbox.open(path) as inbox:
            await filled(inbox)
            found = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir()}
            assert found == {f"inbox.db{end}": mode for end in ("", "-wal", "-shm")}

    asyncio.run(use(0o600))
    path.chmod(0o640)
    asyncio.run(use(0o640))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hidden@127.0.0.1:1/x",
        "postgresql://me:hid?den@127.0.0.1:1/x",
        "postgresql://127.0.0.1:1/x?user=me&password=hidden",
    ],
)
def test_a_password_is_in_no_text(url: str, caplog: pytest.LogCaptureFixture) -> None:
    async def use(inbox: Inbox) -> str:
        with pytest.raises(InboxError) as raised:
            await inbox.__aenter__()
        return "".join(traceback.format_exception(raised.value))

    with caplog.at_level(logging.DEBUG):
        inbox = bankhook.inbox.open(url)
        texts = [repr(inbox), repr(inbox.store.engine), asyncio.run(use(inbox)), shown(url), caplog.text]  # type: ignore[attr-defined]
    assert [text for text in texts if "hid" in text] == []
    assert shown(url) == "postgresql://127.0.0.1:1/x"


def test_a_wait_of_any_length_is_an_hour_at_most() -> None:
    retries = Retries(8, datetime.timedelta.max, datetime.timedelta.max)
    now = datetime.datetime.now(datetime.UTC)
    assert all(
        at is not None and at - now <= datetime.timedelta(hours=1.25) for at in map(retries.after, range(1, 8), [now] * 7)
    )


def test_a_store_that_fails_is_no_value_error() -> None:
    """So that a clause around a payload does not catch a full disk."""
    assert issubclass(InboxError, bankhook.BankhookError)
    assert not issubclass(InboxError, ValueError)
