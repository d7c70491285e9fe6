# SPDX-License-Identifier: MIT
"""Zstandard, as the running Python has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

try:
    from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # from Python 3.14 on
except ImportError:
    from backports import zstd

__all__ = ["compress", "decompress"]

compress = cast(Callable[[bytes], bytes], zstd.compress)
decompress = cast(Callable[[bytes], bytes], zstd.decompress)
