# SPDX-License-Identifier: MIT
"""Time and memory of one operation over growing input, in a process of its own."""

from __future__ import annotations

import ctypes
import gc
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from complexity.operations import OPERATIONS
from complexity.shapes import CONTROLS, SHAPES, Shape

__all__ = ["ALL_SHAPES", "Measured", "Task", "measured"]

ALL_SHAPES: list[Shape] = [*(shape for of_kind in CONTROLS.values() for shape in of_kind), *SHAPES]
_ENOUGH, _MOST, _MEMORY = 0.05, 5.0, 300_000_000
"""Seconds after which a round is the last one, and after which, or after how many bytes, an input is the largest one."""


class Task(NamedTuple):
    """A shape of a size for some operations, by their places in the lists."""

    shape: int
    size: int
    operations: list[int]


class Measured(NamedTuple):
    """What an operation takes."""

    seconds: dict[int, float]
    """Processor time of the process, by the bytes of the input: the quickest of a few."""
    memory: dict[int, int]
    """The most bytes that it had at once, over what it had before."""

    @property
    def is_enough(self) -> bool:
        """Whether larger input would take too much."""
        return bool(self.seconds) and (max(self.seconds.values()) > _MOST or max(self.memory.values()) > _MEMORY)

    @property
    def largest(self) -> int:
        """The size of the largest input."""
        return max(self.seconds)

    def by_byte(self, size: int) -> float:
        """Nanoseconds."""
        return 1e9 * self.seconds[size] / size

    @property
    def growth(self) -> float:
        """The power of the size that time grows with: 1 is linear, 2 quadratic."""
        first, last = min(self.seconds), self.largest
        return math.log(self.seconds[last] / self.seconds[first], last / first) if first < last else 1.0


def measured(task: Task) -> tuple[Task, dict[int, tuple[int, float, int]]]:
    """For each operation the bytes of the input, seconds and bytes. For a process of its own, whose memory it measures."""
    gc.freeze()
    data = ALL_SHAPES[task.shape].of(task.size)
    libc = ctypes.CDLL(None)
    taken: dict[int, tuple[int, float, int]] = {}
    for number in task.operations:
        run = OPERATIONS[number].prepare(data)
        gc.collect()
        libc.malloc_trim(0)  # what was freed before goes back to the system
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak is what there is now
        before = _status("VmRSS")
        rounds = [_seconds(run)]
        memory = _status("VmHWM") - before
        while len(rounds) < 4 and sum(rounds) < _ENOUGH:
            rounds.append(_seconds(run))
        taken[number] = len(data), min(rounds), memory
        del run
    return task, taken


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
