# SPDX-License-Identifier: MIT
"""What has to be reached, and what was."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Bar"]


class Bar(NamedTuple):
    """One figure beside what it has to be."""

    name: str
    bar: str
    reached: str
    is_met: bool
