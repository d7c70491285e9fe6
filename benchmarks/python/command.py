# SPDX-License-Identifier: MIT
"""The command `bankhook` over archives on disk: how fast, and in how much memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import bankhook

__all__ = ["print_command"]

_COMMAND = Path(sys.executable).with_name("bankhook")
_CHECK_BAR, _FOLLOW_BAR, _START_BAR = 500, 300_000, 150

# A process begins with the memory of the one that it is forked from: here a small one.
_WATCH = """\
import resource, subprocess, sys
if subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode not in (0, 1):
    sys.exit(1)
spent = resource.getrusage(resource.RUSAGE_CHILDREN)
print(spent.ru_utime + spent.ru_stime, spent.ru_maxrss)
"""


class _Spent(NamedTuple):
    seconds: float
    """Of the processor, the system's share too."""
    megabytes: float
    """The most that was held at once."""


def print_command() -> None:
    """Prints what `check` judges in a second, what `follow` takes in, and the start, each beside its bar."""
    print("\nThe command bankhook, processor time")
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "archive.ndjson"
        events = 300_000
        sandbox = bankhook.Sandbox(seed=4, members=20_000)
        part = b"".join(delivery.payload + b"\n" for delivery in sandbox.deliveries(events))
        archive.write_bytes(part)
        start = min(_run("check", os.devnull).seconds for _ in range(9))
        _print(f"start: {start * 1000:.0f} ms", start * 1000 < _START_BAR, f"{_START_BAR} ms")
        follow = _run("follow", str(archive))
        speed = events / follow.seconds
        _print(f"follow: {speed:,.0f} events a second, {follow.megabytes:.0f} MB", speed > _FOLLOW_BAR, f"{_FOLLOW_BAR:,}")
        for times in (1, 8):
            with archive.open("wb") as file:
                file.writelines([part] * times)
            check = _run("check", "--quiet", str(archive))
            speed = len(part) * times / 1e6 / check.seconds
            shown = f"check of {len(part) * times / 1e6:.0f} MB: {speed:.0f} MB a second, {check.megabytes:.0f} MB held"
            _print(shown, speed > _CHECK_BAR, f"{_CHECK_BAR} MB")


def _print(shown: str, ahead: bool, bar: str) -> None:
    print(f"  {shown}  bar {bar}  {'ahead' if ahead else 'BEHIND'}")


def _run(*arguments: str) -> _Spent:
    done = subprocess.run([sys.executable, "-c", _WATCH, _COMMAND, *arguments], capture_output=True, check=True)
    seconds, kilobytes = done.stdout.split()
    return _Spent(float(seconds), float(kilobytes) / 1024)
