# SPDX-License-Identifier: MIT
"""The command `bankhook` over archives on disk: how fast, and in how much memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import bankhook
from bars import Bar

__all__ = ["measured_command"]

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


def measured_command() -> Iterator[Bar]:
    """Its start, the events that `track` takes in a second, and the bytes that `check` reads: processor time."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "archive.ndjson"
        events = 300_000
        sandbox = bankhook.Sandbox(seed=4, members=20_000)
        part = b"".join(delivery.payload + b"\n" for delivery in sandbox.deliveries(events))
        archive.write_bytes(part)
        start = 1000 * min(_run("check", "--allow-empty", os.devnull).seconds for _ in range(9))
        yield Bar("`bankhook`, its start", f"{_START_BAR} ms", f"{start:.0f} ms", start < _START_BAR)
        track = _run("track", str(archive))
        speed = events / track.seconds
        reached = f"{speed:,.0f} events a second, {track.megabytes:.0f} MB held"
        yield Bar("`bankhook track`", f"{_FOLLOW_BAR:,}", reached, speed > _FOLLOW_BAR)
        for times in (1, 8):
            with archive.open("wb") as file:
                file.writelines([part] * times)
            check = _run("check", "--quiet", str(archive))
            size = len(part) * times / 1e6
            reached = f"{size / check.seconds:.0f} MB a second, {check.megabytes:.0f} MB held"
            is_met = size / check.seconds > _CHECK_BAR
            yield Bar(f"`bankhook check` of {size:.0f} MB", f"{_CHECK_BAR} MB", reached, is_met)


def _run(*arguments: str) -> _Spent:
    done = subprocess.run([sys.executable, "-c", _WATCH, _COMMAND, *arguments], capture_output=True, check=True)
    seconds, kilobytes = done.stdout.split()
    return _Spent(float(seconds), float(kilobytes) / 1024)
