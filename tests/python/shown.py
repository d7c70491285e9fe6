# SPDX-License-Identifier: MIT
"""What a notebook would show, taken apart: the text that is read, the marks, and whether it is harmless."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

__all__ = ["Shown", "printed"]

ELEMENTS = {
    "b",
    "bdi",
    "details",
    "div",
    "mark",
    "pre",
    "span",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
}
PICTURES = {"svg", "g", "path", "polygon", "ellipse", "text", "title", "line", "rect", "defs", "clippath"}
ATTRIBUTES = {"class", "open", "title"}
# Nothing in a style loads anything.
LOADS = re.compile(r"url\(|@import|expression|https?:", re.IGNORECASE)


def printed(value: object) -> str:
    """What IPython prints of it."""
    pretty: Callable[[object], str] = importlib.import_module("IPython.lib.pretty").pretty
    return pretty(value)


class Shown(HTMLParser):
    """The HTML that an object gives, checked while it is read: each element is closed, known and harmless."""

    def __init__(self, value: Any) -> None:
        super().__init__(convert_charrefs=True)
        self.html: str = value._repr_html_()
        self.text = ""
        self.classes: list[tuple[str, str]] = []
        """Each element's classes and its own text, in order."""
        self._open: list[tuple[str, int]] = []
        self.feed(self.html)
        self.close()
        assert self._open == []
        assert self.html.startswith('<div class="bankhook"><style>')

    def of(self, cls: str) -> list[str]:
        """The texts of all elements of a class."""
        return [text for names, text in self.classes if f"bh-{cls}" in names.split() or cls == names]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_picture = any(name == "svg" for name, _ in self._open) or tag == "svg"
        assert tag in ELEMENTS or (is_picture and tag in PICTURES), tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in {"href", "src", "xlink:href", "action", "data"}, name
            assert is_picture or name in ATTRIBUTES, name
            if name == "style" or name.startswith("xmlns"):
                continue
            assert not LOADS.search(value or "") or name == "title"
        self._open.append((tag, len(self.classes)))
        self.classes.append((dict(attrs).get("class") or tag, ""))

    def handle_endtag(self, tag: str) -> None:
        name, _ = self._open.pop()
        assert name == tag

    def handle_data(self, data: str) -> None:
        if any(tag == "style" for tag, _ in self._open):
            assert not LOADS.search(data)
            return
        self.text += data
        for _, index in self._open:
            cls, text = self.classes[index]
            self.classes[index] = (cls, text + data)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)
