# SPDX-License-Identifier: MIT
"""What the templates show of deliveries, events and members: ids always, as the command does, other values if asked for."""

from __future__ import annotations

import datetime
import enum
import re
from contextlib import suppress
from typing import Any

from markupsafe import Markup, escape

import bankhook
from bankhook import AnyEvent, ParseError, Tracker
from bankhook._core import Connection, TrackedConnection
from bankhook._render import findings, markup, timeline, tree
from bankhook._render.values import HIDDEN, written
from bankhook.inbox import Delivery
from bankhook.inbox._retries import class_and_traceback
from bankhook.receiver._metrics import EVENT_NAMES

_select_type = bankhook.select("eventType")
BODY_LIMIT = 100_000
"""Bytes of a payload whose details are shown: one that is larger would make a page that nobody reads."""
NOT_SHOWN = Markup(HIDDEN)
SENTENCES = {rule.id: rule.sentence for rule in bankhook.rules}
DONE = {"retry": "pending again", "dismiss": "dismissed", "settle": "settled"}
"""What the buttons have made of deliveries and cases."""


def time(when: datetime.datetime) -> Markup:
    """Return a time."""
    return Markup(f'<time datetime="{when.isoformat()}">{when:%Y-%m-%d %H:%M:%S}</time>')


def shown(text: str | None) -> Markup:
    """Return a text of a payload: escaped, shortened and without invisible characters."""
    return Markup("" if text is None else markup.code(text))


def lines(text: str) -> Markup:
    """Return a text of several lines: escaped and without invisible characters."""
    return Markup("\n".join(markup.safe(line, limit=BODY_LIMIT) for line in text.split("\n")))


def event_name(delivery: Delivery, values: bool) -> Markup:
    """Return the name of the event; that of an unknown one is the sender's choice, and so a value."""
    if delivery.event is None:
        return Markup(markup.word("not an event"))
    return Markup(markup.code(delivery.event) if delivery.event in EVENT_NAMES or values else markup.word("unknown event"))


def event_type(delivery: Delivery, values: bool) -> Markup:
    """Return the type of the event, if it has one."""
    if delivery.event not in EVENT_NAMES or delivery.findings or not 0 < len(delivery.body) <= BODY_LIMIT:
        return Markup("")
    try:
        (value,) = _select_type(delivery.body)
    except ParseError:  # what another version of the library took for an event
        return Markup("")
    return enumerated(value, values)


def rule(name: str | None, *, is_short: bool = False) -> Markup:
    """Return a rule with its sentence, or, where room is short, with that as its title."""
    sentence = SENTENCES.get(name or "", "")
    shown = markup.tag("b", escape(name or "unknown"), title=sentence if is_short else "")
    return Markup(shown if is_short or not sentence else f"{shown} {markup.word(sentence, 'sentence')}")


def problem(delivery: Delivery, *, is_short: bool = False) -> Markup:
    """Return the rule for which a delivery was rejected, or what its handler raised last; as the command names them."""
    if delivery.findings:
        return rule(delivery.findings[0].rule, is_short=is_short)
    error, _ = class_and_traceback(delivery.error)
    attempts = f"attempts: {delivery.attempts}" if delivery.attempts else None
    return escape(", ".join(part for part in (error, attempts) if part is not None))


def details(delivery: Delivery, values: bool) -> dict[str, Markup]:
    """Return the findings in place with carets, the event as a tree and the bytes as received; only ids without values."""
    if len(delivery.body) > BODY_LIMIT:
        note = Markup(markup.note(f"{len(delivery.body):,} bytes: too many to show"))
        return {"findings": note, "tree": Markup(""), "received": note}
    found = bankhook.diagnose(delivery.body)
    event: AnyEvent | None = None
    with suppress(ParseError):
        event = bankhook.parse(delivery.body)
    is_shown = event is not None and (values or not isinstance(event, bankhook.UnknownEvent))
    received = lines(delivery.body.decode("utf-8", "backslashreplace")) if values else ""
    return {
        "findings": Markup(findings.findings(found, show_names=values) if found else ""),
        "tree": _reached(tree.tree(event, values=values) if is_shown else ""),
        "received": Markup(f"<pre>{received}</pre>"),
    }


def _reached(html: str) -> Markup:
    """Return a view in which keys reach what may be too wide, to scroll it; in texts of payloads, quotes are escaped."""
    return Markup(re.sub('class="bh-(?:table|chart)"', r'\g<0> tabindex="0"', html))


def tracked(snapshot: bytes, values: bool) -> dict[str, Any]:
    """Return the timeline of the one member; without values, what is tracked, of which only ids, states and codes are shown."""
    tracker = Tracker.restore(snapshot)
    member = next((one.customer.id for one in tracker.members()), "")
    if values:
        return {"timeline": _reached(timeline.timeline(tracker.timeline(member)))}
    return {"connections": tracker.connections(member), "transactions": tracker.transactions(member)}


def connection_state(one: TrackedConnection) -> Markup:
    """Return the state of a connection."""
    return Markup(markup.pill(str(one.state or "unknown")))


def error_code(one: TrackedConnection) -> Markup:
    """Return the error code of a connection, which is not personal; its message may be."""
    code = one.connection.error_code
    return Markup("" if not one.is_in_error else markup.word("no code") if code is None else markup.code(code))


def consent_end(connection: Connection) -> Markup:
    """Return until when the member has given consent."""
    return shown(written(connection, "consent_expires_at") or "not given")


def enumerated(value: object, values: bool) -> Markup:
    """Return a listed value as a box; one that is not listed is the sender's choice."""
    if value is None:
        return Markup("")
    if isinstance(value, enum.Enum):
        return Markup(markup.state_pill(str(value.value)))
    return Markup(markup.pill(str(value), "unlisted")) if values else NOT_SHOWN
