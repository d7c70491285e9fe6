# SPDX-License-Identifier: MIT
"""Writes what pages derive from the code, and names the pages that changed: `./dev docs --write`."""

from __future__ import annotations

from derived import write
from public_names import ROOT

for page in write():
    print(f"written: {page.relative_to(ROOT)}")
