# SPDX-License-Identifier: MIT
"""How records are shown: the renderers are loaded when a record is first shown, and named only here."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar, Protocol

__all__ = ["Printer", "chart", "html", "named_values", "plain", "pretty", "svg"]


class Printer(Protocol):
    """The printer that IPython passes."""

    def text(self, text: str, /) -> None: ...


class WithFields(Protocol):
    """An event, a resource or a record."""

    __match_args__: ClassVar[tuple[str, ...]]


def html(value: object) -> str:
    """Return an object of the library as a piece of HTML with its own styles."""
    shown: str = _render().html(value)
    return shown


def pretty(value: object, printer: Printer) -> None:
    """Print the repr for IPython, shortened if it is long."""
    _render().pretty(value, printer)


def named_values(value: WithFields) -> Iterator[tuple[str, Any]]:
    """Iterate over the fields of an object, for `rich.print`."""
    return ((name, getattr(value, name)) for name in value.__match_args__)


def plain(value: object) -> str:
    """Return a picture as lines of text."""
    shown: str = _render().plain(value)
    return shown


def svg(value: object) -> str | None:
    """Return a picture as an `<svg>` element; None if what draws it is not installed."""
    shown: str | None = _render().svg(value)
    return shown


def chart(value: object) -> Any:
    """Return a picture as a chart of Altair; raises ImportError if Altair is not installed."""
    return _render().chart(value)


def _render() -> Any:
    return import_module("bankhook._render")
