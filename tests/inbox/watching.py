# SPDX-License-Identifier: MIT
"""What tests see of the SQL that an inbox runs: the statements, and how many rows each transaction wrote."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

__all__ = ["Watched", "watched"]

WRITING = ("INSERT", "UPDATE", "DELETE")


class Watched:
    """The statements with their parameters, and how many rows were written by each committed transaction that wrote any."""

    def __init__(self) -> None:
        self.statements: list[tuple[str, Any]] = []
        self.written: list[int] = []
        self._rows = 0

    def executed(self, _connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        self.statements.append((statement, parameters))
        if statement.startswith(WRITING):
            self._rows += cursor.rowcount

    def committed(self, _connection: Any) -> None:
        if self._rows:
            self.written.append(self._rows)
        self._rows = 0


@contextmanager
def watched() -> Generator[Watched]:
    """Watch all databases of this process."""
    seen = Watched()
    listeners: dict[str, Callable[..., Any]] = {"after_cursor_execute": seen.executed, "commit": seen.committed}
    for name, listener in listeners.items():
        event.listen(Engine, name, listener)
    try:
        yield seen
    finally:
        for name, listener in listeners.items():
            event.remove(Engine, name, listener)
