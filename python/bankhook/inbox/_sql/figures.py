# SPDX-License-Identifier: MIT
"""What an inbox contains, in figures to watch: the same from every process, whenever it was started."""

from __future__ import annotations

import datetime
from collections import Counter
from itertools import product

from sqlalchemy import ColumnElement, Connection, func, literal_column, select

from bankhook._core import _event_names
from bankhook._records.stored import DeliveryState
from bankhook.inbox._sql.queries import oldest_pending
from bankhook.inbox._sql.rows import WITH_DELIVERIES
from bankhook.inbox._sql.tables import NOT_HANDLED, columns, inbox, states

UNKNOWN, UNREADABLE = "unknown", "unreadable"
LISTED = ", ".join(f"'{name}'" for name in _event_names)
EVENT: ColumnElement[str] = literal_column(
    f"CASE WHEN event IS NULL THEN '{UNREADABLE}' WHEN event IN ({LISTED}) THEN event ELSE '{UNKNOWN}' END"
)
HANDLED = DeliveryState.HANDLED.value
Stored = dict[tuple[str, str], tuple[int, int]]
"""By event and state: how many deliveries there are, and how often handlers have failed for those that are not handled."""


class Figures:
    """Counts what came since it last did; all of it at first, and after deliveries were removed or examined again."""

    def __init__(self) -> None:
        self._known: tuple[object, int, Counter[str]] = None, 0, Counter[str]()

    def read(self, connection: Connection) -> tuple[Stored, datetime.datetime | None]:
        """The figures, and when the first delivery that is pending was received."""
        changes = connection.execute(select(inbox.c.removed, inbox.c.retried)).one()
        seen, after, known = self._known
        if seen != changes:
            after, known = 0, Counter[str]()
        handled = known.copy()
        new = select(EVENT, func.count(), func.max(columns.number)).where(columns.number > after).group_by(EVENT)
        for event, count, last in connection.execute(new):
            handled[event] += count
            after = max(after, last)
        self._known = changes, after, handled.copy()
        found: Stored = dict.fromkeys(
            product((*_event_names, UNKNOWN, UNREADABLE), [state.value for state in DeliveryState]), (0, 0)
        )
        waiting = select(EVENT, states.c.state, func.count(), func.sum(states.c.attempts)).select_from(WITH_DELIVERIES)
        for event, state, count, attempts in connection.execute(waiting.where(NOT_HANDLED).group_by(EVENT, states.c.state)):
            handled[event] -= count
            found[event, state] = count, attempts or 0
        return found | {(event, HANDLED): (count, 0) for event, count in handled.items()}, oldest_pending(connection)
