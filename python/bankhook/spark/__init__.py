# SPDX-License-Identifier: MIT
"""Archives and streams of events on Apache Spark; needs `bankhook[spark]`, here and where the executors are."""

from __future__ import annotations

from bankhook.spark._read import Frames, read
from bankhook.spark._track import Tracked, snapshots, track

__all__ = ["Frames", "Tracked", "read", "snapshots", "track"]

for _public in (Frames, Tracked, read, snapshots, track):
    _public.__module__ = __name__

__dir__ = __all__.copy
