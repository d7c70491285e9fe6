# SPDX-License-Identifier: MIT
"""`bankhook demo`: a tour of the command in a terminal, with what it does on a mistake, an archive, a member and a delivery."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import bankhook
from bankhook.cli import commands, options
from bankhook.cli.terminal import gap, say


@options.command()
def command(_: options.Chosen) -> int:
    """Show what the library does: a mistake in a payload, an archive with faults, what became of a member, and a receiver.
    The tour runs the commands that it shows, in a temporary folder. It ends by itself and works in a pipe, too.

    \b
    Example:
      bankhook demo

    Exit status: 0.
    """
    program = _program()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        # An amount in quotes, a status that differs from eventType, and therefore no reason.
        shutil.copy(Path(__file__).with_name("demo.json"), "payload.json")
        _title("1. A payload with a mistake: what is wrong, where, and which rule says so")
        _run("check", "--show-values", "payload.json")
        _title("2. A history of simulated deliveries, one in fifty with a fault, is checked")
        _run("simulate", "--seed", "7", "--members", "250", "--faults", "0.02", "-o", "history.ndjson")
        _run("check", "--limit", "1", "history.ndjson")
        _title("3. A member is followed through it: each event, and why its state follows")
        events = bankhook.parse_lines("history.ndjson", of=bankhook.InitialTransactionUpdate, on_error="collect")
        member = next(event.customer.id for event in events if event.event_type == "rejected")
        _run("track", "--member", member, "history.ndjson")
        _title("4. A receiver stores a delivery before it acknowledges it")
        _receive()
    _title("Now yourself: each line can be pasted")
    for line in (
        "simulate --faults 0.02 -o history.ndjson",
        "check history.ndjson",
        "track history.ndjson",
        "listen  # in another terminal: send http://127.0.0.1:8000/webhook",
        "--help",
    ):
        _say(f"{program} {line.replace('send ', f'{program} send ')}")
    return 0


def _program() -> str:
    """How the reader calls this command: by its name if the shell finds this one by it, else by its path from here."""
    path = Path(sys.argv[0])
    if path.name != "bankhook":
        return f"{shlex.quote(sys.executable)} -m bankhook"
    return "bankhook" if shutil.which("bankhook") == str(path.absolute()) else shlex.quote(os.path.relpath(path))


def _title(text: str) -> None:
    gap(is_first=text.startswith("1"))
    say((text, "bold"))


def _say(text: str) -> None:
    say(text, first=2, rest=6)


def _run(*arguments: str) -> None:
    _say(f"$ bankhook {' '.join(arguments)}")
    sys.stdout.flush()
    with contextlib.redirect_stderr(sys.stdout):  # in its order between what else is printed
        commands.run(list(arguments))


def _receive() -> None:
    """Let `listen` receive what `send` posts, on a free port of this machine."""
    listen = [sys.executable, "-P", "-m", "bankhook", "listen", "--port", "0", "--show-values"]
    _say("$ bankhook listen --port 0 --show-values &")
    with subprocess.Popen(listen, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as receiver:
        assert receiver.stdout is not None
        first = receiver.stdout.readline()
        _say(first.rstrip())
        if first.startswith("POST "):
            _run("send", "--seed", "7", "--event", "validated", first.split()[1])
        receiver.send_signal(signal.SIGINT)
        for line in receiver.stdout:
            _say(line.rstrip())
    if Path("inbox.db").exists():
        _run("inbox", "deliveries", "inbox.db")
