# SPDX-License-Identifier: MIT
"""The command at a terminal: colours, a progress bar, an interruption, in a real pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import termios
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from cli.command import COMMAND, clean_archive, faulty_archive


def in_terminal(
    *arguments: str | os.PathLike[str],
    env: dict[str, str] | None = None,
    act: Callable[[subprocess.Popen[bytes]], None] | None = None,
) -> tuple[int, str]:
    """Return exit status and output; `act` is called with the process after its first output."""
    ours, theirs = pty.openpty()
    environment = {**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm-256color", **(env or {})}
    process = subprocess.Popen([COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    with killed_if_it_hangs(process):
        seen = os.read(ours, 65536)
        if act is not None:
            act(process)
        seen += rest_of(ours)
        return process.wait(), seen.decode(errors="replace")


@contextlib.contextmanager
def killed_if_it_hangs(process: subprocess.Popen[bytes]) -> Generator[None]:
    """Kill the process after a minute, far more than it needs, so that the test fails instead of hanging."""
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()


def rest_of(terminal: int) -> bytes:
    """Return what is printed until the command ends."""
    seen = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while part := os.read(terminal, 65536):
            seen += part
    os.close(terminal)
    return seen


def test_findings_are_in_colours_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(faulty_archive())
    status, seen = in_terminal("check", tmp_path / "a.ndjson")
    assert status == 1
    assert "\x1b[1m" in seen and ";38;5;231;" in seen


def test_no_color_is_respected(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(faulty_archive())
    for command in (["check"], ["track"], ["show"]):
        _, seen = in_terminal(*command, tmp_path / "a.ndjson", env={"NO_COLOR": "1"})
        assert "\x1b[3" not in seen


@pytest.mark.parametrize("columns", [40, 120])
def test_messages_fit_the_terminal_of_standard_error(tmp_path: Path, columns: int) -> None:
    """Also if standard output goes to a file."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    process = subprocess.Popen(
        [COMMAND, "check", tmp_path / ("long-" * 30)], stdout=subprocess.DEVNULL, stderr=theirs, env=environment
    )
    os.close(theirs)
    with killed_if_it_hangs(process):
        lines = rest_of(ours).decode().split("\r\n")
        assert process.wait() == 2
    assert columns - 20 < max(map(len, lines)) <= columns


def test_work_over_a_second_has_a_progress_bar() -> None:
    reader, writer = os.pipe()
    line = clean_archive(1)
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}  # a dumb one gets none
    process = subprocess.Popen([COMMAND, "check", "-"], stdin=reader, stdout=theirs, stderr=theirs, env=environment)
    os.close(reader)
    os.close(theirs)
    seen = b""
    with killed_if_it_hangs(process):
        while b"bytes" not in seen and b"kB" not in seen:
            os.write(writer, line)  # until the command has worked for a second by its own clock
            if select.select([ours], [], [], 0.1)[0]:
                seen += os.read(ours, 65536)
        os.close(writer)
        seen += rest_of(ours)
        assert process.wait() == 0
    assert b"OK:" in seen


def test_an_interruption_is_quiet() -> None:
    status, seen = in_terminal(
        "simulate", "--events", "0", "-o", "-", act=lambda process: process.send_signal(signal.SIGINT)
    )
    assert status == 130
    assert "Traceback" not in seen and "Abort" not in seen


def test_a_waiting_command_answers_and_can_be_interrupted() -> None:
    process = subprocess.Popen(
        [COMMAND, "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(b"{}\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"<stdin>:1:")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 130
    assert err == b""


@pytest.mark.slow
def test_the_demo_ends_by_itself_in_a_terminal() -> None:
    status, seen = in_terminal("demo")
    assert status == 0
    assert "each line can be pasted" in seen and "history.ndjson" in seen
