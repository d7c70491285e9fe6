# SPDX-License-Identifier: MIT
"""What pages derive from the code and commit: `<!-- derived: NAME ARGUMENT -->`, its text, `<!-- end -->`.

The text is plain Markdown, so that a page reads on a code host. `./dev docs --write` writes it, a test compares it. Sphinx shows
something richer in the place of some texts: see `docs/_ext/regions.py`.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from derived.catalogue import (
    choices,
    columns,
    command,
    contents,
    excerpt,
    fields,
    layers,
    lifecycle,
    rules,
    screenshot,
    speed,
)
from derived.module import MODULE, module
from derived.reference import Headers, header, headers, python, python_classes
from derived.shapes import shapes
from public_names import ROOT, write_xml

__all__ = [
    "DERIVED",
    "MODULE",
    "REGION",
    "Headers",
    "derived",
    "module",
    "pages",
    "rewritten",
    "stale",
    "write",
]

REGION = re.compile(
    r"^(?P<open><!-- derived: (?P<name>\w+)(?P<argument>.*?)-->\n)(?P<text>.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL
)
_OPENED = re.compile(r"^<!-- derived: ", re.MULTILINE)

DERIVED: dict[str, Callable[[Headers, Path, str], str]] = {
    "choices": choices,
    "columns": columns,
    "command": command,
    "contents": contents,
    "excerpt": excerpt,
    "fields": fields,
    "header": header,
    "headers": headers,
    "layers": layers,
    "lifecycle": lifecycle,
    "python": python,
    "python_classes": python_classes,
    "rules": rules,
    "screenshot": screenshot,
    "shapes": shapes,
    "speed": speed,
}


def derived(headers: Headers, page: Path, name: str, argument: str) -> str:
    """What the code says today in the place of a region of a page."""
    if name not in DERIVED:
        raise ValueError(f"{page}: nothing derives {name!r}; known are {', '.join(DERIVED)}")
    return DERIVED[name](headers, page, argument.strip())


def rewritten(headers: Headers, page: Path) -> str:
    """A page with each of its regions as the code says today."""
    text = page.read_text(encoding="utf-8")
    if len(_OPENED.findall(text)) != len(REGION.findall(text)):
        raise ValueError(f"{page}: a derived region has no `<!-- end -->`")
    return REGION.sub(
        lambda found: f"{found['open']}{derived(headers, page, found['name'], found['argument'])}\n<!-- end -->", text
    )


def pages() -> list[Path]:
    """The pages that have such regions."""
    return [page for page in sorted((ROOT / "docs").rglob("*.md")) if _OPENED.search(page.read_text(encoding="utf-8"))]


def stale(headers: Headers) -> Iterator[tuple[Path, str]]:
    """The pages whose committed text is not what the code says, each with what it says."""
    written = {page: rewritten(headers, page) for page in pages()}
    for page, text in {**written, MODULE: module(headers)}.items():
        if not page.exists() or text != page.read_text(encoding="utf-8"):
            yield page, text


def write() -> list[Path]:
    """Writes what is not what the code says; returns the pages that changed."""
    with tempfile.TemporaryDirectory() as folder:
        changed = list(stale(Headers(lambda: write_xml(Path(folder)))))
    for page, text in changed:
        page.write_text(text, encoding="utf-8")
    return [page for page, _ in changed]
