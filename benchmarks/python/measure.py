# SPDX-License-Identifier: MIT
"""Repeated timing in turns, so that what else the machine does meets all alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

__all__ = ["Figure", "in_turns"]


class Figure(NamedTuple):
    """Processor time of this thread in nanoseconds an event, over the rounds."""

    median: float
    least: float
    most: float

    @property
    def spread(self) -> float:
        """The distance of the outer rounds, as a share of the median."""
        return (self.most - self.least) / self.median


def in_turns(runs: Mapping[str, Callable[[], object]], events: int, rounds: int) -> dict[str, Figure]:
    """Calls each once a round and divides its time by `events`. A first round, which is not counted, warms up."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            gc.collect()
            start = time.thread_time_ns()
            run()
            spent = time.thread_time_ns() - start
            if number > 0:
                times[name].append(spent / events)
    return {name: Figure(statistics.median(taken), min(taken), max(taken)) for name, taken in times.items()}
