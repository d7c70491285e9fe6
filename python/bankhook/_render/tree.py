# SPDX-License-Identifier: MIT
"""Events and resources as folding trees, with fields in the specification's order."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any, NamedTuple

from bankhook import _core
from bankhook._records.absent import ABSENT
from bankhook._records.fields import Field
from bankhook._records.words import counted
from bankhook._render.markup import fold, more, quoted, row, safe, table, tag, word
from bankhook._render.values import ABSENCE, HIDDEN, NULL, leaf, written

RAW_LIMIT = 2_000
TITLE_LIMIT = 40
# How many elements of a list are shown at each depth: at most 50 connections with 10 accounts each.
_LIST_LIMITS = (50, 50, 50, 10)
# The fields that identify a folded resource, if it has them.
_IDENTIFYING = ("event_type", "id", "external_id", "bank", "amount", "status", "error_code")


class _Part(NamedTuple):
    """One field of an object."""

    owner: object
    field: Field
    value: Any
    values: bool

    @property
    def name(self) -> str:
        """The name of the field."""
        return self.field.name

    @property
    def hint(self) -> str:
        """What it is called on the wire, and its type."""
        return f"{self.field.wire_name}: {self.field.type}"

    @property
    def shown(self) -> str:
        """The value as HTML; only ids and listed values unless values are shown."""
        is_open = self.values or self.value in (None, ABSENT) or isinstance(self.value, enum.Enum) or self.name == "event"
        if is_open or (self.name == "id" and not isinstance(self.owner, _core.Account)):
            return leaf(self.value, written(self.owner, self.name), self.field)
        return HIDDEN


def tree(value: object, *, values: bool = True) -> str:
    """Return an object of any of the library's classes as a tree; raises TypeError for another one.

    Without `values`, texts and numbers, which may be personal, are hidden.
    """
    if isinstance(value, _core.UnknownEvent):
        return _unknown(value)
    if type(value) not in _core._classes:
        raise TypeError(f"expected an object of the library, found {type(value).__name__}")
    return fold(_title(value, values), "".join(_rows(value, 0, values)), is_open=True)


def _parts(value: object, values: bool) -> Iterator[_Part]:
    """Yield the fields in the specification's order."""
    for field in _core.fields(type(value)):
        yield _Part(value, field, getattr(value, field.name), values)


def _rows(value: object, depth: int, values: bool) -> Iterator[str]:
    for part in _parts(value, values):
        if isinstance(part.value, tuple):
            yield _list(part, depth + 1)
        elif type(part.value) in _core._classes:
            summary = word(part.name, "name") + _title(part.value, values)
            yield fold(summary, "".join(_rows(part.value, depth + 1, values)), is_open=depth == 0)
        else:
            yield row(part.name, part.shown, title=part.hint)


def _title(value: object, values: bool) -> str:
    """Return the class, and up to three fields that identify the object."""
    section = str(type(value).__doc__).partition(":")[0]
    parts = {part.name: part for part in _parts(value, values)}
    names = _IDENTIFYING if values else ("event_type", "id", "status")
    identifying = [parts[name] for name in names if name in parts and parts[name].shown not in (HIDDEN, NULL, ABSENCE)]
    return tag("span", type(value).__name__, "class", title=section) + " ".join(map(_in_title, identifying[:3]))


def _in_title(part: _Part) -> str:
    """Return a value for a title: short, and for an id only its text."""
    if part.name in ("id", "external_id"):
        return tag("span", safe(part.value, limit=TITLE_LIMIT), "code")
    if isinstance(part.value, str) and not part.field.values:
        return tag("span", safe(part.value, limit=TITLE_LIMIT), "text")
    return part.shown


def _list(part: _Part, depth: int) -> str:
    count = len(part.value)
    if not count:
        return row(part.name, word("none"), title=part.hint)
    limit = _LIST_LIMITS[min(depth, len(_LIST_LIMITS) - 1)]
    shown = part.value[:limit]
    if len(_core.fields(type(shown[0]))) <= 2:
        inner = _table(shown, part.values)
    else:
        inner = "".join(fold(_title(item, part.values), "".join(_rows(item, depth + 1, part.values))) for item in shown)
    inner += more(count - len(shown), "element")
    return fold(word(part.name, "name") + word(f"{count:,}"), inner, is_open=count <= 3)


def _table(items: tuple[Any, ...], values: bool) -> str:
    """Return small resources, one per line."""
    rows = [[part.shown for part in _parts(item, values)] for item in items]
    return table([field.name for field in _core.fields(type(items[0]))], rows)


def _unknown(event: _core.UnknownEvent) -> str:
    """Return an event that the specification does not list: its name and its bytes, line by line."""
    name = quoted(event.event)
    head = event.raw[:RAW_LIMIT]
    lines = head.decode("utf-8", "backslashreplace").rstrip("\n").split("\n")
    rest = len(event.raw) - len(head)
    text = "\n".join(safe(line, limit=RAW_LIMIT) for line in lines)
    raw = fold(word("raw", "name") + word(counted(len(event.raw), "byte")), f"<pre>{text}</pre>{more(rest, 'byte')}")
    title = tag("span", "UnknownEvent", "class", title="not listed in section 6")
    return fold(title + name, row("event", name) + raw, is_open=True)
