# SPDX-License-Identifier: MIT
"""Deliveries as messages: the body verbatim as the data, everything else as one header of JSON."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Iterable, Mapping
from typing import Any

from bankhook._core import Evidence, Severity
from bankhook._records.findings import Finding
from bankhook.inbox._examination import examine
from bankhook.inbox._nats.layout import shortened
from bankhook.inbox._protocol import TooLarge
from bankhook.inbox._records import Arrival, DeliveryState, Query, StoredDelivery
from bankhook.inbox._retries import halved

__all__ = ["ARRIVAL", "Mark", "header", "is_asked_for", "may_be_asked_for", "stored"]

ARRIVAL = "Bankhook-Arrival"
IDS = ("event", "member", "key")
MOST_FINDINGS = 100  # that a mark has: it is read whenever its delivery is
LONGEST = 60_000  # of 65,535 bytes that a stream takes as headers; the rest is left for those of NATS


@dataclasses.dataclass
class Mark:
    """The stored state of a delivery that failed or was examined again; the state of any other follows from the consumers."""

    subject: str
    """The subject of its message."""
    state: DeliveryState
    attempts: int = 0
    retry_at: datetime.datetime | None = None
    error: str | None = None
    examined: bool = False
    """Whether it was quarantined, and what can be read of its body was read again."""
    rejected: list[dict[str, Any]] | None = None
    """Why `parse` rejects it, if that is not what its message says."""

    def reject(self, findings: Iterable[Finding]) -> None:
        """It is quarantined for these findings."""
        self.state, self.retry_at, self.error = DeliveryState.QUARANTINED, None, None
        self.rejected = [finding.to_dict() for finding in findings][:MOST_FINDINGS]

    def park(self, error: Exception) -> None:
        """It waits for a person, for this reason."""
        self.state, self.retry_at, self.error = DeliveryState.PARKED, None, f"{type(error).__name__}\n{error}"

    def encoded(self, limit: int) -> bytes:
        """The mark as a value of the bucket, with as much of its error and findings as fit into this size."""
        value = self._encoded()
        while len(value) > limit and (self.error or len(self.rejected or ()) > 1):
            self.error = self.error and halved(self.error)
            self.rejected = self.rejected and self.rejected[: (len(self.rejected) + 1) // 2]
            value = self._encoded()
        return value

    def _encoded(self) -> bytes:
        return json.dumps(dataclasses.asdict(self) | {"retry_at": _text(self.retry_at)}).encode()

    @classmethod
    def decoded(cls, value: bytes) -> Mark:
        """The mark of such a value."""
        values: dict[str, Any] = json.loads(value)
        values["state"], values["retry_at"] = DeliveryState(values["state"]), _time(values["retry_at"])
        return cls(**values)


def header(arrival: Arrival) -> str:
    """What is stored of an arrival besides its body: ASCII on one line, whatever the ids and headers contain."""
    values: dict[str, Any] = {
        "received": _text(arrival.received),
        "headers": arrival.headers,
        **{name: None if (value := getattr(arrival, name)) is None else shortened(value) for name in IDS},
        "findings": [finding.to_dict() for finding in arrival.findings],
        "rule": arrival.findings[0].rule if arrival.findings else None,
    }
    text = json.dumps(values)
    if len(text) <= LONGEST:
        return text
    text = json.dumps({**values, "findings": None})  # a flood of them: they are read from the body again
    if len(text) > LONGEST:
        raise TooLarge(f"NATS: the headers of a delivery take {len(text)} bytes, and {LONGEST} can be stored")
    return text


def stored(number: int, headers: Mapping[str, str], body: bytes, state: DeliveryState, mark: Mark | None) -> StoredDelivery:
    """The delivery of a message; its state, unless there is a mark, which knows better."""
    values = json.loads(headers[ARRIVAL])
    received = datetime.datetime.fromisoformat(values["received"])
    pairs = tuple((name, value) for name, value in values["headers"])
    event, member, key = (values[name] for name in IDS)
    if mark is not None and mark.examined:
        read = examine(body)
        event, member, key = (None if (value := getattr(read, name)) is None else shortened(value) for name in IDS)
        values["findings"] = []
    if mark is not None and mark.rejected is not None:
        values["findings"] = mark.rejected
    given = values["findings"]
    findings = examine(body).findings if given is None else tuple(_finding(one) for one in given)
    mark = mark or Mark("", state)
    return StoredDelivery(
        number, body, received, pairs, event, member, key, findings, mark.state, mark.attempts, mark.retry_at, mark.error
    )


def may_be_asked_for(headers: Mapping[str, str], query: Query) -> bool:
    """Whether a query may ask for a delivery, by its header alone. What was quarantined may be read differently by now."""
    values = json.loads(headers[ARRIVAL])
    if values["rule"] is not None:
        return True
    return _is_in_time(datetime.datetime.fromisoformat(values["received"]), query) and all(
        wanted is None or wanted == values[name] for name, wanted in _wanted(query).items()
    )


def is_asked_for(delivery: StoredDelivery, query: Query) -> bool:
    """Whether a query asks for a delivery."""
    rule = delivery.findings[0].rule if delivery.findings else None
    return (
        delivery.number > query.after
        and (query.rule is None or query.rule == rule)
        and (not query.states or delivery.state in query.states)
        and _is_in_time(delivery.received, query)
        and all(wanted is None or wanted == getattr(delivery, name) for name, wanted in _wanted(query).items())
    )


def _wanted(query: Query) -> dict[str, str | None]:
    return {name: None if (value := getattr(query, name)) is None else shortened(value) for name in IDS}


def _is_in_time(received: datetime.datetime, query: Query) -> bool:
    return (query.since is None or received >= query.since) and (query.until is None or received < query.until)


def _finding(values: dict[str, Any]) -> Finding:
    values["steps"] = tuple(values["steps"])
    values["evidence"] = Evidence(values["evidence"])
    values["severity"] = Severity(values["severity"])
    return Finding(**values)


def _text(time: datetime.datetime | None) -> str | None:
    return None if time is None else time.isoformat()


def _time(text: str | None) -> datetime.datetime | None:
    return None if text is None else datetime.datetime.fromisoformat(text)
