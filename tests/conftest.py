# SPDX-License-Identifier: MIT
"""Set-up of all Python tests: what they leave after lies in build/, and Ctrl-C reaches the processes that they start."""

from __future__ import annotations

import os
import signal
from pathlib import Path

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[1] / "build" / ".hypothesis"))

# A shell starts what runs in its background with the signal ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
