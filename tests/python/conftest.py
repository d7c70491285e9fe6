# SPDX-License-Identifier: MIT
"""Set-up of the Python tests: what they leave behind lies in build/, as all else does."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[2] / "build" / ".hypothesis"))
