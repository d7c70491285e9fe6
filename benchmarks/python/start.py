# SPDX-License-Identifier: MIT
"""What `import bankhook` adds to the start of an interpreter."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

from bars import Bar

__all__ = ["measured_start"]

_BAR = 30.0


def measured_start(rounds: int = 15) -> Bar:
    """The milliseconds of processor time, in turns with an interpreter that does nothing."""
    added = [_milliseconds("import bankhook") - _milliseconds("pass") for _ in range(rounds)]
    median = statistics.median(added)
    return Bar("`import bankhook`", f"{_BAR:.0f} ms", f"{median:.1f} ms", median < _BAR)


def _milliseconds(code: str) -> float:
    with subprocess.Popen([sys.executable, "-c", code], cwd="/") as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"python -c {code!r} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000
