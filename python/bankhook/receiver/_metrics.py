# SPDX-License-Identifier: MIT
"""What a receiver counts, for Prometheus: in a registry of its own, with labels that no sender can add to."""

from __future__ import annotations

import math
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bankhook import _core
from bankhook.inbox import Arrival, DeliveryState

__all__ = ["EVENT_NAMES", "Metrics"]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


EVENT_NAMES = frozenset(_core._event_names)
"""The names of the events that the specification lists."""


class Metrics:
    """The counters of one receiver."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        deliveries = Counter(
            "bankhook_deliveries", "Deliveries that were stored.", ("event", "state"), registry=self.registry
        )
        self._deliveries = {
            (event, state): deliveries.labels(event, state.value)
            for event in (*EVENT_NAMES, "unknown")
            for state in (DeliveryState.PENDING, DeliveryState.QUARANTINED)
        }
        self._answers = Counter("bankhook_answers", "Answers to deliveries.", ("status",), registry=self.registry)
        self._seconds = Histogram(
            "bankhook_answer_seconds", "Time from the headers to the answer.", buckets=_SECONDS, registry=self.registry
        )
        self._cut = Counter("bankhook_cut_bodies", "Requests that ended before their body.", registry=self.registry)
        self._batches = Histogram(
            "bankhook_batch_size", "Deliveries that share a commit.", buckets=_SIZES, registry=self.registry
        )
        self._waiting = Gauge("bankhook_waiting", "Deliveries that wait for the store.", registry=self.registry)
        self._stored = Gauge("bankhook_inbox", "Deliveries of the inbox, by state.", ("state",), registry=self.registry)
        self._pending_seconds = Gauge(
            "bankhook_pending_seconds", "Age of the oldest delivery that is pending.", registry=self.registry
        )
        self._by_status = {status: self._answers.labels(str(status)) for status in (204, 422)}

    def watch_queue(self, length: Callable[[], int]) -> None:
        """Take a function that returns how many deliveries wait."""
        self._waiting.set_function(length)

    def delivered(self, arrival: Arrival) -> str:
        """Count a delivery that was stored, and return its label: a listed name, or "unknown"."""
        event = arrival.event if arrival.event in EVENT_NAMES else "unknown"
        self._deliveries[event, arrival.state].inc()
        return event

    def answered(self, status: int, seconds: float) -> None:
        """Count an answer."""
        counter = self._by_status.get(status)
        if counter is None:
            counter = self._by_status[status] = self._answers.labels(str(status))
        counter.inc()
        self._seconds.observe(seconds)

    def stored(self, size: int) -> None:
        """Count a commit."""
        self._batches.observe(size)

    def cut(self) -> None:
        """Count a request without a complete body."""
        self._cut.inc()

    def watched(self, counts: dict[DeliveryState, int], seconds_pending: float) -> None:
        """Take what the inbox has now; NaN for what is not known."""
        for state in DeliveryState:
            self._stored.labels(state.value).set(counts.get(state, math.nan))
        self._pending_seconds.set(seconds_pending)

    def text(self) -> bytes:
        """Return all of them in Prometheus' text format."""
        return generate_latest(self.registry)
