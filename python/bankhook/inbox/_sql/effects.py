# SPDX-License-Identifier: MIT
"""For which effects handlers were called already: what is stored, looked up before it is needed, and remembered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import select

from bankhook.inbox._sql.rows import in_parts
from bankhook.inbox._sql.store import Store
from bankhook.inbox._sql.tables import effects
from bankhook.inbox._sql.types import shortened

MOST_EFFECTS = 10_000  # of which it is remembered whether they happened


class Effects:
    """Remembers the keys of effects, whether they happened or not."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, bool] = {}

    def look_up(self, keys: Sequence[str]) -> None:
        """Find out for which of these keys handlers were called already; all at once, and before a transaction begins."""
        if len(self._known) > MOST_EFFECTS:
            self._known.clear()
        with self._store.engine.begin() as reading:
            for part in in_parts([shortened(key) for key in keys]):
                found = select(effects.c.key).where(effects.c.key.in_(part))
                self._known |= dict.fromkeys(part, False) | dict.fromkeys(reading.scalars(found), True)

    def has(self, key: str) -> bool:
        """Whether a handler was called for this key already."""
        key = shortened(key)
        if key not in self._known:
            self.look_up([key])
        return self._known[key]

    def add(self, keys: Iterable[str]) -> None:
        """These keys are stored now."""
        self._known |= dict.fromkeys(map(shortened, keys), True)
