# SPDX-License-Identifier: MIT
"""Writes the stub where it lies."""

from __future__ import annotations

from stub import PATH, stub

PATH.write_text(stub(), encoding="utf-8")
