# SPDX-License-Identifier: MIT
"""The few pieces of HTML that everything shown is made of, and the one place where text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from bankhook._core import Evidence, _hidden_characters
from bankhook._render.style import STYLE

__all__ = [
    "code",
    "evidence_pill",
    "fold",
    "note",
    "page",
    "pill",
    "plain_text",
    "plural",
    "quoted",
    "row",
    "safe",
    "table",
    "tag",
    "word",
]

JOINERS = "\u200c\u200d\ufe0f"
TEXT_LIMIT = 160
"""Characters of one text that are shown."""

# What cannot be seen, or turns the direction of what follows; the joiners that some scripts and emoji need may stay.
_UNSEEN = re.compile(f"(?![{JOINERS}])[{_hidden_characters}]")


def safe(text: str, *, limit: int = TEXT_LIMIT) -> str:
    """Text from anywhere as HTML: escaped, isolated from its surroundings, shortened with a word of how much."""
    rest = len(text) - limit
    shown = text if rest <= limit // 10 else text[:limit]
    pieces: list[str] = []
    end = 0
    for found in _UNSEEN.finditer(shown):
        pieces += (escape(shown[end : found.start()]), tag("span", _named(found[0]), "unseen"))
        end = found.end()
    pieces.append(escape(shown[end:]))
    more = "" if shown is text else tag("span", f"… {rest:,} more characters", "dim")
    return f"<bdi>{''.join(pieces)}</bdi>{more}"


def plain_text(text: str, *, limit: int = TEXT_LIMIT) -> str:
    """The same for what escapes by itself: text without what cannot be seen, shortened."""
    shown = _UNSEEN.sub(lambda found: _named(found[0]), text[: limit + 1])
    return shown if len(shown) <= limit else f"{shown[:limit]}…"


def _named(char: str) -> str:
    r"""`\n`, `\x00`, `\u202e`: as Python writes it."""
    return char.encode("unicode_escape").decode() if ord(char) > 0xFF else repr(char)[1:-1]


def tag(name: str, inner: str, classes: str = "", *, title: str = "") -> str:
    """An element around HTML; classes are the library's own."""
    marked = f' class="{" ".join("bh-" + cls for cls in classes.split())}"' if classes else ""
    hint = f' title="{escape(title)}"' if title else ""
    return f"<{name}{marked}{hint}>{inner}</{name}>"


def word(text: str, classes: str = "dim") -> str:
    """Words of the library."""
    return tag("span", escape(text), classes)


def quoted(text: str, *, limit: int = TEXT_LIMIT) -> str:
    """A text of a payload, in quotes, so that an empty one is seen, too."""
    return tag("span", f"&quot;{safe(text, limit=limit)}&quot;", "text")


def code(text: str) -> str:
    """A text of a payload as it is written there: ids, paths, numbers, dates."""
    return tag("span", safe(text), "code")


def pill(text: str, kind: str = "plain", *, title: str = "") -> str:
    """A word in a rounded box; the kind gives the colour."""
    return tag("span", safe(text, limit=40), f"pill {kind}", title=title)


def evidence_pill(evidence: Evidence, text: str = "", *, is_fault: bool = False) -> str:
    """What something rests on: stated in full lines, seen in an example dotted, assumed dashed; in colour for a fault."""
    kind = evidence.value if is_fault else f"{evidence.value} basis"
    return pill(text or evidence.value, kind, title=f"Evidence.{evidence.name}")


def note(text: str) -> str:
    """A sentence of the library on a line of its own."""
    return tag("div", escape(text), "note")


def row(name: str, value: str, *, title: str = "") -> str:
    """A member's name, which is the library's, and the HTML of its value."""
    return tag("div", tag("span", escape(name), "name", title=title) + tag("span", value, "value"), "row")


def fold(summary: str, inner: str, *, is_open: bool = False) -> str:
    """What can be folded away below its summary."""
    return f"<details{' open' if is_open else ''}><summary>{summary}</summary>{tag('div', inner, 'inner')}</details>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of HTML below the library's own heads."""
    head = "".join(tag("th", escape(text)) for text in heads)
    body = "".join(tag("tr", "".join(tag("td", cell) for cell in cells)) for cells in rows)
    return tag("div", f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", "table")


def plural(count: int, noun: str, nouns: str = "") -> str:
    """`1 account`, `10,000 accounts`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def page(inner: str) -> str:
    """The whole piece, with its styles."""
    return f'<div class="bankhook"><style>{STYLE}</style>{inner}</div>'
