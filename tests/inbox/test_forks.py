# SPDX-License-Identifier: MIT
"""The lock of who handles an inbox ends with its process, even if that left a forked one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import Inbox, InboxError, InUse, examine
from inbox.history import filled, handling

TESTS = Path(__file__).parents[1]


async def drained(inbox: Inbox) -> int:
    """Drain, as soon as the process with the lock is gone."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await inbox.drain(bankhook.Handlers())
            except InUse:
                await asyncio.sleep(0.1)


def test_a_forked_process_does_not_keep_the_lock_of_one_that_was_killed(url: str) -> None:
    async def run() -> None:
        async with filled(url, [b'{"event":"x"}']) as inbox:
            command = [sys.executable, "-m", "inbox.forking", url]
            with subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout is not None
                child = int(process.stdout.readline())
                try:
                    if not url.startswith("postgresql"):
                        with pytest.raises(InUse):
                            await inbox.drain(bankhook.Handlers())
                    process.kill()
                    assert process.wait() == -signal.SIGKILL
                    assert await drained(inbox) == 1
                    os.kill(child, 0)  # it is still there
                finally:
                    process.kill()
                    os.kill(child, signal.SIGKILL)

    asyncio.run(run())


def test_a_handler_that_forks_keeps_its_own_lock_and_connection(url: str) -> None:
    async def run() -> None:
        handlers, statuses = bankhook.Handlers(), list[int]()

        @handlers.fallback
        def fork(event: bankhook.AnyEvent) -> None:
            child = os.fork()
            if child == 0:
                os._exit(7)
            statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

        async with filled(url, [b'{"event":"x"}']) as inbox, filled(url, []) as other:
            assert await inbox.drain(handlers) == 1
            await inbox.append([examine(b'{"event":"y"}')])
            async with handling(inbox):
                if (child := os.fork()) == 0:
                    os._exit(8)
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 8
                if not url.startswith("postgresql"):
                    with pytest.raises(InboxError, match="another inbox of this process"):
                        await other.drain(bankhook.Handlers())
            await other.append([examine(b'{"event":"z"}')])
            assert await other.drain(handlers) == 1
        assert statuses == [7, 7]

    asyncio.run(run())


def test_a_forked_process_does_not_open_what_its_parent_has_open(tmp_path: Path) -> None:
    """SQLite there would take the locks of the parent for its own, and set none that another process sees."""
    url = str(tmp_path / "inbox.db")

    async def run() -> int:
        async with filled(url, [b'{"event":"x"}']):
            if (child := os.fork()) == 0:
                with contextlib.suppress(BaseException):
                    with pytest.raises(InboxError, match="the inbox was open when this process was forked"):
                        bankhook.inbox.appender(url).append([examine(b'{"event":"y"}')])
                    os._exit(0)
                os._exit(1)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    assert asyncio.run(run()) == 0
