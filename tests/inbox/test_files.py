# SPDX-License-Identifier: MIT
"""A process that has its inbox open keeps SQLite's locks on it, whatever else it opens, reads and closes meanwhile."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pyarrow  # type: ignore[import-untyped]
import pytest

import bankhook
import bankhook.inbox
from bankhook.cli.commands import commands
from bankhook.inbox import Inbox, examine
from bankhook.receiver import running
from inbox.history import HANGS, ROUNDS, Progress, filled, payloads
from receiver.listening import stored

TESTS = Path(__file__).parents[1]
BODIES = payloads(20)
LOOKS_AND_CLOSES = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('select count(*) from bankhook_deliveries')"
LOOKS = ["inbox", "cases"], ["inbox", "deliveries"]
COMMANDS = ["check", "-q"], ["show"], ["track"], ["table"], ["send", "http://127.0.0.1:1/"]


def locks(path: Path) -> list[str]:
    """The locks that this process has on a file and on those beside it, as the kernel lists them: to open one would drop them."""
    inodes = {str(one.stat().st_ino) for one in path.parent.glob(f"{path.name}*")}
    found = list[str]()
    for line in Path("/proc/locks").read_text().splitlines():
        kind, _, mode, owner, file, *part = line.split()[1:]
        if owner == str(os.getpid()) and file.rpartition(":")[2] in inodes:
            found.append(" ".join((kind, mode, file, *part)))
    return sorted(found)


def is_whole(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with a file."""
    with closing(sqlite3.connect(path)) as connection:
        found: list[tuple[str]] = connection.execute("PRAGMA integrity_check").fetchall()
        return found == [("ok",)]


def names(path: Path) -> Iterator[str]:
    """What leads to the file of an inbox."""
    link, hard = path.with_name("linked.db"), path.with_name("hard.db")
    link.symlink_to(path)
    yield from (str(path), os.path.relpath(path), str(link), f"{path.parent}/../{path.parent.name}/{path.name}")
    hard.hardlink_to(path)
    yield str(hard)
    hard.unlink()


def beside(path: Path) -> Iterator[str]:
    """What leads to the files beside it."""
    yield from (f"{path}{suffix}" for suffix in ("-wal", "-shm", "-runner"))
    yield from (str(path.parent), str(path.parent / "*"), f"{path}*")


def opened_again(name: str) -> None:
    async def run() -> None:
        for again in (name, Path(name), f"sqlite:///{name}"):
            for create in (True, False):
                async with bankhook.inbox.open(again, create=create) as inbox:
                    await inbox.append([examine(BODIES[1])])
                    await inbox.drain(bankhook.Handlers())

    asyncio.run(run())


def opened_by_a_receiver(name: str) -> None:
    with running(bankhook.inbox.open(name)) as receiving:
        httpx.post(receiving.url, content=BODIES[1])


def opened_with_tables_of_its_own(name: str) -> None:
    with closing(sqlite3.connect(name)) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS credits (purchase TEXT)")


def read_as_lines(name: str) -> None:
    list(bankhook.parse_lines(name, on_error="collect"))


def read_with_findings(name: str) -> None:
    bankhook.diagnose_lines(name)


def read_by_a_tracker(name: str) -> None:
    bankhook.Tracker().apply_lines(name)


def read_as_tables(name: str) -> None:
    pyarrow.table(bankhook.tables(name).rejected)


def read_by_the_command(name: str, asked: Iterable[list[str]] = COMMANDS) -> None:
    for words in asked:
        with suppress(Exception, SystemExit):
            commands.main([*words, name], standalone_mode=False)


def opened_by_the_command(name: str) -> None:
    read_by_the_command(name, LOOKS)


OPENS = opened_again, opened_by_a_receiver, opened_by_the_command, opened_with_tables_of_its_own
READS = read_as_lines, read_with_findings, read_by_a_tracker, read_as_tables, read_by_the_command


