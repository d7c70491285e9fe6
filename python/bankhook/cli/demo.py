# SPDX-License-Identifier: MIT
"""`bankhook demo`: a tour of the command in a terminal, with what it does on a mistake, an archive, a member and a delivery."""

from __future__ import annotations

import collections
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

import bankhook
from bankhook.cli import commands, options
from bankhook.cli.terminal import gap, say

__all__ = ["command"]

_PAUSE = 0.35

# An amount in quotes, a status that differs from eventType, and therefore no reason.
_PAYLOAD = """\
{
  "event": "initial_transaction_update", "eventType": "rejected",
  "customer": {"id": "member-0001", "externalId": "cust-1"},
  "initialTransaction": {
    "id": "it-0001", "amount": "19.90", "storeExternalId": "store-17",
    "status": "validated", "rejectionReason": null, "transactionId": null,
    "transactionDate": "2026-05-03", "date": "2026-05-04T10:15:30Z"
  }
}
"""


@options.command()
@options.option("--seed", "Another seed generates other members.", click.IntRange(0, 2**64 - 1), 7)
def command(chosen: options.Chosen) -> int:
    """Show what the library does: a mistake in a payload, an archive with faults, what became of a member, and a receiver.
    The tour runs the commands that it shows, in a temporary folder. It ends by itself and works in a pipe, too.

    \b
    Example:
      bankhook demo

    Exit status: 0.
    """
    program, seed = _program(), chosen.seed
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("payload.json").write_text(_PAYLOAD, encoding="utf-8")
        _title("1. A payload with a mistake: what is wrong, where, and which rule says so")
        _run("check", "--show-values", "payload.json")
        _title("2. A history of simulated deliveries, one in fifty with a fault, is checked")
        _run("simulate", "--seed", str(seed), "--members", "250", "--faults", "0.02", "-o", "history.ndjson")
        _run("check", "--limit", "1", "history.ndjson")
        _title("3. A member is followed through it: each event, and why its state follows")
        _run("track", "--member", _a_member(Path("history.ndjson")), "history.ndjson")
        _title("4. A receiver stores a delivery before it acknowledges it")
        _receive(seed)
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
    if shutil.which("bankhook") == str(path.absolute()):
        return "bankhook"
    return shlex.quote(os.path.relpath(path))


def _title(text: str) -> None:
    gap(is_first=text.startswith("1"))
    say((text, "bold"))
    _pause()


def _say(text: str) -> None:
    say(text, first=2, rest=6)


def _pause() -> None:
    sys.stdout.flush()
    if sys.stdout.isatty():
        time.sleep(_PAUSE)


def _run(*arguments: str) -> None:
    _say(f"$ bankhook {' '.join(arguments)}")
    sys.stdout.flush()
    with contextlib.redirect_stderr(sys.stdout):  # in its order between what else is printed
        commands.run(list(arguments))
    _pause()


def _a_member(archive: Path) -> str:
    """Return a member with a short history: of connections and of a transaction that is rejected in the end."""
    kinds: dict[str, list[str]] = collections.defaultdict(list)
    for event in bankhook.parse_lines(archive, on_error="collect"):
        if not isinstance(event, bankhook.UnknownEvent):
            kinds[event.customer.id].append(event.event_type)

    def distance(member: str) -> tuple[bool, int]:
        return not {"create", "created", "rejected"} <= set(kinds[member]), abs(len(kinds[member]) - 4)

    return min(kinds, key=distance)


def _receive(seed: int) -> None:
    """Let `listen` receive what `send` posts, on a free port of this machine."""
    listen = [sys.executable, "-P", "-m", "bankhook", "listen", "--port", "0", "--show-values"]
    _say("$ bankhook listen --port 0 --show-values &")
    with subprocess.Popen(listen, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as receiver:
        assert receiver.stdout is not None
        first = receiver.stdout.readline()
        _say(first.rstrip())
        address = first.removeprefix("POST ").partition(" ")[0]
        if address.startswith("http"):
            _run("send", "--seed", str(seed), "--event", "validated", address)
        receiver.send_signal(signal.SIGINT)
        for line in receiver.stdout:
            _say(line.rstrip())
    if Path("inbox.db").exists():
        _run("inbox", "deliveries", "inbox.db")
