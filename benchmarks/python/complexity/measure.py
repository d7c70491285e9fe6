# SPDX-License-Identifier: MIT
"""Time and memory of one operation over growing input, in a process of its own."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from complexity.operations import Operation

__all__ = ["Measured", "measured"]

_ENOUGH, _MOST, _MEMORY = 0.05, 10.0, 500_000_000
"""Seconds after which a round is the last one, and after which, or after how many bytes, an input is the largest one."""


class Measured(NamedTuple):
    """What an operation takes."""

    seconds: dict[int, float]
    """Processor time of the process, by the bytes of the input: the quickest of a few."""
    memory: int
    """The most bytes that it had at once with the largest input, over what it had before."""

    @property
    def largest(self) -> int:
        """The size of the largest input."""
        return max(self.seconds)

    def by_byte(self, size: int) -> float:
        """Nanoseconds."""
        return 1e9 * self.seconds[size] / size

    @property
    def growth(self) -> float:
        """How many times as long a byte takes in the largest input as in the smallest: 1 is linear, 16 quadratic."""
        return self.by_byte(self.largest) / self.by_byte(min(self.seconds))


def measured(inputs: Sequence[bytes], operation: Operation) -> Measured:
    """Measures in a fork, whose memory is its own; raises ChildProcessError where that does not end well."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(writer, pickle.dumps(_in_child(operation, inputs)))
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        result = file.read()
    if os.waitpid(child, 0)[1] != 0:
        raise ChildProcessError(f"{operation.name} failed, or brought its process down")
    return Measured(*pickle.loads(result))


def _in_child(operation: Operation, inputs: Sequence[bytes]) -> tuple[object, ...]:
    gc.freeze()
    libc = ctypes.CDLL(None)
    taken: dict[int, float] = {}
    memory = 0
    for data in inputs:
        run = operation.prepare(data)
        gc.collect()
        libc.malloc_trim(0)  # what was freed before goes back to the system
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak is what there is now
        before = _status("VmRSS")
        rounds = [_seconds(run)]
        memory = _status("VmHWM") - before
        while len(rounds) < 4 and sum(rounds) < _ENOUGH:
            rounds.append(_seconds(run))
        taken[len(data)] = min(rounds)
        if min(rounds) > _MOST or memory > _MEMORY:
            break
    return taken, memory


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
