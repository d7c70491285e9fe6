# SPDX-License-Identifier: MIT
"""Writes the stub to standard output."""

from __future__ import annotations

import sys

from stub import stub

sys.stdout.write(stub())
