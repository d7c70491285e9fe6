# SPDX-License-Identifier: MIT
"""What a receiver counts, for Prometheus: in a registry of its own, with labels that no sender can add to."""

from __future__ import annotations

import math
from itertools import product

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bankhook import _core
from bankhook.inbox import Delivery, DeliveryState

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


EVENT_NAMES = frozenset(_core._event_names)
"""The names of the events that the specification lists."""


class Metrics:
    """The counters of one receiver."""

    def __init__(self) -> None:
        self.registry = kept = CollectorRegistry()
        self._deliveries = Counter("bankhook_deliveries", "Deliveries that were stored.", ("event", "state"), registry=kept)
        for event, state in product((*EVENT_NAMES, "unknown"), (DeliveryState.PENDING, DeliveryState.QUARANTINED)):
            self._deliveries.labels(event, state.value)  # is there from the start, with 0
        self._answers = Counter(
            "bankhook_answers", "Answers to deliveries, and to what is sent elsewhere.", ("status",), registry=kept
        )
        of_answers = "Time from the headers to the answer."
        self._seconds = Histogram("bankhook_answer_seconds", of_answers, buckets=_SECONDS, registry=kept)
        self.cut = Counter("bankhook_cut_bodies", "Requests that ended before their body.", registry=kept)
        self.batches = Histogram("bankhook_batch_size", "Deliveries that share a commit.", buckets=_SIZES, registry=kept)
        self.waiting = Gauge("bankhook_waiting", "Deliveries that wait for the store.", registry=kept)
        self._stored = Gauge("bankhook_inbox", "Deliveries of the inbox, by state.", ("state",), registry=kept)
        of_pending = "Age of the oldest delivery that is pending."
        self._pending_seconds = Gauge("bankhook_pending_seconds", of_pending, registry=kept)

    def delivered(self, delivery: Delivery) -> str:
        """Count a delivery that was stored, and return its label: a listed name, or "unknown"."""
        event = delivery.event if delivery.event in EVENT_NAMES else "unknown"
        self._deliveries.labels(event, delivery.state.value).inc()
        return event

    def answered(self, status: int, seconds: float) -> None:
        """Count an answer."""
        self._answers.labels(str(status)).inc()
        self._seconds.observe(seconds)

    def turned_away(self, status: int) -> None:
        """Count an answer to what was sent elsewhere."""
        self._answers.labels(str(status)).inc()

    def watched(self, counts: dict[DeliveryState, int], seconds_pending: float) -> None:
        """Take what the inbox has now; NaN for what is not known."""
        for state in DeliveryState:
            self._stored.labels(state.value).set(counts.get(state, math.nan))
        self._pending_seconds.set(seconds_pending)

    def text(self) -> bytes:
        """Return all of them in Prometheus' text format."""
        return generate_latest(self.registry)
