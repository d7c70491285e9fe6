# SPDX-License-Identifier: MIT
"""Repeated timing in turns, so that what else the machine does meets all alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

__all__ = ["Figure", "in_turns", "lower_quartile"]


class Figure(NamedTuple):
    """Processor time of this thread in nanoseconds an event, over the rounds."""

    nanoseconds: float
    """The lower quartile."""
    spread: float
    """How far it is above the quickest round, as a share of that."""


def lower_quartile(times: Sequence[float]) -> float:
    """Return what stands for the rounds: another program takes cache and clock from some of them, and gives none to any."""
    return sorted(times)[len(times) // 4]


def in_turns(runs: Mapping[str, Callable[[], object]], events: int, rounds: int) -> dict[str, Figure]:
    """Calls each once a round and divides its time by `events`. A first round, which is not counted, warms up."""
    gc.collect()
    gc.freeze()  # what lives already is not looked through while others are measured
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            gc.collect()
            start = time.thread_time_ns()
            run()
            spent = time.thread_time_ns() - start
            if number > 0:
                times[name].append(spent / events)
    quartiles = {name: lower_quartile(taken) for name, taken in times.items()}
    return {name: Figure(quartile, quartile / min(times[name]) - 1) for name, quartile in quartiles.items()}
