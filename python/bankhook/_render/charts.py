# SPDX-License-Identifier: MIT
"""A member's life as an Altair chart: connections as bars, initial transactions as points."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import altair as alt

from bankhook._render.limits import CONNECTIONS_LIMIT, TRANSACTIONS_LIMIT
from bankhook._render.markup import plain_text

if TYPE_CHECKING:
    from bankhook._core import TrackedConnection, TrackedTransaction
    from bankhook._records.timeline import Timeline

__all__ = ["chart"]

_LABEL = 30  # characters of a bank's name
_WIDTH, _ROW = 600, 26  # pixels
_LABELS = 175  # of both parts, so that they begin at one line
_ROOM = {"left": 30, "right": 40, "top": 5, "bottom": 5}  # for fonts that are wider than the one that is measured
_DAY = datetime.timedelta(days=1)
# The states of connections and transactions, in colours that are readable on white and on black.
_CONNECTION_COLOURS = {
    "connected": "#1a9f50",
    "connected, no accounts yet": "#3b82f6",
    "in error": "#e5484d",
    "deleted": "#8b8d98",
    "only listed": "#d08700",
}
_STATUS_COLOURS = {"created": "#3b82f6", "validated": "#1a9f50", "rejected": "#e5484d", "not listed": "#d08700"}


def chart(timeline: Timeline, *, background: str = "white") -> alt.VConcatChart:
    """Return the chart, with tooltips; texts of a payload are only data in it.

    Connections last for months and transactions may all be of one hour: each of the two has its own axis.
    """
    parts = []
    if timeline.connections:
        parts.append(_connections(timeline.connections[:CONNECTIONS_LIMIT]))
    if timeline.transactions or not parts:
        parts.append(_transactions(timeline.transactions[-TRANSACTIONS_LIMIT:]))
    whole = alt.vconcat(*parts, spacing=14).resolve_scale(color="independent")
    made: alt.VConcatChart = whole.configure(background=background, padding=_ROOM, view=alt.ViewConfig(stroke=None))
    return made


def _connections(held: Sequence[TrackedConnection]) -> alt.Chart:
    moments = [_midnight(one.connection.transactions_eligible_from_date) for one in held]
    moments += [one.connection.consent_expires_at for one in held if one.connection.consent_expires_at]
    first, last = _range(moments)
    bars = [_bar(one, label, last) for one, label in zip(held, _labels(held), strict=True)]
    rows = [bar["row"] for bar in bars]
    axis = alt.Axis(labelLimit=260, minExtent=_LABELS)
    opacity = alt.Opacity("consent end:N", legend=None, scale=alt.Scale(domain=["given", "open"], range=[1, 0.5]))
    base = alt.Chart({"values": bars}, width=_WIDTH, height=_ROW * len(bars)).mark_bar(height=10, cornerRadius=3)
    drawn: alt.Chart = base.encode(
        x=_time("start", first, last),
        x2="end:T",
        y=alt.Y("row:N", sort=rows, scale=alt.Scale(domain=rows), axis=axis, title=None),
        color=_colour("said", "connection", _CONNECTION_COLOURS, bars),
        opacity=opacity,
        tooltip=["connection:N", "said:N", "eligible from:N", "consent ends:N", "accounts:N"],
    )
    return drawn


def _transactions(held: Sequence[TrackedTransaction]) -> alt.Chart:
    points = [_point(one) for one in held]
    first, last = _range([_moment(one.initial_transaction.date) for one in held])
    rows = [status for status in _STATUS_COLOURS if any(point["status"] == status for point in points)]
    axis = alt.Axis(labelExpr="'transactions, ' + datum.label", minExtent=_LABELS)
    base = alt.Chart({"values": points}, width=_WIDTH, height=_ROW * max(len(rows), 1))
    drawn: alt.Chart = base.mark_point(size=70, filled=True, opacity=0.8).encode(
        x=_time("at", first, last),
        y=alt.Y("status:N", sort=rows, scale=alt.Scale(domain=rows), axis=axis, title=None),
        color=_colour("status", None, _STATUS_COLOURS, points),
        tooltip=["transaction:N", "amount:N", "status:N", "reason:N", "created at:N"],
    )
    return drawn


def _time(field: str, first: datetime.datetime, last: datetime.datetime) -> alt.X:
    """Return an axis in UTC; if it shows hours, its title has the day."""
    short = last - first < 2 * _DAY
    title = f"{first.date()}, UTC" if short else None
    axis = alt.Axis(format="%H:%M" if short else "%Y-%m-%d", labelOverlap="greedy", labelSeparation=24)
    scale: Any = alt.Scale(type="utc", domain=[_zulu(first), _zulu(last)])
    return alt.X(f"{field}:T", scale=scale, axis=axis, title=title)


def _colour(field: str, title: str | None, colours: dict[str, str], rows: Sequence[dict[str, str]]) -> alt.Color:
    """Return a legend of the values that occur, if it has a title."""
    used = [name for name in colours if any(row[field] == name for row in rows)]
    legend = alt.Legend(orient="bottom", direction="horizontal", title=title) if title else None
    return alt.Color(f"{field}:N", legend=legend, scale=alt.Scale(domain=used, range=[colours[name] for name in used]))


def _range(moments: Sequence[datetime.datetime]) -> tuple[datetime.datetime, datetime.datetime]:
    """Return the first and the last moment that is drawn, with a margin."""
    if not moments:
        return datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 2)
    first, last = min(moments), max(moments)
    room = max((last - first) / 40, datetime.timedelta(minutes=5))
    return first - min(room, first - datetime.datetime.min), last + min(room, datetime.datetime.max - last)


def _labels(held: Iterable[TrackedConnection]) -> Iterator[str]:
    """Yield the names of the banks, numbered if one occurs twice, because rows are distinguished by their labels."""
    taken: set[str] = set()
    for one in held:
        name = label = plain_text(one.connection.bank, limit=_LABEL) or "(no name)"
        number = 1
        while label in taken:
            number += 1
            label = f"{name} ({number})"
        taken.add(label)
        yield label


def _bar(held: TrackedConnection, label: str, last: datetime.datetime) -> dict[str, str]:
    connection = held.connection
    end = connection.consent_expires_at or None
    return {
        "row": label,
        "connection": plain_text(connection.id),
        "start": _zulu(_midnight(connection.transactions_eligible_from_date)),
        "end": _zulu(end or last),
        "consent end": "given" if end else "open",
        "eligible from": connection.transactions_eligible_from_date.isoformat(),
        "consent ends": end.isoformat(" ") if end else "not given",
        "accounts": str(len(connection.accounts)),
        "said": _said(held),
    }


def _said(held: TrackedConnection) -> str:
    """Return the state of a connection, from its events."""
    connection = held.connection
    if held.state == "deleted":
        return "deleted"
    if connection.error_code is not None or connection.error_message is not None:
        return "in error"
    if held.state is None:
        return "only listed"
    return "connected" if connection.accounts else "connected, no accounts yet"


def _point(held: TrackedTransaction) -> dict[str, str]:
    transaction = held.initial_transaction
    return {
        "transaction": plain_text(transaction.id),
        "amount": str(transaction.amount),
        "status": str(transaction.status) if transaction.status in _STATUS_COLOURS else "not listed",
        "reason": plain_text(str(transaction.rejection_reason or "")),
        "at": _zulu(_moment(transaction.date)),
        "created at": transaction.date.isoformat(" "),
    }


def _moment(date: datetime.datetime) -> datetime.datetime:
    """Return the creation time in UTC; one without an offset counts as UTC, as in the order of transactions."""
    if date.tzinfo is None:
        return date
    try:
        return date.astimezone(datetime.UTC).replace(tzinfo=None)
    except OverflowError:  # at the ends of the calendar
        return date.replace(tzinfo=None)


def _midnight(day: datetime.date) -> datetime.datetime:
    return datetime.datetime(day.year, day.month, day.day)


def _zulu(moment: datetime.datetime) -> str:
    return moment.isoformat(timespec="milliseconds") + "Z"
