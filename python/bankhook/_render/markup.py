# SPDX-License-Identifier: MIT
"""The few pieces of HTML that all views consist of, and the only place where text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from bankhook._core import Evidence, _hidden_characters
from bankhook._records.words import counted
from bankhook._render.hues import hue_of
from bankhook._render.style import STYLE

JOINERS = "\u200c\u200d\ufe0f"
TEXT_LIMIT = 160
"""How many characters of one text are shown."""

# Invisible characters, and those that change the writing direction; the joiners that some scripts and emoji need may stay.
_UNSEEN = re.compile(f"(?![{JOINERS}])([{_hidden_characters}])")


def safe(text: str, *, limit: int = TEXT_LIMIT) -> str:
    """Return any text as HTML: escaped, isolated from its surroundings, and shortened with a note on what was cut."""
    rest = len(text) - limit
    shown = text if rest <= limit // 10 else text[:limit]
    parts = enumerate(_UNSEEN.split(shown))  # every second one is such a character
    pieces = (tag("span", _named(part), "unseen") if place % 2 else escape(part) for place, part in parts)
    more = "" if shown is text else tag("span", f"… {rest:,} more characters", "dim")
    return f"<bdi>{''.join(pieces)}</bdi>{more}"


def plain_text(text: str, *, limit: int = TEXT_LIMIT) -> str:
    """Return text without invisible characters, shortened, for an output that escapes by itself."""
    shown = _UNSEEN.sub(lambda found: _named(found[0]), text[: limit + 1])
    return shown if len(shown) <= limit else f"{shown[:limit]}…"


def _named(char: str) -> str:
    r"""Return `\n`, `\x00`, `\u202e`: as Python writes it."""
    return char.encode("unicode_escape").decode() if ord(char) > 0xFF else repr(char)[1:-1]


def tag(name: str, inner: str, classes: str = "", *, title: str = "") -> str:
    """Return an element around HTML; its classes are the library's own."""
    marked = f' class="{" ".join("bh-" + cls for cls in classes.split())}"' if classes else ""
    hint = f' title="{escape(title)}"' if title else ""
    return f"<{name}{marked}{hint}>{inner}</{name}>"


def word(text: str, classes: str = "dim") -> str:
    """Return words of the library."""
    return tag("span", escape(text), classes)


def quoted(text: str) -> str:
    """Return a text of a payload in quotes, so that an empty one is visible."""
    return tag("span", f"&quot;{safe(text)}&quot;", "text")


def code(text: str) -> str:
    """Return a text of a payload unchanged: ids, paths, numbers, dates."""
    return tag("span", safe(text), "code")


def pill(text: str, kind: str = "plain", *, title: str = "") -> str:
    """Return a word in a rounded box; the kind decides the colour."""
    return tag("span", safe(text, limit=40), f"pill {kind}", title=title)


def state_pill(state: str, *, title: str = "") -> str:
    """Return a status, a state or an event type as a box in its hue; any other listed value has none."""
    return pill(state, hue_of(state), title=title)


def evidence_pill(evidence: Evidence, text: str = "") -> str:
    """Return an evidence as a box without a hue: stated with a solid line, example dotted, assumed dashed."""
    return pill(text or evidence.value, f"plain {evidence.value}", title=f"Evidence.{evidence.name}")


def head(title: str, rest: str = "") -> str:
    """Return the heading of an object: its class or name, and HTML beside it."""
    return tag("div", tag("span", title, "class") + rest, "head")


def note(text: str) -> str:
    """Return a sentence of the library on its own line."""
    return tag("div", escape(text), "note")


def more(rest: int, noun: str) -> str:
    """Return how many more of them there are than what is shown; nothing if all are shown."""
    return note(f"… {counted(rest, f'more {noun}')}") if rest > 0 else ""


def row(name: str, value: str, *, title: str = "") -> str:
    """Return the name of a field, which is the library's, and the HTML of its value."""
    return tag("div", tag("span", escape(name), "name", title=title) + tag("span", value, "value"), "row")


def fold(summary: str, inner: str, *, is_open: bool = False) -> str:
    """Return HTML that can be folded away below its summary."""
    return f"<details{' open' if is_open else ''}><summary>{summary}</summary>{tag('div', inner, 'inner')}</details>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of HTML with the library's own headings."""
    headings = "".join(tag("th", escape(text)) for text in heads)
    body = "".join(tag("tr", "".join(tag("td", cell) for cell in cells)) for cells in rows)
    return tag("div", f"<table><thead><tr>{headings}</tr></thead><tbody>{body}</tbody></table>", "table")


def page(inner: str) -> str:
    """Return the whole piece of HTML, with its styles."""
    return f'<div class="bankhook"><style>{STYLE}</style>{inner}</div>'
