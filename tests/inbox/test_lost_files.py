# SPDX-License-Identifier: MIT
"""Files that are deleted, moved or replaced under a receiver: what anybody acknowledges afterwards is there, and nothing else."""

from __future__ import annotations

import asyncio
import http.client
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import InboxError, examine
from inbox.history import Ledger, filled, payloads
from inbox.test_files import TESTS, is_whole
from receiver.listening import Listening, listening, stored

LARGE = b"p" * 100_000
EARLY, LATE = payloads(10), [b'{"event":"late","number":%d,"pad":"%s"}' % (number, LARGE) for number in range(60)]
LOST = "was deleted or replaced while it was open"
# It does not close its inbox: Python closes what is left when it ends.
ENDS_WITHOUT_CLOSING = """
import asyncio, sys
import bankhook.inbox
from bankhook.inbox import InboxError, examine

async def run():
    inbox = bankhook.inbox.open(sys.argv[1])
    await inbox.__aenter__()
    for line in sys.stdin.buffer:
        try:
            await inbox.append([examine(line[:-1])])
            print("stored", flush=True)
        except InboxError as error:
            print(error, flush=True)

asyncio.run(run())
"""


def deleted(path: Path) -> None:
    path.unlink()


def renamed(path: Path) -> None:
    path.rename(f"{path}.aside")


def copied(path: Path) -> None:
    renamed(path)
    shutil.copy(f"{path}.aside", path)


WAYS = [deleted, renamed, copied]
FILES = [("",), ("-wal",), ("-shm",), ("-wal", "-shm"), ("", "-wal", "-shm")]
by_name = pytest.mark.parametrize("lose", WAYS, ids=lambda way: way.__name__)
by_files = pytest.mark.parametrize("files", FILES, ids=lambda files: "+".join(files) or "database")


def post(server: Listening, body: bytes) -> int:
    with closing(http.client.HTTPConnection(*server.address, timeout=240)) as connection:
        connection.request("POST", "/webhook", body)
        return connection.getresponse().status


def healthy(server: Listening) -> bool:
    with closing(http.client.HTTPConnection(*server.address, timeout=240)) as connection:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200


def append(inbox: Path, name: str) -> list[bytes]:
    """What another process acknowledges of some hundred deliveries: nothing, if SQLite refuses what is left of the files."""
    acknowledged = list[bytes]()
    bodies = [b'{"event":"other","of":"%s","number":%d}' % (name.encode(), number) for number in range(200)]

    async def run() -> None:
        async with bankhook.inbox.open(inbox) as opened:
            for start in range(0, len(bodies), 20):
                await opened.append([examine(body) for body in bodies[start : start + 20]])
                acknowledged.extend(bodies[start : start + 20])

    with suppress(InboxError):
        asyncio.run(run())
    return acknowledged


@pytest.mark.slow
@by_name
@by_files
def test_a_receiver_that_lost_its_files_acknowledges_and_writes_nothing_more(
    tmp_path: Path, files: tuple[str, ...], lose: Callable[[Path], None]
) -> None:
    inbox = tmp_path / "inbox.db"
    with listening(inbox, "--quiet") as server:
        assert [post(server, body) for body in EARLY] == [204] * len(EARLY)
        for suffix in files:
            lose(Path(f"{inbox}{suffix}"))
        others = append(inbox, "first")
        assert [post(server, body) for body in LATE] == [503] * len(LATE)
        assert not healthy(server)
        assert LOST in server.line(LOST)
        others += append(inbox, "second")
        server.stop()
    there = [one.body for one in stored(inbox)]
    survive = EARLY if lose is copied or files == ("-shm",) else []
    assert set(there) >= {*others, *survive}
    assert len(there) == len(others) + len(survive)
    assert is_whole(inbox)


@by_name
@pytest.mark.parametrize("suffix", ["", "-wal"], ids=["database", "-wal"])
def test_a_process_that_ends_without_closing_its_inbox_writes_nothing_over_what_others_stored(
    tmp_path: Path, suffix: str, lose: Callable[[Path], None]
) -> None:
    inbox = tmp_path / "inbox.db"
    command = [sys.executable, "-W", "ignore", "-c", ENDS_WITHOUT_CLOSING, str(inbox)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None

        def ask(body: bytes) -> str:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(f"{body.decode()}\n")
            process.stdin.flush()
            return str(process.stdout.readline())

        assert [ask(body) for body in EARLY] == ["stored\n"] * len(EARLY)
        lose(Path(f"{inbox}{suffix}"))
        others = append(inbox, "first")
        answers = {ask(body) for body in LATE[:20]}
        assert all(LOST in one for one in answers), answers
        process.stdin.close()
        assert process.wait(60) == 0
    there = [one.body for one in stored(inbox)]
    assert set(there) >= set(others)
    assert not set(there) & set(LATE)
    assert is_whole(inbox)


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_what_a_handler_wrote_while_a_file_was_deleted_is_not_committed(tmp_path: Path, suffix: str) -> None:
    path = str(tmp_path / "inbox.db")
    code = "import sys, inbox.test_lost_files as tests; tests.handle_while_a_file_is_deleted(*sys.argv[1:])"
    # In a process of its own, which keeps what it lost until it ends.
    subprocess.run([sys.executable, "-c", code, path, suffix], cwd=TESTS, check=True)
    assert len(append(Path(path), "afterwards")) == 200
    assert Ledger(path).rows() == []
    assert is_whole(Path(path))


def handle_while_a_file_is_deleted(path: str, suffix: str) -> None:
    """Let a handler write, lose a file, and return."""
    ledger, handlers = Ledger(path), bankhook.Handlers()

    @handlers.fallback
    def credit(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        ledger.credit(context.replace(key="key"))
        Path(path + suffix).unlink()

    async def run() -> None:
        async with filled(path, [b'{"event":"x"}']) as inbox:
            with pytest.raises(InboxError, match=LOST):
                await inbox.drain(handlers)

    asyncio.run(run())
