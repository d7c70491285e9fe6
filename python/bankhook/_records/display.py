# SPDX-License-Identifier: MIT
"""How records are shown: the renderers are loaded when a record is first shown, and named only here."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, ClassVar, Protocol

from bankhook._records.absent import ABSENT


class Printer(Protocol):
    """The printer that IPython passes."""

    def text(self, text: str, /) -> None: ...


class WithFields(Protocol):
    """An event, a resource or a record."""

    __match_args__: ClassVar[tuple[str, ...]]


def named_values(value: WithFields) -> Iterator[tuple[str, Any]]:
    """Iterate over the fields of an object, for `rich.print`."""
    return ((name, getattr(value, name)) for name in value.__match_args__)


def represent(value: WithFields) -> str:
    """Return an expression that evaluates to an equal object; absent fields are left out."""
    fields = ", ".join(f"{name}={_expression(field)}" for name, field in named_values(value) if field is not ABSENT)
    return f"{type(value).__name__}({fields})"


def _expression(value: object) -> str:
    return f"{type(value).__name__}.{value.name}" if isinstance(value, enum.Enum) else repr(value)


def pretty_text(value: object, printer: Printer, cycle: bool) -> None:
    """Print an object for IPython as `print` does."""
    printer.text(str(value))


def _rendered(name: str) -> Callable[..., Any]:
    """Return a function of the renderers, which are loaded when it is called."""

    def call(*arguments: object) -> Any:
        return getattr(import_module("bankhook._render"), name)(*arguments)

    return call


html: Callable[[object], str] = _rendered("html")
"""Return an object of the library as a piece of HTML with its own styles."""
pretty: Callable[..., None] = _rendered("pretty")
"""Print the repr for IPython, shortened if it is long."""
"""Return a picture as lines of text."""
svg: Callable[[object], str | None] = _rendered("svg")
"""Return a picture as an `<svg>` element; None if what draws it is not installed."""
chart: Callable[[object], Any] = _rendered("chart")
"""Return a picture as a chart of Altair; raises ImportError if Altair is not installed."""
