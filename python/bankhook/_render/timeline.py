# SPDX-License-Identifier: MIT
"""The timeline of a member in a notebook: a chart if Altair is installed, and the same as tables."""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING

from bankhook._records.words import counted
from bankhook._render.limits import CONNECTIONS_LIMIT, TRANSACTIONS_LIMIT
from bankhook._render.markup import code, fold, head, more, note, table, tag, word
from bankhook._render.values import value_of, written

if TYPE_CHECKING:
    from bankhook._core import Connection, InitialTransaction
    from bankhook._records.timeline import Timeline

ROWS_LIMIT = 100
_GONE = ("deleted", "unlisted")
_MISSING = "The picture needs Altair and vl-convert: pip install 'bankhook[notebook]'."


def svg(timeline: Timeline) -> str | None:
    """Return the picture as an `<svg>` element; None if the libraries that draw it are not installed."""
    try:
        import_module("vl_convert")  # Altair saves pictures with it
        from bankhook._render.charts import chart
    except ImportError:
        return None
    out = io.StringIO()
    chart(timeline).save(out, format="svg")
    return out.getvalue()


def timeline(value: Timeline) -> str:
    """Return the picture, and below it the data that it is drawn from."""
    is_empty = not value.connections and not value.transactions
    picture = None if is_empty else svg(value)
    counts = f"{counted(len(value.connections), 'connection')}, {counted(len(value.transactions), 'transaction')}"
    title = head("Timeline", code(value.member_id) + word(counts))
    if is_empty:
        return title + note("Nothing is tracked for this member.")
    shown = note(_MISSING) if picture is None else tag("div", picture, "chart") + _notes(value)
    connections = fold(word("connections"), _connections(value), is_open=picture is None)
    transactions = fold(word("initial transactions"), _transactions(value), is_open=picture is None)
    return title + shown + connections + transactions


def _notes(timeline: Timeline) -> str:
    """Return notes on what the picture cannot show."""
    notes = []
    if timeline.connections:
        notes.append("A bar lasts from the first eligible day to the end of the consent.")
        notes.append("Its colour is the state now: no event tells since when.")
    if any(held.state not in _GONE and not held.connection.consent_expires_at for held in timeline.connections):
        notes.append("Pale: no end of the consent is given.")
    if any(held.state in _GONE for held in timeline.connections):
        notes.append("Dashed outline: deleted or unlisted, at a time that no event gives; drawn as if it were not.")
    for held, limit, nouns in (
        (timeline.connections, CONNECTIONS_LIMIT, "first {} of {} connections"),
        (timeline.transactions, TRANSACTIONS_LIMIT, "last {} of {} transactions"),
    ):
        if len(held) > limit:
            notes.append("Only the " + nouns.format(f"{limit:,}", f"{len(held):,}") + " are drawn.")
    return "".join(map(note, notes))


def _connections(timeline: Timeline) -> str:
    tracked = [(held.state, held.connection) for held in timeline.connections[:ROWS_LIMIT]]
    names = ("error_code", "transactions_eligible_from_date", "consent_expires_at")
    rows = [
        [code(one.id), _wire(one, "bank"), value_of(state), *(_wire(one, name) for name in names), f"{len(one.accounts):,}"]
        for state, one in tracked
    ]
    heads = ("id", "bank", "state", "error_code", "eligible from", "consent ends", "accounts")
    return table(heads, rows) + more(len(timeline.connections) - len(rows), "connection")


def _transactions(timeline: Timeline) -> str:
    held = [one.initial_transaction for one in timeline.transactions[-ROWS_LIMIT:]]
    names = ("amount", "status", "rejection_reason", "date")
    rows = [[code(one.id), *(_wire(one, name) for name in names)] for one in held]
    heads = ("id", "amount", "status", "rejection_reason", "created at")
    return table(heads, rows) + more(len(timeline.transactions) - len(rows), "earlier transaction")


def _wire(resource: Connection | InitialTransaction, name: str) -> str:
    return value_of(getattr(resource, name), written(resource, name))
