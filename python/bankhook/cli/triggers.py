# SPDX-License-Identifier: MIT
"""What leads from one state of a lifecycle to the next one, in sentences: who does it, between which states, on what evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bankhook
from bankhook.cli.lifecycle import LIFECYCLES
from bankhook.cli.terminal import wrapped

__all__ = ["EVIDENCE", "TRIGGERS", "trigger_as_object", "trigger_lines"]

EVIDENCE = {
    bankhook.Evidence.STATED: "stated in the specification",
    bankhook.Evidence.EXAMPLE: "seen in an example of the specification",
    bankhook.Evidence.ASSUMED: "assumed, because the specification does not say it",
}
BEFORE = {
    "stated": "",
    "assumed": "; that this state comes before is assumed",
    "unknown": "; nothing is known of this step, and nobody should expect it",
}
"""By the words of StateBefore."""
TRIGGERS = {
    "submitted": 'the consumer submits an initial transaction, through "Send an initial transaction", for the first time',
    "store_set_up": "the service processes the transaction, and the store is properly set up in the service",
    "store_not_set_up": "the service processes the transaction, and cannot set up the store",
    "create": "the service sends an event with this eventType: a bank connection is created",
    "update": "the service sends an event with this eventType: bank accounts of a connection are created or updated; "
    "that other changes come as update, too, is assumed",
    "listed": "an event lists the connection among all connections of its member",
    "not_listed": "an event does not list the connection, although that has all connections of its member",
    "delete": "the service sends an event with this eventType: which of deleted and disabled connections have one is not shown",
}
"""By the names of the triggers of both lifecycles."""


def _lifecycle_of(trigger: str) -> str:
    return next(name for name, lifecycle in LIFECYCLES.items() if trigger in lifecycle.triggers)


def _rows(trigger: str) -> list[bankhook.types.Transition[str, str]]:
    lifecycle = LIFECYCLES[_lifecycle_of(trigger)]
    return [row for row in lifecycle.transitions if row.trigger == trigger]


def trigger_lines(trigger: str) -> Iterator[str]:
    """Yield what a trigger is, and the rows of its lifecycle that have it."""
    name = _lifecycle_of(trigger)
    yield from wrapped((trigger, {"bold": True}))
    yield from wrapped((f"a trigger of the lifecycle of a {name}: {TRIGGERS[trigger]}", {}), first=2, rest=2)
    if name == "transaction":
        yield from wrapped(("the name is bankhook's own: no payload contains it", {}), first=2, rest=2)
    yield ""
    for row in _rows(trigger):
        before = "the start" if row.from_ is None else row.from_
        what = f"leads from {before} to {row.to}" if row.to is not None else f"changes nothing after {before}"
        known = BEFORE[row.before]
        yield from wrapped((f"{what}: section {row.section}, {EVIDENCE[row.evidence]}{known}", {}), first=2, rest=4)
    yield ""
    yield from wrapped((f"`bankhook lifecycle {name}` prints all that can happen.", {}), first=2, rest=4)


def trigger_as_object(trigger: str) -> dict[str, Any]:
    """Return the same as a JSON object."""
    rows = [
        {
            "from": row.from_,
            "to": row.to,
            "section": row.section,
            "evidence": row.evidence.value,
            "before": row.before.value,
        }
        for row in _rows(trigger)
    ]
    return {"id": trigger, "lifecycle": _lifecycle_of(trigger), "sentence": TRIGGERS[trigger], "transitions": rows}
