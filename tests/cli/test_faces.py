# SPDX-License-Identifier: MIT
"""Every command where terminals are narrow, pipes are closed, there is no output at all, and names and values are hostile."""

from __future__ import annotations

import asyncio
import datetime
import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
from pathlib import Path
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook import _core
from bankhook.inbox import examine
from cli.command import COMMAND, ended, faulty_archive, fork, run

pytestmark = pytest.mark.slow

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2066\u200b\r\x00\x7f\u2028日e\u0301"
HIDDEN = re.compile(f"(?![\n\t])[{_core._hidden_characters}]")
STYLE = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;[^;]*;.*?\x1b\\")
# How the progress bar, which a slow machine shows, is drawn over itself.
BAR = re.compile(r"\r?\x1b\[(?:\?25[lh]|1A|2K)")
KEPT = {"event", "eventType", "status", "rejectionReason", "date", "transactionDate", "consentExpiresAt", "amount"}

TEXT: dict[str, list[str]] = {
    "check": ["check", "--show-values", "--limit", "0", "ARCHIVE"],
    "check --strict": ["check", "--strict", "ARCHIVE"],
    "show": ["show", "ARCHIVE"],
    "show, not an event": ["show", "--line", "3", "ARCHIVE"],
    "track": ["track", "--changes", "--show-values", "--members", "0", "ARCHIVE"],
    "table": ["table", "ARCHIVE", "-o", "FOLDER/tables"],
    "lifecycle": ["lifecycle", "transaction"],
    "rule": ["rule"],
    "rule ID": ["rule", "status_equals_event_type"],
    "inbox deliveries": ["inbox", "deliveries", "--show-values", "INBOX"],
    "inbox dead-letters": ["inbox", "dead-letters", "INBOX"],
    "inbox cases": ["inbox", "cases", "INBOX"],
    "inbox overdue": ["inbox", "overdue", "INBOX"],
    "send": ["send", "http://127.0.0.1:9/", "ARCHIVE"],
    "replay": ["replay", "INBOX", "http://127.0.0.1:9/"],
}
DATA: dict[str, list[str]] = {
    "check --json": ["check", "--json", "ARCHIVE"],
    "show --json": ["show", "--json", "ARCHIVE"],
    "track --json": ["track", "--json", "--changes", "--show-values", "ARCHIVE"],
    "inbox deliveries --json": ["inbox", "deliveries", "--json", "--show-values", "INBOX"],
    "replay --json": ["replay", "--json", "INBOX", "http://127.0.0.1:9/"],
    "simulate": ["simulate", "-n", "50"],
    "schema": ["schema", "asyncapi"],
    "completion": ["completion", "bash"],
    "--help": ["--help"],
    "table --help": ["table", "--help"],
}
FACES = {**TEXT, **DATA}


def hostile(value: Any, name: str = "") -> Any:
    """Return a payload whose texts are hostile, but for those that must have a form, and with hostile names."""
    if isinstance(value, dict):
        return {key: hostile(inner, key) for key, inner in value.items()} | ({} if name else {f"more{HOSTILE}": 1})
    if isinstance(value, list):
        return [hostile(inner, name) for inner in value]
    return value + HOSTILE if isinstance(value, str) and name not in KEPT else value


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a hostile name, and in it an archive and an inbox of hostile events."""
    import json

    folder = tmp_path_factory.mktemp("a") / HOSTILE.replace("\x00", "")
    folder.mkdir()
    sandbox = bankhook.Sandbox(seed=3, members=4)
    deliveries = [json.loads(delivery.payload) for delivery in sandbox.deliveries(40)]
    lines = [json.dumps(hostile(one)).encode() for one in deliveries]
    broken = [json.dumps({HOSTILE: HOSTILE, "event": 7}).encode(), f'{{"event":"{HOSTILE[1:]}'.encode(), b"[\x1b[31m"]
    lines[2:2] = broken
    (folder / "archive.ndjson").write_bytes(b"\n".join((*lines, faulty_archive())))

    async def fill() -> None:
        old = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=9)
        async with bankhook.inbox.open(folder / "inbox.db") as made:
            await made.append([examine(line, received=old) for line in lines])
            await made.drain(bankhook.Handlers())

    asyncio.run(fill())
    return folder


def words(name: str, folder: Path) -> list[str]:
    places = {"ARCHIVE": str(folder / "archive.ndjson"), "INBOX": str(folder / "inbox.db")}
    return [places.get(word, word.replace("FOLDER", str(folder))) for word in FACES[name]]


def in_pipe(name: str, folder: Path) -> str:
    done = run(*words(name, folder))
    assert done.status in (0, 1)
    return done.out + done.err


def on_screen(name: str, folder: Path, width: int) -> list[str]:
    """Return the lines that a terminal of this width gets."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    process = fork(words(name, folder), (theirs, theirs, theirs), {"TERM": "xterm-256color"})
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 65536):
            seen += part
    except OSError:  # that is how a terminal says that its process has ended
        pass
    os.close(ours)
    assert ended(process) in (0, 1)
    return BAR.sub("\n", STYLE.sub("", seen.decode())).replace("\r\n", "\n").split("\n")


@pytest.mark.parametrize("name", FACES)
def test_nothing_hostile_reaches_a_pipe(name: str, folder: Path) -> None:
    printed = in_pipe(name, folder)
    assert printed
    assert not HIDDEN.search(printed)


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("width", [20, 80, 100])
def test_every_line_fits_the_terminal_and_nothing_hostile_reaches_it(name: str, width: int, folder: Path) -> None:
    lines = on_screen(name, folder, width)
    assert not HIDDEN.search("\n".join(lines))
    assert [line for line in lines if _core._cells(line) > width] == []


@pytest.mark.parametrize("name", FACES)
def test_a_reader_that_has_gone_is_no_error_of_the_command(name: str, folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(os.devnull) as nothing, tempfile.TemporaryFile() as said:
        status = ended(fork(words(name, folder), (nothing.fileno(), writer, said.fileno())))
        said.seek(0)
        assert status in (0, 1)  # as if it had read on: what was found stays found
        assert said.read() == b""
    os.close(writer)


@pytest.mark.parametrize("name", ["check", "track --json", "table", "inbox deliveries", "send", "--help"])
def test_without_any_output_the_exit_status_says_the_same(name: str, folder: Path) -> None:
    for closed in ("1>&-", "0<&- 1>&- 2>&-"):
        done = subprocess.run(
            ["bash", "-c", f'"$@" {closed}', "-", COMMAND, *words(name, folder)],
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode in (0, 1)
        assert b"Traceback" not in done.stdout + done.stderr
