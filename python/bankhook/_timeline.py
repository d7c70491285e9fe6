# SPDX-License-Identifier: MIT
"""A member's connections and initial transactions over time, as a picture that a notebook shows without help."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, final

from bankhook import _core

if TYPE_CHECKING:
    from bankhook._core import HeldConnection, HeldTransaction, Tracker

__all__ = ["Timeline"]

_WIDTH, _LEFT, _ROW = 760, 190, 26
_COLOURS = {"created": "#5b7db1", "validated": "#3c8d5a", "rejected": "#b5543c"}
_OTHER, _ERROR, _GONE, _LINE = "#777777", "#b5543c", "#bbbbbb", "#888888"
_DAY = datetime.timedelta(days=1)


@final
class Timeline:
    """What a tracker holds of one member, drawn by `_repr_svg_`.

    A bar for each connection, from its first eligible day to the end of its consent (open where none is given), and a
    dot for each transaction at its creation. The end of a consent has no zone (2.2); it is drawn on the clock of UTC.
    """

    __slots__ = ("_connections", "_transactions")

    def __init__(self, tracker: Tracker, member_id: str, /) -> None:
        if not isinstance(tracker, _core.Tracker):
            raise TypeError(f"Timeline() expects a Tracker, found {type(tracker).__name__}")
        self._connections = tracker.connections(member_id)
        self._transactions = tracker.transactions(member_id)

    @property
    def connections(self) -> tuple[HeldConnection, ...]:
        """The member's connections, deleted ones too, in the order of their ids."""
        return self._connections

    @property
    def transactions(self) -> tuple[HeldTransaction, ...]:
        """The member's initial transactions by creation time."""
        return self._transactions

    def __repr__(self) -> str:
        return f"<bankhook.Timeline of {len(self.connections)} connections, {len(self.transactions)} transactions>"

    def _repr_svg_(self) -> str:
        first, last = self._range()
        rows = len(self.connections) + 1
        height = (rows + 1) * _ROW + 8
        drawing = "".join(self._shapes(_Axis(first, last), height))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" role="img" '
            f'font-family="sans-serif" font-size="12"><title>{escape(repr(self)[1:-1])}</title>{drawing}</svg>'
        )

    def _range(self) -> tuple[datetime.datetime, datetime.datetime]:
        """The first and the last moment that is drawn."""
        moments = [_moment(held) for held in self.transactions]
        for held in self.connections:
            moments.append(_midnight(held.connection.transactions_eligible_from_date))
            if held.connection.consent_expires_at:
                moments.append(held.connection.consent_expires_at)
        if not moments:
            return datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 2)
        first, last = min(moments), max(moments)
        return first, last if last - first >= _DAY else first + min(_DAY, datetime.datetime.max - first)

    def _shapes(self, axis: _Axis, height: int) -> Iterator[str]:
        for row, held in enumerate(self.connections):
            yield from _bar(held, axis, (row + 0.5) * _ROW)
        y = (len(self.connections) + 0.5) * _ROW
        yield _text(8, y, "initial transactions")
        for transaction in self.transactions:
            yield _dot(transaction, axis, y)
        base = height - _ROW
        yield f'<line x1="{_LEFT}" x2="{_WIDTH - 12}" y1="{base}" y2="{base}" stroke="{_LINE}"/>'
        yield _text(_LEFT, base + 14, f"{axis.first:%Y-%m-%d}")
        yield _text(_WIDTH - 12, base + 14, f"{axis.last:%Y-%m-%d}", anchor="end")


class _Axis:
    """Moments as places from left to right."""

    def __init__(self, first: datetime.datetime, last: datetime.datetime) -> None:
        self.first, self.last = first, last

    def x(self, moment: datetime.datetime) -> float:
        return round(_LEFT + (moment - self.first) / (self.last - self.first) * (_WIDTH - 12 - _LEFT), 1)


def _moment(held: HeldTransaction) -> datetime.datetime:
    """The creation time on the clock of UTC."""
    date = held.initial_transaction.date
    try:
        return date.astimezone(datetime.UTC).replace(tzinfo=None)
    except OverflowError:  # at the ends of the calendar
        return date.replace(tzinfo=None)


def _midnight(day: datetime.date) -> datetime.datetime:
    return datetime.datetime(day.year, day.month, day.day)


def _bar(held: HeldConnection, axis: _Axis, y: float) -> Iterator[str]:
    connection = held.connection
    start = axis.x(_midnight(connection.transactions_eligible_from_date))
    end = axis.x(connection.consent_expires_at) if connection.consent_expires_at else _WIDTH - 12.0
    in_error = connection.error_code is not None or connection.error_message is not None
    colour = _GONE if held.state == "deleted" else _ERROR if in_error else _COLOURS["validated"]
    state = f"{held.state or 'listed only'}{', in error' if in_error else ''}"
    yield _text(8, y, connection.bank[:26])
    place = f'x="{min(start, end)}" y="{y - 5}" width="{max(abs(end - start), 2)}" height="10"'
    yield (
        f'<rect {place} rx="3" fill="{colour}">'
        f"<title>{escape(f'{connection.id}: {state}, {len(connection.accounts)} accounts')}</title></rect>"
    )


def _dot(held: HeldTransaction, axis: _Axis, y: float) -> str:
    transaction = held.initial_transaction
    colour = _COLOURS.get(transaction.status, _OTHER)
    said = f"{transaction.id}: {transaction.amount}, {transaction.status}, {transaction.date}"
    return f'<circle cx="{axis.x(_moment(held))}" cy="{y}" r="5" fill="{colour}"><title>{escape(said)}</title></circle>'


def _text(x: float, y: float, text: str, *, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" dy="4" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'


Timeline.__module__ = "bankhook"
