# SPDX-License-Identifier: MIT
"""What `import bankhook` adds to the start of an interpreter."""

from __future__ import annotations

import os
import subprocess
import sys

from bars import Bar
from measure import lower_quartile

__all__ = ["measured_start"]

_BAR = 30.0


def measured_start(rounds: int = 15) -> Bar:
    """The milliseconds of processor time, in turns with an interpreter that does nothing."""
    taken = [(_milliseconds("import bankhook"), _milliseconds("pass")) for _ in range(rounds)]
    ours, nothing = map(lower_quartile, zip(*taken, strict=True))
    return Bar("`import bankhook`", f"{_BAR:.0f} ms", f"{ours - nothing:.1f} ms", ours - nothing < _BAR)


def _milliseconds(code: str) -> float:
    with subprocess.Popen([sys.executable, "-c", code], cwd="/") as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"python -c {code!r} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000
