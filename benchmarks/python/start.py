# SPDX-License-Identifier: MIT
"""What `import bankhook` adds to the start of an interpreter."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

__all__ = ["print_start"]

_BAR = 30.0


def print_start(rounds: int = 15) -> None:
    """Prints the milliseconds of processor time, in turns with an interpreter that does nothing."""
    added = [_milliseconds("import bankhook") - _milliseconds("pass") for _ in range(rounds)]
    median = statistics.median(added)
    print(f"\nimport bankhook: {median:.1f} ms of processor time  bar {_BAR:.0f}  {'ahead' if median < _BAR else 'BEHIND'}")


def _milliseconds(code: str) -> float:
    with subprocess.Popen([sys.executable, "-c", code], cwd="/") as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"python -c {code!r} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000
