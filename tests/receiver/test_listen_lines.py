# SPDX-License-Identifier: MIT
"""What `listen` prints in a terminal: lines that fit it, broken between words."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from fcntl import ioctl
from pathlib import Path

import httpx
import pytest

import bankhook
from bankhook.cli import lines, terminal
from cli.command import COMMAND
from cli.test_terminal import killed_if_it_hangs

STYLE = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;[^;]*;.*?\x1b\\")
SANDBOX = bankhook.Sandbox(seed=1, members=1)
CREATED = SANDBOX.send_initial_transaction(SANDBOX.member(0)).to_json()


@pytest.mark.parametrize("width", [20, 44, 200])
def test_a_line_that_is_too_long_goes_on_in_an_indented_one(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "width", lambda: width)
    monkeypatch.setattr(sys, "stdout", printed := io.StringIO())
    with lines.LinePrinter() as printer:
        printer.say(17, ("quarantined", "red"), "payload_is_json_object, 1,234 bytes")
    first, *rest = printed.getvalue().splitlines()
    assert re.match(r"\d\d:\d\d:\d\d 17", first)
    assert all(line.startswith("    ") for line in rest)
    assert max(map(len, (first, *rest))) <= width
    assert bool(rest) is (width < 60)
    words = " ".join(line.strip() for line in (first, *rest))[9:]
    assert words.replace(" ", "") == "17quarantinedpayload_is_json_object,1,234bytes"


def test_a_delivery_is_shown_in_the_width_of_the_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 44, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"} | {"TERM": "xterm-256color"}
    process = subprocess.Popen(
        [COMMAND, "listen", "--inbox", tmp_path / "inbox.db", "--port", "0", "--show-values"],
        stdout=theirs,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    output, seen = b"", ""

    def read_until(pattern: str) -> re.Match[str]:
        nonlocal output, seen
        while (found := re.search(pattern, seen)) is None:
            output += os.read(ours, 65536)  # which may end within a character, or within a style
            seen = STYLE.sub("", output.decode(errors="ignore")).replace("\r\n", "\n")
        return found

    with killed_if_it_hangs(process):
        url = read_until(r"POST (http\S+)\s")[1]
        assert httpx.post(url, content=CREATED).status_code == 204
        assert httpx.post(url, content=b"no event").status_code == 204
        read_until(r" 2 quarantined[^$]*8 +bytes\n")
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    os.close(ours)
    assert [line for line in seen.split("\n") if len(line) > 44] == []
    assert re.search(r" 1 pending\n    initial_transaction_update created\b", seen)
