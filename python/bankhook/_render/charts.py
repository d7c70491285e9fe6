# SPDX-License-Identifier: MIT
"""A member's life as an Altair chart, connections as bars and initial transactions as points."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import altair as alt

from bankhook._render.hues import HUES, INK, hue_of
from bankhook._render.limits import CONNECTIONS_LIMIT, TRANSACTIONS_LIMIT
from bankhook._render.markup import plain_text

if TYPE_CHECKING:
    from bankhook._core import TrackedConnection, TrackedTransaction
    from bankhook._records.timeline import Timeline

_LABEL = 30  # characters of a bank's name
_WIDTH, _ROW = 440, 26  # pixels
_LABELS = 175  # of both parts, so that they begin at one line
_DAY = datetime.timedelta(days=1)
Span: TypeAlias = tuple[datetime.datetime, datetime.datetime]
_CONNECTION_STATES = ("connected", "connected, no accounts yet", "in error", "deleted", "unlisted", "only listed")
_SHAPES = {"created": "circle", "validated": "square", "rejected": "cross", "other status": "diamond"}


_INKED = {"labelColor": INK, "titleColor": INK, "titleFontWeight": "normal"}
_CONFIG: dict[str, Any] = {
    "background": "transparent",
    "padding": {"left": 30, "right": 40, "top": 5, "bottom": 5},  # for fonts that are wider than the one that is measured
    "view": {"stroke": None},
    "title": {"color": INK, "anchor": "start", "fontSize": 14},
    "axis": {**_INKED, "domainColor": INK, "tickColor": INK, "gridColor": f"{INK}40"},
    "header": _INKED,
    "legend": _INKED,
    "range": {"category": [HUES[name] for name in ("good", "bad", "new", "warn", "gone")]},
}


def chart(timeline: Timeline) -> alt.VConcatChart:
    """Return the chart, with tooltips; texts of a payload are only data in it. Both parts have one axis of time."""
    connections = timeline.connections[:CONNECTIONS_LIMIT]
    transactions = timeline.transactions[-TRANSACTIONS_LIMIT:]
    moments = [_midnight(one.connection.transactions_eligible_from_date) for one in connections]
    moments += [one.connection.consent_expires_at for one in connections if one.connection.consent_expires_at]
    span = _range([*moments, *(_moment(one.initial_transaction.date) for one in transactions)])
    has_points = bool(transactions or not connections)
    parts = [_connections(connections, span, has_title=not has_points)] if connections else []
    if has_points:
        parts.append(_transactions(transactions, span))
    whole = alt.vconcat(*parts, spacing=14).resolve_scale(color="independent", shape="independent", x="shared")
    made: alt.VConcatChart = whole.configure(**_CONFIG)
    return made


def _connections(tracked: Sequence[TrackedConnection], span: Span, *, has_title: bool) -> alt.Chart:
    bars = [_bar(one, label, span[1]) for one, label in zip(tracked, _labels(tracked), strict=True)]
    rows = [bar["row"] for bar in bars]
    axis = alt.Axis(labelLimit=260, minExtent=_LABELS)
    ends = ["given", "open", "unknown"]
    # By default the values between would be spread evenly from the first to the second.
    shades = alt.Scale(type="ordinal", domain=ends, range=[1, 0.5, 0.15])
    dashes = alt.Scale(domain=ends, range=[[], [], [3, 3]])
    base = alt.Chart({"values": bars}, width=_WIDTH, height=_ROW * len(bars))
    drawn: alt.Chart = base.mark_bar(height=10, cornerRadius=3, strokeWidth=1.5, strokeOpacity=1).encode(
        x=_time("from", span, has_title=has_title),
        x2="until:T",
        y=alt.Y("row:N", sort=rows, scale=alt.Scale(domain=rows), axis=axis, title=None),
        color=_hued(alt.Color, "state", _CONNECTION_STATES, bars, "state now"),
        stroke=_hued(alt.Stroke, "state", _CONNECTION_STATES, bars),
        strokeDash=alt.StrokeDash("end:N", legend=None, scale=dashes),
        fillOpacity=alt.FillOpacity("end:N", legend=None, scale=shades),
        tooltip=["connection:N", "state:N", "eligible from:N", "consent ends:N", "accounts:N"],
    )
    return drawn


def _transactions(tracked: Sequence[TrackedTransaction], span: Span) -> alt.Chart:
    points = [_point(one) for one in tracked]
    rows = [status for status in _SHAPES if any(point["status"] == status for point in points)]
    axis = alt.Axis(labelExpr="'transactions, ' + datum.label", minExtent=_LABELS)
    base = alt.Chart({"values": points}, width=_WIDTH, height=_ROW * max(len(rows), 1))
    shapes = alt.Scale(domain=rows, range=[_SHAPES[status] for status in rows])
    drawn: alt.Chart = base.mark_point(size=70, filled=True, opacity=0.8).encode(
        x=_time("at", span),
        y=alt.Y("status:N", sort=rows, scale=alt.Scale(domain=rows), axis=axis, title=None),
        color=_hued(alt.Color, "status", tuple(_SHAPES), points),
        shape=alt.Shape("status:N", legend=None, scale=shapes),
        tooltip=["transaction:N", "amount:N", "status:N", "reason:N", "created at:N"],
    )
    return drawn


def _time(field: str, span: Span, *, has_title: bool = True) -> alt.X:
    """Return an axis in UTC; if it shows hours, its title has the day, or both where it crosses midnight.

    Of two parts the lower one has the title.
    """
    first, last = span
    is_short = last - first < 2 * _DAY
    days = dict.fromkeys((str(first.date()), str(last.date())))
    title = f"{' to '.join(days)}, UTC" if is_short else "UTC"
    format = "%H:%M" if is_short else "%e %b %Y"
    axis = alt.Axis(
        format=format, labelOverlap="greedy", labelSeparation=16, tickCount=6, title=title if has_title else None
    )
    scale: Any = alt.Scale(type="utc", domain=[_zulu(first), _zulu(last)])
    return alt.X(f"{field}:T", scale=scale, axis=axis)


def _hued(channel: Any, field: str, states: Sequence[str], rows: Sequence[dict[str, str]], title: str | None = None) -> Any:
    """Return a channel in the hues of the values that occur, with a legend of them if it has a title."""
    used = [state for state in states if any(row[field] == state for row in rows)]
    scale = alt.Scale(domain=used, range=[HUES[hue_of(state)] for state in used])
    return channel(f"{field}:N", legend=alt.Legend(orient="right", title=title) if title else None, scale=scale)


def _range(moments: Sequence[datetime.datetime]) -> Span:
    """Return the first and the last moment that is drawn, with a margin."""
    if not moments:
        return datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 2)
    first, last = min(moments), max(moments)
    room = max((last - first) / 40, datetime.timedelta(minutes=5))
    return first - min(room, first - datetime.datetime.min), last + min(room, datetime.datetime.max - last)


def _labels(tracked: Iterable[TrackedConnection]) -> Iterator[str]:
    """Yield the names of the banks, numbered if one occurs twice, because rows are distinguished by their labels."""
    taken: set[str] = set()
    for one in tracked:
        name = label = plain_text(one.connection.bank, limit=_LABEL) or "(no name)"
        number = 1
        while label in taken:
            number += 1
            label = f"{name} ({number})"
        taken.add(label)
        yield label


def _bar(tracked: TrackedConnection, label: str, last: datetime.datetime) -> dict[str, str]:
    """Return a bar: to the end of the consent if it is given, and of unknown end if the connection is gone."""
    connection = tracked.connection
    consent_end = connection.consent_expires_at or None
    state = _state(tracked)
    end = "unknown" if state in ("deleted", "unlisted") else "given" if consent_end else "open"
    return {
        "row": label,
        "connection": plain_text(connection.id),
        "from": _zulu(_midnight(connection.transactions_eligible_from_date)),
        "until": _zulu(consent_end or last),
        "end": end,
        "eligible from": connection.transactions_eligible_from_date.isoformat(),
        "consent ends": consent_end.isoformat(" ") if consent_end else "not given",
        "accounts": str(len(connection.accounts)),
        "state": state,
    }


def _state(tracked: TrackedConnection) -> str:
    """Return the state of a connection, from its events."""
    if tracked.state in ("deleted", "unlisted"):
        return str(tracked.state)
    if tracked.is_in_error:
        return "in error"
    if tracked.state == "listed":
        return "only listed"
    return "connected" if tracked.connection.accounts else "connected, no accounts yet"


def _point(tracked: TrackedTransaction) -> dict[str, str]:
    transaction = tracked.initial_transaction
    return {
        "transaction": plain_text(transaction.id),
        "amount": str(transaction.amount),
        "status": str(transaction.status) if transaction.status in _SHAPES else "other status",
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
