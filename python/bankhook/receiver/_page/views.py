# SPDX-License-Identifier: MIT
"""What the templates show of deliveries, events and members; values only if they were asked for."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from markupsafe import Markup

import bankhook
from bankhook import AnyEvent, ParseError, Tracker
from bankhook._render import findings, markup, timeline, tree
from bankhook.inbox import Arrival, StoredDelivery
from bankhook.receiver._metrics import EVENT_NAMES

__all__ = ["HIDDEN", "details", "event_name", "event_type", "member_view", "shown"]

HIDDEN = Markup('<span class="hidden" title="not shown: it may be personal">···</span>')
_select_type = bankhook.select("eventType")
BODY_LIMIT = 100_000
"""Bytes of a payload whose details are shown: one that is larger would make a page that nobody reads."""


def shown(text: str | None, values: bool) -> Markup:
    """Return a text of a payload: escaped, shortened and without invisible characters; hidden without `values`."""
    if text is None:
        return Markup("")
    return Markup(markup.code(text)) if values else HIDDEN


def event_name(delivery: Arrival | StoredDelivery, values: bool) -> Markup:
    """Return the name of the event; that of an unknown one is the sender's choice, and so a value."""
    if delivery.event is None:
        return Markup(markup.word("not an event"))
    return Markup(markup.code(delivery.event) if delivery.event in EVENT_NAMES or values else markup.word("unknown event"))


def event_type(delivery: Arrival | StoredDelivery, values: bool) -> Markup:
    """Return the type of the event, if it has one."""
    if delivery.event not in EVENT_NAMES or delivery.findings or not 0 < len(delivery.body) <= BODY_LIMIT:
        return Markup("")
    try:
        (value,) = _select_type(delivery.body)
    except ParseError:  # what another version of the library took for an event
        return Markup("")
    return _enumerated(value, values)


def details(delivery: StoredDelivery, values: bool) -> Markup:
    """Return the findings in place with carets and, if values were asked for, the event as a tree or the bytes."""
    if len(delivery.body) > BODY_LIMIT:
        return Markup(markup.note(f"{len(delivery.body):,} bytes: too many to show"))
    found = Markup(findings.findings(bankhook.diagnose(delivery.body), show_names=values))
    if not values:
        return found
    event = _parsed(delivery.body)
    if event is not None:
        return found + Markup(tree.tree(event))
    text = delivery.body.decode("utf-8", "backslashreplace")
    return found + Markup(f"<pre>{markup.safe(text, limit=4000)}</pre>")


def member_view(snapshot: bytes, member: str, values: bool) -> Markup:
    """Return a member's timeline; without values, only the states of what is tracked."""
    tracker = Tracker.restore(snapshot)
    if values:
        return Markup(timeline.timeline(tracker.timeline(member)))
    connections = [
        [markup.pill(str(one.state or "only listed")), f"{len(one.connection.accounts):,}"]
        for one in tracker.connections(member)
    ]
    transactions = [
        [_enumerated(one.initial_transaction.status, False), _enumerated(one.initial_transaction.rejection_reason, False)]
        for one in tracker.transactions(member)
    ]
    return Markup(
        markup.table(("connection", "accounts"), connections)
        + markup.table(("initial transaction", "rejection reason"), transactions)
    )


def _enumerated(value: object, values: bool) -> Markup:
    """Return a listed value as a box; one that is not listed is the sender's choice."""
    if value is None:
        return Markup("")
    if isinstance(value, enum.Enum):
        return Markup(markup.pill(str(value.value), _COLOURS.get(str(value.value), "enum")))
    return Markup(markup.pill(str(value), "unlisted")) if values else HIDDEN


_COLOURS: Mapping[str, str] = {"validated": "good", "rejected": "bad", "delete": "bad"}


def _parsed(body: bytes) -> AnyEvent | None:
    try:
        return bankhook.parse(body)
    except ParseError:
        return None
