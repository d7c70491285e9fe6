# SPDX-License-Identifier: MIT
"""Follows every link between the built pages, anchors too, and names those that lead nowhere; asks no network."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page and the anchors in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.links: set[str] = set()
        self.anchors: set[str] = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Takes notes."""
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if name in ("href", "src", "data") and value:
                self.links.add(value)


def broken_links(root: Path) -> list[str]:
    """Each link to a file or an anchor that is not there, as `page: link`."""
    pages = {path: Page(path) for path in sorted(root.resolve().rglob("*.html"))}
    broken = []
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            if not target.is_file() or (known and unquote(parts.fragment) not in known.anchors):
                broken.append(f"{path.relative_to(root.resolve())}: {link}")
    return broken


if __name__ == "__main__":
    found = broken_links(Path(sys.argv[1]))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    sys.exit(bool(found))