async def keeps_its_locks(inbox: Inbox, path: Path, way: Callable[[str], None]) -> None:
    """Whatever is done with any of the names, and whatever it raises."""
    before = locks(path)
    assert len(before) == 2, "SQLite keeps one on the file and one on its -shm"
    for name in (*names(path), *(beside(path) if way in READS else ())):
        with suppress(OSError, ValueError, bankhook.BankhookError, sqlite3.Error):
            await asyncio.to_thread(way, name)  # in a thread, which may have an event loop of its own
        assert locks(path) == before, name
    subprocess.run([sys.executable, "-c", LOOKS_AND_CLOSES, path], check=True)
    assert Path(f"{path}-wal").exists(), "another process took itself for the last one"
    await inbox.append([examine(BODIES[2])])


@pytest.mark.parametrize("way", [*OPENS, *READS], ids=lambda way: way.__name__)
def test_whatever_a_process_does_with_the_file_of_its_inbox_its_locks_stay(
    tmp_path: Path, way: Callable[[str], None]
) -> None:
    async def run() -> None:
        path = tmp_path / "inbox.db"
        async with filled(path, BODIES) as inbox:
            await inbox.drain(bankhook.Handlers())  # makes the file for runners
            await keeps_its_locks(inbox, path, way)
            assert await inbox.drain(bankhook.Handlers()) > 0

    asyncio.run(run())


@pytest.mark.parametrize("way", [opened_again, read_as_lines], ids=lambda way: way.__name__)
def test_so_do_those_on_its_spool(tmp_path: Path, way: Callable[[str], None]) -> None:
    async def run() -> None:
        path = tmp_path / "spool.db"
        async with bankhook.inbox.open("postgresql://127.0.0.1:1/none", spool=path) as inbox:
            await inbox.append([examine(BODIES[0])])
            await keeps_its_locks(inbox, path, way)

    asyncio.run(run())


class Sharing:
    """A process that does what `inbox.sharing` says; its lines are read as they come."""

    def __init__(self, inbox: Path, seed: int, *, receives: bool = False) -> None:
        command = [sys.executable, "-m", "inbox.sharing", str(inbox), str(seed), *["receives"] * receives]
        self.process = subprocess.Popen(command, cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.acknowledged = list[bytes]()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                if line.endswith(b"\n"):  # else it was killed
                    self.acknowledged.append(line[:-1])

    def wait(self, more: int) -> None:
        """Wait until this many more were acknowledged."""
        wanted, progress = len(self.acknowledged) + more, Progress("deliveries are acknowledged")
        while len(self.acknowledged) < wanted:
            assert self.process.poll() is None
            progress.check(len(self.acknowledged))
            time.sleep(0.01)

    def end(self) -> int:
        """Let it end in order, unless it was killed, and return its status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        status = self.process.wait(HANGS)
        self._reading.join()
        return status


@pytest.mark.slow
@pytest.mark.soak
def test_processes_that_open_fill_read_and_close_an_inbox_take_nothing_from_each_other(tmp_path: Path) -> None:
    inbox, sharing = tmp_path / "inbox.db", list[Sharing]()
    try:
        sharing.append(Sharing(inbox, 0, receives=True))
        sharing[0].wait(10)
        for round_ in range(max(2, ROUNDS)):
            with_kill = round_ % 2 == 1
            begun = [Sharing(inbox, 10 * round_ + number) for number in range(1, 3 + with_kill)]
            sharing += begun
            for one in begun:
                one.wait(15)
            if with_kill:
                begun[0].process.kill()
            for one in (sharing[0], *begun[with_kill:]):
                one.wait(15)
            assert [one.end() for one in begun] == [-9 if with_kill else 0, *[0] * (len(begun) - 1)]
        assert sharing[0].end() == 0
    finally:
        for one in sharing:
            one.process.kill()
            one.end()
    there = Counter(one.body for one in stored(inbox))
    assert [body for one in sharing for body in one.acknowledged if there[body] != 1] == []
    assert is_whole(inbox)
