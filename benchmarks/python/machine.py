# SPDX-License-Identifier: MIT
"""The machine that is measured on, in words."""

from __future__ import annotations

import os
import platform
from pathlib import Path

__all__ = ["this_machine"]


def this_machine() -> str:
    """The processor, its cores, and the system."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
    return f"{model}, {os.cpu_count()} cores, {platform.freedesktop_os_release()['PRETTY_NAME']}"
