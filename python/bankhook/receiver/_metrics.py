# SPDX-License-Identifier: MIT
"""What a receiver counts, for Prometheus: in a registry of its own, with labels that no sender can add to."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from bankhook import _core
from bankhook.inbox import DeliveryState

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_ATTEMPTED = (DeliveryState.PENDING.value, DeliveryState.PARKED.value)
# Of which there is a rate from the first one on.
_ANSWERS = ("204", "400", "401", "404", "405", "408", "409", "413", "415", "422", "501", "503")
_merged: Callable[[CollectorRegistry], Any] = MultiProcessCollector

EVENT_NAMES = frozenset(_core._event_names)
"""The names of the events that the specification lists."""
Figures: TypeAlias = dict[tuple[str, str], tuple[float, float]]
"""By event and state: how many deliveries there are, and how often their handlers have failed."""


class Metrics:
    """The counters of one receiver in a process, and the figures of the store, which are the same in each."""

    def __init__(self) -> None:
        self.registry, kept = CollectorRegistry(), CollectorRegistry()
        answers = "Answers to deliveries, and to what is sent elsewhere."
        self._answers = Counter("bankhook_answers", answers, ("status",), registry=kept)
        for status in _ANSWERS:
            self._answers.labels(status)  # is there from the start, with 0
        of_answers = "Time from the headers to the answer."
        self._seconds = Histogram("bankhook_answer_seconds", of_answers, buckets=_SECONDS, registry=kept)
        self.cut = Counter("bankhook_cut_bodies", "Requests that ended before their body.", registry=kept)
        self.batches = Histogram("bankhook_batch_size", "Deliveries that share a commit.", buckets=_SIZES, registry=kept)
        self.waiting: Callable[[], int] = int
        self._is_merged = values.ValueClass is not values.MutexValue
        """Whether PROMETHEUS_MULTIPROC_DIR names a folder, in which all processes count together."""
        self._counted = _merged(CollectorRegistry()) if self._is_merged else kept
        self.watched({}, math.nan)
        self.registry.register(self)

    def answered(self, status: int, seconds: float) -> None:
        """Count an answer."""
        self._answers.labels(str(status)).inc()
        self._seconds.observe(seconds)

    def turned_away(self, status: int) -> None:
        """Count an answer to what was sent elsewhere."""
        self._answers.labels(str(status)).inc()

    def watched(self, figures: Figures, seconds_pending: float, spooled: float | None = None) -> None:
        """Take what the inbox has now; NaN for what is not known, and None if it has no spool."""
        stored = GaugeMetricFamily("bankhook_inbox", "Deliveries of the inbox.", labels=("event", "state"))
        attempts = GaugeMetricFamily(
            "bankhook_attempts", "Failed attempts of what is not handled.", labels=stored._labelnames
        )
        unknown = {("", state.value): (math.nan, math.nan) for state in DeliveryState}
        for labels, found in (figures or unknown).items():
            stored.add_metric(labels, found[0])
            if labels[1] in _ATTEMPTED:
                attempts.add_metric(labels, found[1])
        pending = GaugeMetricFamily(
            "bankhook_pending_seconds", "Age of the oldest delivery that is pending.", seconds_pending
        )
        self._stored = [stored, attempts, pending]
        if spooled is not None:
            self._stored.append(GaugeMetricFamily("bankhook_spooled", "Deliveries in the spool.", spooled))

    def collect(self) -> Iterator[Metric]:
        """Yield what was counted, in all processes or with the label of this one, and the figures of the store."""
        pid = {"pid": str(os.getpid())}
        for metric in self._counted.collect():
            if metric.name.startswith("bankhook_"):
                labels = {} if self._is_merged else pid
                metric.samples = [one._replace(labels={**one.labels, **labels}) for one in metric.samples]
                yield metric
        waiting = GaugeMetricFamily("bankhook_waiting", "Deliveries that wait for the store.", labels=list(pid))
        waiting.add_metric(list(pid.values()), self.waiting())
        yield from (waiting, *self._stored)

    def text(self) -> bytes:
        """Return all of them in Prometheus' text format."""
        return generate_latest(self.registry)
